"""Addresses of remote indexes: what they may be, what they show, where redirects may lead."""

from __future__ import annotations

import pytest

from doctrove_server.errors import NetworkError
from doctrove_server.sources.address import MAX_REDIRECTS, read_address, redirected, same_origin


@pytest.mark.parametrize(
    ("text", "url", "label"),
    [
        ("https://h.example", "https://h.example/index.json", "remote:https://h.example"),
        ("https://h.example///", "https://h.example/index.json", "remote:https://h.example"),
        ("http://h:8730/docs/", "http://h:8730/docs/index.json", "remote:http://h:8730/docs"),
        ("https://h/d/index.json", "https://h/d/index.json", "remote:https://h/d"),
        ("https://h/d?key=s3cret", "https://h/d/index.json?key=s3cret", "remote:https://h/d"),
        ("HTTPS://H.example/D", "https://h.example/D/index.json", "remote:https://h.example/D"),
        ("http://[::1]:80/x", "http://[::1]:80/x/index.json", "remote:http://[::1]:80/x"),
    ],
)
def test_an_address_names_its_index_and_shows_no_query(text: str, url: str, label: str) -> None:
    address = read_address(text)
    assert address.url() == url
    assert address.label == label
    assert address.authorization == ""


def test_credentials_become_a_header_and_are_shown_nowhere() -> None:
    address = read_address("https://me:p%40ss@h.example/docs")
    assert address.authorization == "Basic bWU6cEBzcw=="
    assert "me" not in address.url()
    assert "ss@" not in address.label


@pytest.mark.parametrize(
    "text",
    [
        "",
        "h.example",
        "ftp://h",
        "file:///etc",
        "javascript:alert(1)",
        "https://",
        "https:///x",
        "https://h/#f",
        "http://h:x",
        "http://h\n",
        "http://h h",
        "http://h:99999",
        "http://[",
    ],
)
def test_what_is_no_http_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="it "):
        read_address(text)


@pytest.mark.parametrize(
    ("url", "location", "expected"),
    [
        ("http://h/a/index.json", "/b", "http://h/b"),
        ("http://h/a/index.json", "other.json?x=1", "http://h/a/other.json?x=1"),
        ("http://h/a", "https://cdn.example/b", "https://cdn.example/b"),
        ("https://h/a", "//cdn.example/b", "https://cdn.example/b"),
        ("https://h/a", "https://u:p@cdn.example/b", "https://cdn.example/b"),
    ],
)
def test_a_redirect_to_http_is_followed(url: str, location: str, expected: str) -> None:
    assert redirected(url, location, hops=0) == expected


@pytest.mark.parametrize(
    ("url", "location", "hops"),
    [
        ("https://h/a", "http://h/a", 0),
        ("https://h/a", "ftp://h/a", 0),
        ("https://h/a", "file:///etc/passwd", 0),
        ("https://h/a", "javascript:x", 0),
        ("https://h/a", "", 0),
        ("https://h/a", "https://h:bad/", 0),
        ("https://h/a", "https://[", 0),
        ("https://h/a", "/b", MAX_REDIRECTS),
    ],
)
def test_any_other_redirect_is_refused(url: str, location: str, hops: int) -> None:
    with pytest.raises(NetworkError, match="redirect"):
        redirected(url, location, hops=hops)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://h/a", "https://h:443/b", True),
        ("https://h/a", "http://h/a", False),
        ("https://h/a", "https://h2/a", False),
        ("http://h:8000/a", "http://h:8001/a", False),
    ],
)
def test_an_origin_is_scheme_host_and_port(one: str, other: str, same: bool) -> None:
    assert same_origin(one, other) is same
