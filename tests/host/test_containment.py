"""Nothing outside the root is ever served, whatever the path and whatever happens on the disk."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doctrove_server.host import files
from doctrove_server.host.catalog import FileCatalog, Folder
from doctrove_server.host.description import FileFacts
from doctrove_server.host.response import Policy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Ask = Callable[..., tuple[int, dict[str, str], bytes]]

ESCAPES = [
    "/../outside/secret.txt",
    "/guide/../../outside/secret.txt",
    "/..",
    "/../",
    "/.",
    "/./file.json",
    "/guide/..",
    "/%2e%2e/outside/secret.txt",
    "/%2E%2E%2Foutside%2Fsecret.txt",
    "/..%2foutside/secret.txt",
    "/guide%2fpage.html",
    "/%252e%252e/outside/secret.txt",
    "/%252e%252e%252foutside%252fsecret.txt",
    "/..\\outside\\secret.txt",
    "/..%5coutside%5csecret.txt",
    "/guide\\page.html",
    "/%5c..%5c..%5coutside/secret.txt",
    "/../site-too/secret.txt",
    "//etc/passwd",
    "///etc/passwd",
    "/%2fetc/passwd",
    "//evil.example/..",
    "/file.json%00",
    "/%00",
    "/file.json%00.html",
    "/guide%0d%0aSet-Cookie:x/page.html",
    "/%",
    "/%4",
    "/%zz",
    "/file.json%",
    "/%ff",
    "/%c0%ae%c0%ae/outside/secret.txt",
    "/%ed%a0%80",
    "/out.txt",
    "/out/secret.txt",
    "/out/",
    "/out",
    "/beside/secret.txt",
    "/up/outside/secret.txt",
    "/up/site/file.json/../../outside/secret.txt",
    "/hidden.txt",
    "/.secret",
    "/.git/config",
    "/.git/",
    "/.git",
    "/%2esecret",
    "/.well-known/.hidden",
    "/guide/.well-known/x.txt",
    "/.well-known/../.secret",
    "file.json",
    "*",
    "http://127.0.0.1/../outside/secret.txt",
    "http:///etc/passwd",
    "file:///etc/passwd",
]


@pytest.mark.parametrize("target", ESCAPES)
def test_a_path_that_would_leave_the_root_is_refused(ask: Ask, port: int, target: str) -> None:
    status, fields, body = ask(port, target)
    assert status in (400, 404)
    assert b"SECRET" not in body
    assert "location" not in fields
    assert "set-cookie" not in fields


def test_without_folder_descriptors_the_root_holds_too(
    new_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way of Windows, walked here: names are resolved and compared before they are opened."""
    monkeypatch.setattr(files, "_HAS_WALK", False)
    catalog = FileCatalog(str(new_site), policy=Policy())
    expected = {
        "file.json": b'{"a": 1}',
        "inside.json": b'{"a": 1}',
        "manual/page.html": b"<p>page</p>",
        "guide": Folder.FOLDER,
        "manual": Folder.FOLDER,
        "missing": None,
        "file.json/x": None,
        "out": None,
        "out.txt": None,
        "out/secret.txt": None,
        "beside/secret.txt": None,
        "hidden.txt": None,
        "loop": None,
        "file.json:stream": None,
        "file.json.": None,
    }
    for path, content in expected.items():
        found = asyncio.run(catalog.find(tuple(path.split("/"))))
        assert (found.content if isinstance(found, FileFacts) else found) == content, path
    assert catalog.names(("guide",)) == ("index.html", "page.html")
    names = catalog.names(())
    assert names is not None
    assert {"guide/", "manual/", "file.json", "inside.json"} <= set(names)
    assert not {"out/", "out.txt", "up/", "hidden.txt", ".secret", ".git/"} & set(names)
    assert catalog.names(("out",)) is None


def test_a_link_that_leaves_the_root_is_not_even_revalidated(ask: Ask, port: int) -> None:
    assert ask(port, "/out.txt", fields={"If-None-Match": "*"})[0] == 404


WORDS = (
    b".. . / // \\ %2e %2f %5c %00 %252e % ? # ; ~ http: : @ * out out.txt up site site-too "
    b"outside secret.txt .secret guide index.html file.json"
)
PIECES = st.one_of(st.sampled_from(WORDS.split()), st.binary(min_size=1, max_size=4))
FIELDS = (
    b"Range If-Range If-Match If-None-Match If-Modified-Since If-Unmodified-Since Accept-Encoding"
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pieces=st.lists(PIECES, max_size=12))
def test_no_path_gives_what_is_outside_nor_a_fault(
    exchange: Callable[[int, bytes], bytes], port: int, pieces: list[bytes]
) -> None:
    reply = exchange(port, b"GET /%b HTTP/1.1\r\nHost: localhost\r\n\r\n" % b"".join(pieces))
    assert b"SECRET" not in reply
    assert b"root:" not in reply
    assert reply.startswith(b"HTTP/1.1 "), reply
    assert int(reply[9:12]) in (200, 301, 304, 400, 404)
    location = re.search(rb"\r\nlocation: ([^\r]*)", reply)
    assert location is None or re.fullmatch(rb"\./[^/?]+/(\?.*)?", location[1])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    fields=st.lists(
        st.tuples(
            st.sampled_from(FIELDS.split()),
            st.one_of(
                st.text("0123456789-,= bytes", max_size=30).map(lambda text: text.encode()),
                st.text('"W/*,;q=.gzipbr ', max_size=30).map(lambda text: text.encode()),
                st.binary(max_size=20).map(lambda data: data.translate(None, b"\r\n\0")),
            ),
        ),
        max_size=4,
    )
)
def test_no_field_gives_a_fault(
    exchange: Callable[[int, bytes], bytes], port: int, fields: list[tuple[bytes, bytes]]
) -> None:
    lines = b"".join(b"%b: %b\r\n" % field for field in fields)
    reply = exchange(port, b"GET /app.js HTTP/1.1\r\nHost: localhost\r\n%b\r\n" % lines)
    assert int(reply[9:12]) in (200, 206, 304, 400, 412, 416), reply


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_link_swapped_in_while_files_are_served_is_not_followed(
    exchange: Callable[[int, bytes], bytes],
    serve: Callable[..., int],
    new_site: Path,
    kind: str,
) -> None:
    """A thread exchanges a file, or its folder, with a link that leaves the root, all the time."""
    port = serve(new_site)
    (new_site / "d").mkdir()
    (new_site / "d" / "secret.txt").write_bytes(b"ours")
    real = new_site / ("d/secret.txt" if kind == "file" else "d")
    target = new_site.parent / ("outside/secret.txt" if kind == "file" else "outside")
    aside = new_site.parent / "aside"
    done = threading.Event()

    def exchange_for_ever() -> None:
        while not done.is_set():
            real.rename(aside)
            real.symlink_to(target)
            real.unlink()
            aside.rename(real)

    thread = threading.Thread(target=exchange_for_ever)
    thread.start()
    try:
        seen = b""
        with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
            for _ in range(1500):
                connection.sendall(b"GET /d/secret.txt HTTP/1.1\r\nHost: localhost\r\n\r\n")
                seen += connection.recv(65536)
    finally:
        done.set()
        thread.join()
    assert b"SECRET" not in seen
    assert exchange(port, b"GET /d/secret.txt HTTP/1.0\r\n\r\n").endswith(b"\r\n\r\nours")


def test_a_folder_moved_out_and_linked_to_is_outside(
    ask: Ask, serve: Callable[..., int], new_site: Path
) -> None:
    port = serve(new_site)
    assert ask(port, "/guide/page.html")[2] == b"<p>page</p>"
    (new_site / "guide").rename(new_site.parent / "guide")
    (new_site / "guide").symlink_to(new_site.parent / "guide")
    assert ask(port, "/guide/page.html")[0] == 404
    assert ask(port, "/manual/page.html")[0] == 404


def test_a_root_that_is_a_link_is_served_and_may_be_pointed_elsewhere(
    ask: Ask, serve: Callable[..., int], tmp_path: Path
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(name)
    (tmp_path / "current").symlink_to("one")
    port = serve(tmp_path / "current")
    assert ask(port, "/")[2] == b"one"
    (tmp_path / "next").symlink_to("two")
    (tmp_path / "next").replace(tmp_path / "current")
    assert ask(port, "/")[2] == b"two"
