"""Addresses, completions and the prompt."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from doctrove_server import prompt, resources
from doctrove_server.completions import MAX_VALUES, complete
from doctrove_server.desk import Desk
from doctrove_server.errors import InvalidArguments, UnknownResource
from doctrove_server.sources.cache import TtlCache
from doctrove_server.sources.local import LocalSource, built_in_source
from doctrove_server.sources.supply import Supply

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(index_file: Path) -> Desk:
    cache: TtlCache[object] = TtlCache(ttl=0, clock=lambda: 0.0)
    supply = Supply(
        remote=None,
        local=LocalSource(index_file, label="local:index.json"),
        built_in=built_in_source(),
        log=lambda _text: None,
    )
    return Desk(supply, profile="tiered", cache=cache, clock=lambda: 0.0)


def read(desk: Desk, uri: str) -> str:
    return asyncio.run(resources.read(desk, uri))


@pytest.mark.parametrize(
    ("uri", "facts"),
    [
        ("doctrove://catalog", ["2 libraries", "[Many](doctrove://%40scope%2Fmany)", "Express"]),
        ("doctrove://express", ["# Express", "5.1.0", "4.21.2"]),
        ("doctrove://EXPRESS/", ["# Express"]),
        ("doctrove://%40scope%2Fmany", ["# Many", "Superseded by `express`"]),
        ("doctrove://express/latest", ["# Express 5.1.0", "Routing > Route parameters"]),
        ("doctrove://express/4", ["# Express 4.21.2", "1 section."]),
        (
            "doctrove://express/5.1.0/routing%2Froute-parameters",
            ["# Route parameters", "Named segments", "Original: https://docs.example.org/routing"],
        ),
        ("doctrove://express/5/routing/route-parameters", ["# Route parameters"]),
    ],
)
def test_an_address_is_read_as_markdown(uri: str, facts: list[str], desk: Desk) -> None:
    text = read(desk, uri)
    for fact in facts:
        assert fact in text


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("doctrove://none", "no library goes by"),
        ("doctrove://express/9", "unavailable"),
        ("doctrove://express/5.1.0/routing%2Froute-paramters", "routing/route-parameters"),
        (
            "doctrove://express/latest/../..",
            r'^Express 5\.1\.0 has no section "\.\./\.\."\. Read doctrove://express/5\.1\.0 for',
        ),
        (
            "doctrove://express/5/routing%2Froute-paramters",
            r'has no section "routing/route-paramters"\. Did you mean "routing/route-p\w+"\? Read',
        ),
        ("doctrove://express/5/a%0Ab", 'has no section "a\ufffdb"'),
        ("doctrove://", "empty part"),
        ("doctrove:///5", "empty part"),
        ("https://express", "begins with doctrove://"),
        ("", "begins with doctrove://"),
    ],
)
def test_an_address_of_nothing_says_what_to_read(uri: str, said: str, desk: Desk) -> None:
    with pytest.raises(UnknownResource, match=said) as error:
        read(desk, uri)
    assert error.value.uri == uri


def test_every_link_of_the_contents_leads_to_its_section(desk: Desk) -> None:
    contents = read(desk, "doctrove://many/1.0.0")
    links = [line.rpartition("(")[2].rstrip(")") for line in contents.splitlines() if "](" in line]
    assert len(links) == 40
    for number, link in enumerate(links):
        assert f"# Topic {number}\n" in read(desk, link)


@pytest.mark.parametrize(
    ("argument", "typed", "known", "values"),
    [
        ("id", "", {}, ("express", "@scope/many")),
        ("id", "EXPR", {}, ("express",)),
        ("id", "man", {}, ("@scope/many",)),
        ("library", "expressj", {}, ("express",)),
        ("id", "zzz", {}, ()),
        ("version", "", {"id": "express"}, ("latest", "5.2.0-rc.1", "5.1.0", "4.21.2")),
        ("version", "5", {"id": "express"}, ("5.2.0-rc.1", "5.1.0")),
        ("version", "4", {"library": "express"}, ("4.21.2",)),
        ("version", "", {}, ()),
        ("section", "routing/r", {"id": "express"}, ("routing/route-parameters",)),
        ("section", "", {"id": "express", "version": "4"}, ("routing/wildcard-routes",)),
        ("section", "", {"id": "express", "version": "77"}, ()),
        ("task", "x", {}, ()),
    ],
)
def test_what_was_typed_is_completed(
    argument: str, typed: str, known: dict[str, str], values: tuple[str, ...], desk: Desk
) -> None:
    catalog = asyncio.run(desk.catalog())
    found = complete(catalog, argument, typed, known)
    assert found.values == values
    assert found.total == len(values)
    assert len(found.values) <= MAX_VALUES


def test_the_prompt_fills_in_what_was_given() -> None:
    filled = prompt.text({"library": "Express", "task": "An endpoint", "version": "5.1"})
    assert "with Express" in filled
    assert 'version "5.1"' in filled
    assert "The task: An endpoint" in filled
    assert "lockfile" in prompt.text({"library": "Express"})


def test_the_prompt_needs_a_library() -> None:
    with pytest.raises(InvalidArguments, match="library"):
        prompt.text({"task": "x"})
