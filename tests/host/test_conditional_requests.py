"""Conditional and range requests, on a raw socket to a real process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Ask = Callable[..., tuple[int, dict[str, str], bytes]]

PAST, FUTURE = "Thu, 01 Jan 1998 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT"


def filled(ask: Ask, port: int, target: str, fields: dict[str, str]) -> dict[str, str]:
    """Put the file's own tag and date into header fields."""
    _, own, _ = ask(port, target, method="HEAD")
    names = {"TAG": own["etag"], "DATE": own["last-modified"], "PAST": PAST, "FUTURE": FUTURE}
    for word, value in names.items():
        fields = {name: text.replace(word, value) for name, text in fields.items()}
    return fields


@pytest.mark.parametrize("target", ["/notes.txt", "/big.bin"])
@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"If-None-Match": "TAG"}, 304),
        ({"If-None-Match": "W/TAG"}, 304),
        ({"If-None-Match": '"other", TAG'}, 304),
        ({"If-None-Match": '"a,b" , W/TAG,"c"'}, 304),
        ({"If-None-Match": "*"}, 304),
        ({"If-None-Match": '"other"'}, 200),
        ({"If-None-Match": "garbage"}, 200),
        ({"If-None-Match": ""}, 200),
        ({"If-None-Match": '"other"', "If-Modified-Since": "FUTURE"}, 200),
        ({"If-None-Match": "TAG", "If-Modified-Since": "PAST"}, 304),
        ({"If-Modified-Since": "DATE"}, 304),
        ({"If-Modified-Since": "FUTURE"}, 304),
        ({"If-Modified-Since": "Friday, 01-Jan-60 00:00:00 GMT"}, 304),
        ({"If-Modified-Since": "Fri Jan  1 00:00:00 2100"}, 304),
        ({"If-Modified-Since": "PAST"}, 200),
        ({"If-Modified-Since": "garbage"}, 200),
        ({"If-Modified-Since": "2100-01-01"}, 200),
        ({"If-Modified-Since": "Fri, 99 Jan 2100 00:00:00 GMT"}, 200),
        ({"If-Match": "TAG"}, 200),
        ({"If-Match": '"other", TAG'}, 200),
        ({"If-Match": "*"}, 200),
        ({"If-Match": '"other"'}, 412),
        ({"If-Match": "W/TAG"}, 412),
        ({"If-Match": '"other"', "If-None-Match": "TAG"}, 412),
        ({"If-Match": "TAG", "If-Unmodified-Since": "PAST"}, 200),
        ({"If-Unmodified-Since": "PAST"}, 412),
        ({"If-Unmodified-Since": "DATE"}, 200),
        ({"If-Unmodified-Since": "garbage"}, 200),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else str(sorted(value.items())),
)
def test_preconditions_decide(
    ask: Ask, port: int, target: str, fields: dict[str, str], status: int
) -> None:
    given = filled(ask, port, target, fields)
    for method in ("GET", "HEAD"):
        assert ask(port, target, method=method, fields=given)[0] == status


def test_a_304_has_what_a_cache_needs_and_no_body(ask: Ask, port: int) -> None:
    status, fields, body = ask(port, "/app.js", fields={"If-None-Match": "*"})
    assert (status, body) == (304, b"")
    fields.pop("connection", None)
    assert sorted(fields) == [
        "access-control-allow-origin",
        "access-control-expose-headers",
        "cache-control",
        "date",
        "etag",
        "vary",
    ]


@pytest.mark.parametrize(
    ("wanted", "place", "body"),
    [
        ("bytes=0-3", "bytes 0-3/10", b"0123"),
        ("bytes=4-", "bytes 4-9/10", b"456789"),
        ("bytes=-3", "bytes 7-9/10", b"789"),
        ("bytes=-99", "bytes 0-9/10", b"0123456789"),
        ("bytes=8-99999999999999999999999999", "bytes 8-9/10", b"89"),
        ("bytes=0-0", "bytes 0-0/10", b"0"),
        ("BYTES = 2-3", "bytes 2-3/10", b"23"),
        ("bytes=2-3,", "bytes 2-3/10", b"23"),
        ("bytes=50-60, 1-2", "bytes 1-2/10", b"12"),
    ],
)
def test_a_range_is_sent_as_206(ask: Ask, port: int, wanted: str, place: str, body: bytes) -> None:
    status, fields, got = ask(port, "/notes.txt", fields={"Range": wanted})
    assert (status, fields["content-range"], got) == (206, place, body)
    assert fields["content-type"] == "text/plain; charset=utf-8"
    assert fields["etag"] == ask(port, "/notes.txt")[1]["etag"]


@pytest.mark.parametrize("wanted", ["bytes=10-", "bytes=99-100", "bytes=-0", "bytes=10-,20-30"])
def test_a_range_outside_is_unsatisfiable(ask: Ask, port: int, wanted: str) -> None:
    status, fields, body = ask(port, "/notes.txt", fields={"Range": wanted})
    assert (status, fields["content-range"]) == (416, "bytes */10")
    assert b"0123" not in body


@pytest.mark.parametrize(
    "wanted",
    [
        "bytes=",
        "bytes=,",
        "bytes=-",
        "bytes=3-1",
        "bytes=a-b",
        "bytes=1-2;3",
        "bytes 0-1",
        "lines=0-1",
        "bytes=0--1",
        "bytes=0-9,0-9",
        "bytes=" + "0-0," * 17 + "0-0",
        "garbage",
    ],
)
def test_a_range_that_cannot_be_read_or_is_too_much_is_ignored(
    ask: Ask, port: int, wanted: str
) -> None:
    status, fields, body = ask(port, "/notes.txt", fields={"Range": wanted})
    assert (status, body) == (200, b"0123456789")
    assert "content-range" not in fields


@pytest.mark.parametrize("target", ["/notes.txt", "/big.bin"])
def test_several_ranges_come_as_parts(ask: Ask, port: int, target: str) -> None:
    whole = ask(port, target)[2]
    status, fields, body = ask(port, target, fields={"Range": "bytes=0-1,4-5,-2"})
    kind, _, boundary = fields["content-type"].partition("; boundary=")
    assert (status, kind) == (206, "multipart/byteranges")
    before, *parts, after = body.split(b"--" + boundary.encode())
    assert (before, after) == (b"", b"--\r\n")
    size = len(whole)
    for part, (first, last) in zip(parts, [(0, 1), (4, 5), (size - 2, size - 1)], strict=True):
        head, _, content = part.removesuffix(b"\r\n").partition(b"\r\n\r\n")
        assert content == whole[first : last + 1]
        assert f"Content-Range: bytes {first}-{last}/{size}".encode() in head.split(b"\r\n")


@pytest.mark.parametrize("target", ["/notes.txt", "/big.bin"])
@pytest.mark.parametrize(
    ("condition", "status"),
    [("TAG", 206), ("W/TAG", 200), ('"other"', 200), ("DATE", 206), ("PAST", 200), ("what", 200)],
)
def test_if_range_lets_a_range_count(
    ask: Ask, port: int, target: str, condition: str, status: int
) -> None:
    fields = filled(ask, port, target, {"If-Range": condition, "Range": "bytes=0-1"})
    assert ask(port, target, fields=fields)[0] == status


def test_a_range_is_of_the_form_that_is_sent(ask: Ask, port: int) -> None:
    wanted = {"Range": "bytes=0-4", "Accept-Encoding": "zstd"}
    status, fields, body = ask(port, "/app.js", fields=wanted)
    assert (status, fields["content-range"], body) == (206, "bytes 0-4/10", b"coded")


def test_head_and_missing_files_know_no_ranges(ask: Ask, port: int) -> None:
    wanted = {"Range": "bytes=0-1"}
    assert ask(port, "/notes.txt", method="HEAD", fields=wanted)[0] == 200
    assert ask(port, "/missing", fields=wanted)[0] == 404
    assert ask(port, "/empty.txt", fields=wanted)[0] == 416
