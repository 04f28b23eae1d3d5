"""Fetching over HTTP, against a real server on loopback that misbehaves by script."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_server.errors import NetworkError, SourceTimeout
from doctrove_server.sources.fetch import Fetched, HttpFetch, Wanted

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 100_000


def get(url: str, *, timeout: float = 20, **wanted: Any) -> Fetched:
    async def once() -> Fetched:
        fetch = HttpFetch(timeout=timeout, max_body=LIMIT)
        try:
            return await fetch(Wanted(url=url, **wanted))
        finally:
            await fetch.aclose()

    return asyncio.run(once())


def test_a_body_comes_with_its_validators(scripted: Callable[[], Any], reply: Any) -> None:
    server = scripted()
    server.serve(reply(body=b"{}", headers={"etag": '"a"', "last-modified": "then"}))
    assert get(f"{server.url}/index.json") == Fetched(body=b"{}", etag='"a"', modified="then")
    path, headers = server.requests[0]
    assert path == "/index.json"
    assert headers["accept-encoding"] == "gzip"
    assert headers["user-agent"].startswith("doctrove/")
    assert "authorization" not in headers
    assert "if-none-match" not in headers


@pytest.mark.parametrize(
    ("validators", "header", "value"),
    [
        ({"etag": '"a"', "modified": "then"}, "if-none-match", '"a"'),
        ({"modified": "then"}, "if-modified-since", "then"),
    ],
    ids=["etag", "date"],
)
def test_a_copy_at_hand_is_asked_about(
    validators: dict[str, Any], header: str, value: str, scripted: Callable[[], Any], reply: Any
) -> None:
    server = scripted()
    server.serve(reply(status=304, headers={"etag": '"a"'}))
    assert get(server.url, **validators).body is None
    assert server.requests[0][1][header] == value


@pytest.mark.parametrize("status", [204, 400, 401, 403, 404, 410, 429, 500, 503, 304])
def test_any_other_status_is_a_network_error(
    status: int, scripted: Callable[[], Any], reply: Any
) -> None:
    server = scripted()
    server.serve(reply(status=status))
    if status == 204:
        assert get(server.url).body == b""
    else:
        with pytest.raises(NetworkError, match=f"HTTP {status}"):
            get(server.url)


@pytest.mark.parametrize("hang", ["headers", "body"])
def test_time_covers_the_whole_answer(hang: str, scripted: Callable[[], Any], reply: Any) -> None:
    server = scripted()
    server.serve(reply(body=b"x" * 1000, hang=hang))
    with pytest.raises(SourceTimeout, match=r"within 0\.3 seconds"):
        get(server.url, timeout=0.3)


def test_a_server_that_is_not_there_is_a_network_error(scripted: Callable[[], Any]) -> None:
    server = scripted()
    url = server.url
    server.close()
    with pytest.raises(NetworkError, match="Connect"):
        get(url)
    server.close = lambda: None


def test_redirects_are_followed_and_keep_credentials_at_home(
    scripted: Callable[[], Any], reply: Any
) -> None:
    home, abroad = scripted(), scripted()
    home.serve(
        reply(status=302, headers={"location": "/moved"}),
        reply(status=307, headers={"location": f"{abroad.url}/final"}),
    )
    abroad.serve(reply(body=b"{}"))
    assert get(f"{home.url}/index.json", authorization="Basic c2VjcmV0").body == b"{}"
    assert [headers.get("authorization") for _, headers in home.requests] == ["Basic c2VjcmV0"] * 2
    assert "authorization" not in abroad.requests[0][1]


def test_redirects_in_a_circle_end(scripted: Callable[[], Any], reply: Any) -> None:
    server = scripted()
    server.serve(reply(status=302, headers={"location": "/again"}))
    with pytest.raises(NetworkError, match="more than 5 redirects"):
        get(server.url)
    assert len(server.requests) == 6


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "gopher://h/", "http://", "", "http://h:x/"]
)
def test_redirects_elsewhere_are_refused(
    location: str, scripted: Callable[[], Any], reply: Any
) -> None:
    server = scripted()
    server.serve(reply(status=302, headers={"location": location}))
    with pytest.raises(NetworkError, match="redirect"):
        get(server.url)


def test_gzip_is_inflated(
    scripted: Callable[[], Any], reply: Any, zipped: Callable[[bytes], bytes]
) -> None:
    server = scripted()
    server.serve(reply(body=zipped(b'{"a": 1}'), headers={"content-encoding": "gzip"}))
    assert get(server.url).body == b'{"a": 1}'


@pytest.mark.parametrize("size", [LIMIT + 1, 50_000_000], ids=["a byte more", "a bomb"])
@pytest.mark.parametrize("compressed", [True, False], ids=["gzip", "plain"])
def test_an_index_above_the_limit_is_refused(
    size: int,
    compressed: bool,
    scripted: Callable[[], Any],
    reply: Any,
    zipped: Callable[[bytes], bytes],
) -> None:
    server = scripted()
    body = bytes(size)
    coding = {"content-encoding": "gzip"} if compressed else {}
    server.serve(reply(body=zipped(body) if compressed else body, headers=coding))
    with pytest.raises(NetworkError, match="larger than 100,000 bytes"):
        get(server.url)


@pytest.mark.parametrize("compressed", [True, False], ids=["gzip", "plain"])
def test_an_index_at_the_limit_is_taken(
    compressed: bool, scripted: Callable[[], Any], reply: Any, zipped: Callable[[bytes], bytes]
) -> None:
    server = scripted()
    body = bytes(LIMIT)
    coding = {"content-encoding": "gzip"} if compressed else {}
    server.serve(reply(body=zipped(body) if compressed else body, headers=coding))
    assert get(server.url).body == body


def test_a_wrong_or_cut_coding_is_a_network_error(
    scripted: Callable[[], Any], reply: Any, zipped: Callable[[bytes], bytes]
) -> None:
    server = scripted()
    coding = {"content-encoding": "gzip"}
    for body, said in ((b"plain", "not the gzip"), (zipped(b"x" * 500)[:-9], "ends too early")):
        server.serve(reply(body=body, headers=coding))
        with pytest.raises(NetworkError, match=said):
            get(server.url)
    server.serve(reply(body=b"x", headers={"content-encoding": "br"}))
    with pytest.raises(NetworkError, match="content coding"):
        get(server.url)


def test_a_body_shorter_than_announced_is_a_network_error(
    scripted: Callable[[], Any], reply: Any
) -> None:
    server = scripted()
    server.serve(reply(body=b"{", headers={"content-length": "10", "connection": "close"}))
    with pytest.raises(NetworkError):
        get(server.url, timeout=5)


def test_an_answer_that_is_slow_but_in_time_is_taken(
    scripted: Callable[[], Any], reply: Any
) -> None:
    server = scripted()
    server.serve(reply(body=b"{}", slow=0.3))
    assert get(server.url).body == b"{}"
