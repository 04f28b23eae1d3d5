"""What a request is answered, on a raw socket to a real process."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Ask = Callable[..., tuple[int, dict[str, str], bytes]]


def test_a_file_is_sent_with_all_its_fields(ask: Ask, port: int) -> None:
    status, fields, body = ask(port, "/file.json")
    assert (status, body) == (200, b'{"a": 1}')
    assert fields["content-type"] == "application/json; charset=utf-8"
    assert fields["etag"] == f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    assert fields["accept-ranges"] == "bytes"
    assert fields["x-content-type-options"] == "nosniff"
    assert fields["access-control-allow-origin"] == "*"
    assert fields["cache-control"] == "no-cache"
    assert re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", fields["last-modified"])
    assert "server" not in fields
    assert "vary" not in fields


@pytest.mark.parametrize("target", ["/file.json", "/big.bin", "/", "/missing", "/guide"])
def test_head_is_get_without_a_body(ask: Ask, port: int, target: str) -> None:
    got, head = ask(port, target), ask(port, target, method="HEAD")
    assert head[2] == b""
    for answer in (got, head):
        answer[1].pop("date")
        answer[1].pop("connection", None)
    assert head[:2] == got[:2]


def test_a_large_file_is_sent_whole(ask: Ask, port: int, site: Path) -> None:
    expected = (site / "big.bin").read_bytes()
    status, fields, body = ask(port, "/big.bin")
    assert status == 200
    assert body == expected
    assert fields["etag"] == f'"{hashlib.sha256(expected).hexdigest()[:32]}"'


@pytest.mark.parametrize(
    ("target", "content_type"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/notes.txt", "text/plain; charset=utf-8"),
        ("/app.js", "text/javascript; charset=utf-8"),
        ("/app.js.gz", "application/gzip"),
        ("/big.bin", "application/octet-stream"),
    ],
)
def test_the_type_follows_from_the_name(
    ask: Ask, port: int, target: str, content_type: str
) -> None:
    assert ask(port, target)[1]["content-type"] == content_type


@pytest.mark.parametrize(
    ("target", "body"),
    [
        ("/", b"<p>front</p>"),
        ("/?x", b"<p>front</p>"),
        ("/?x=/../..", b"<p>front</p>"),
        ("/#part", b"<p>front</p>"),
        ("/guide/", b"<p>guide</p>"),
        ("/guide/?q=1", b"<p>guide</p>"),
        ("/guide/page.html", b"<p>page</p>"),
        ("/%67uide/page%2Ehtml", b"<p>page</p>"),
        ("/a%20b.txt", b"spaced"),
        ("/%C3%BCn%C3%AF.txt", b"named"),
        ("/100%25.txt", b"percent"),
        ("/empty.txt", b""),
        ("/.well-known/security.txt", b"Contact: x"),
        ("/inside.json", b'{"a": 1}'),
        ("/manual/page.html", b"<p>page</p>"),
        ("/bare/data.bin", b"data"),
        ("http://127.0.0.1/file.json", b'{"a": 1}'),
        ("http://evil.example/file.json?x", b'{"a": 1}'),
        ("http://evil.example", b"<p>front</p>"),
        ("http://evil.example?x", b"<p>front</p>"),
    ],
)
def test_a_path_leads_to_its_file(ask: Ask, port: int, target: str, body: bytes) -> None:
    status, _, got = ask(port, target)
    assert (status, got) == (200, body)


@pytest.mark.parametrize(
    "target",
    [
        "/missing",
        "/missing/",
        "/file.json/",
        "/file.json/index.html",
        "/bare/",
        "/guide//page.html",
        "//guide/page.html",
        "//evil.example/..",
        "/guide/missing.html",
        "/Guide/page.html",
        "/pipe",
        "/loop",
        "/" + "x" * 300,
        "/" + "x" * 5000,
        "/" + "x/" * 2400,
    ],
)
def test_what_is_not_there_is_the_sites_own_404(ask: Ask, port: int, target: str) -> None:
    status, fields, body = ask(port, target)
    assert (status, body) == (404, b"<p>lost</p>")
    assert fields["content-type"] == "text/html; charset=utf-8"
    assert fields["x-content-type-options"] == "nosniff"
    assert "etag" not in fields
    assert "location" not in fields


@pytest.mark.parametrize(
    ("target", "location"),
    [
        ("/guide", "./guide/"),
        ("/guide?q=1&r=//x", "./guide/?q=1&r=//x"),
        ("/manual", "./manual/"),
        ("/.well-known", "./.well-known/"),
    ],
)
def test_a_folder_without_its_slash_is_redirected_relatively(
    ask: Ask, port: int, target: str, location: str
) -> None:
    status, fields, _ = ask(port, target)
    assert (status, fields["location"]) == (301, location)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_other_methods_are_refused_with_those_allowed(ask: Ask, port: int, method: str) -> None:
    status, fields, body = ask(port, "/file.json", method=method)
    assert (status, fields["allow"]) == (405, "GET, HEAD, OPTIONS")
    assert b'"a"' not in body


@pytest.mark.parametrize("target", ["/file.json", "/missing", "*"])
def test_options_says_what_is_allowed(ask: Ask, port: int, target: str) -> None:
    status, fields, body = ask(port, target, method="OPTIONS")
    assert (status, fields["allow"], body) == (204, "GET, HEAD, OPTIONS", b"")
    assert fields["access-control-allow-origin"] == "*"
    assert fields["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
    assert "content-length" not in fields


@pytest.mark.parametrize(
    ("target", "freshness"),
    [
        ("/app.3f2a91bc77.css", "public, max-age=31536000, immutable"),
        ("/_volumes/5.1.0.0123456789.json", "public, max-age=31536000, immutable"),
        ("/report.20260801.json", "no-cache"),
        ("/index.json", "no-cache"),
        ("/", "no-cache"),
        ("/missing.3f2a91bc77.css", "no-cache"),
    ],
)
def test_only_a_name_with_a_hash_is_fresh_for_ever(
    ask: Ask, port: int, target: str, freshness: str
) -> None:
    assert ask(port, target)[1]["cache-control"] == freshness


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("127.0.0.1:8730", 200),
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("localhost.", 200),
        ("[::1]:8730", 200),
        ("localhost:65535", 200),
        ("localhost:0065535", 200),
        ("localhost:65536", 400),
        ("localhost:99999", 400),
        ("localhost:" + "9" * 5000, 400),
        ("evil.example:99999", 400),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421),
        ("10.0.0.1", 421),
        ("evil.example, localhost", 421),
        ("localhost@evil.example", 421),
        ("", 421),
        ("\xff", 421),
    ],
)
def test_on_loopback_a_foreign_host_is_refused(ask: Ask, port: int, host: str, status: int) -> None:
    got, _, body = ask(port, "/file.json", fields={"Host": host})
    assert got == status
    assert (b'"a"' in body) == (status == 200)


@pytest.mark.parametrize(
    ("accept", "body", "coding"),
    [
        ("br", b"coded-br", "br"),
        ("gzip, deflate, br, zstd", b"coded-br", "br"),
        ("gzip, zstd", b"coded-zstd", "zstd"),
        ("gzip", b"coded-gzip", "gzip"),
        ("x-gzip", b"coded-gzip", "gzip"),
        ("GZIP;Q=0.5", b"coded-gzip", "gzip"),
        ("br;q=0.1, gzip;q=0.9", b"coded-gzip", "gzip"),
        ("br;q=0, zstd;q=0.000, gzip;q=0", b"identity", None),
        ("br;q=0, *", b"coded-zstd", "zstd"),
        ("*;q=0", b"identity", None),
        ("gzip;q=0.2, identity;q=0.8", b"identity", None),
        ("deflate", b"identity", None),
        ("", b"identity", None),
        ("br;q=, ;;,", b"identity", None),
    ],
)
def test_the_precompressed_file_is_sent_where_it_is_wanted(
    ask: Ask, port: int, accept: str, body: bytes, coding: str | None
) -> None:
    status, fields, got = ask(port, "/app.js", fields={"Accept-Encoding": accept})
    assert (status, got, fields.get("content-encoding")) == (200, body, coding)
    assert fields["vary"] == "accept-encoding"
    assert fields["content-type"] == "text/javascript; charset=utf-8"
    assert fields["etag"] == f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def test_a_precompressed_file_is_revalidated_by_its_own_tag(ask: Ask, port: int) -> None:
    coded = ask(port, "/app.js", fields={"Accept-Encoding": "br"})[1]["etag"]
    again = {"If-None-Match": coded}
    status, fields, _ = ask(port, "/app.js", fields=again | {"Accept-Encoding": "br"})
    assert (status, fields["vary"], fields["etag"]) == (304, "accept-encoding", coded)
    assert ask(port, "/app.js", fields=again)[0] == 200


def test_a_coding_that_is_not_there_is_not_chosen(ask: Ask, port: int) -> None:
    _, fields, body = ask(port, "/only.css", fields={"Accept-Encoding": "br, gzip;q=0.5"})
    assert (body, fields["content-encoding"]) == (b"coded-gzip", "gzip")


def test_without_a_page_of_its_own_the_root_is_its_index(
    ask: Ask, serve: Callable[..., int], tmp_path: Path
) -> None:
    (tmp_path / "index.json").write_bytes(b"[]")
    port = serve(tmp_path)
    for target in ("/", "/?x"):
        status, fields, body = ask(port, target)
        assert (status, body) == (200, b"[]")
        assert fields["content-type"] == "application/json; charset=utf-8"
    assert ask(port, "/missing")[2] == b"Not found.\n"


def test_folders_are_listed_on_request(ask: Ask, serve: Callable[..., int], new_site: Path) -> None:
    (new_site / "bare" / "<b>&.txt").write_bytes(b"odd")
    (new_site / "bare" / "inner").mkdir()
    (new_site / "bare" / ".hidden").write_bytes(b"")
    (new_site / "bare" / "away").symlink_to(new_site.parent)
    port = serve(new_site, "--listing")
    status, fields, body = ask(port, "/bare/")
    assert (status, fields["content-type"]) == (200, "text/html; charset=utf-8")
    assert re.findall(rb'href="([^"]*)">([^<]*)<', body) == [
        (b"../", b"../"),
        (b"./%3Cb%3E%26.txt", b"&lt;b&gt;&amp;.txt"),
        (b"./data.bin", b"data.bin"),
        (b"./inner/", b"inner/"),
    ]
    assert ask(port, "/guide/")[2] == b"<p>guide</p>"
    assert ask(port, "/missing/")[0] == 404
    assert ask(port, "/out/")[0] == 404
