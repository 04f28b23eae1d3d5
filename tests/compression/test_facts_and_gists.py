from __future__ import annotations

import re

import pytest

from doctrove_server.compression.facts import facts
from doctrove_server.compression.gists import gists
from doctrove_server.compression.phrases import phrase_of
from doctrove_server.compression.segmentation import segment


def stated(markdown: str) -> list[str]:
    return [fact.text for fact in facts(segment(markdown))]


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        pytest.param(
            "### server.port\n\n- **Type:** `number`\n- **Default:** `5173`",
            ["server.port type: `number`", "server.port default: `5173`"],
            id="labelled items",
        ),
        pytest.param(
            "- `port`: Where it listens.", ["`port`: Where it listens."], id="definition item"
        ),
        pytest.param(
            "- `wait` (seconds): How long.",
            ["`wait` type: seconds", "`wait`: How long."],
            id="definition item with a type",
        ),
        pytest.param(
            "| Option | Default |\n|--|--|\n| `a` | `1` |\n| `b` | - |",
            ["`a` default: `1`"],
            id="rows with their heads",
        ),
        pytest.param("`retries` defaults to `3`.", ["`retries` default: `3`"], id="defaults to"),
        pytest.param(
            "### timeout\n\nBy default `30` is used.",
            ["timeout default: `30`"],
            id="by default, of the heading",
        ),
        pytest.param("`parse` throws a `ZodError`.", ["`parse` raises: `ZodError`"], id="throws"),
        pytest.param("`find` returns a `Promise`.", ["`find` returns: `Promise`"], id="returns"),
        pytest.param("### walk\n\nAdded in version 8.1.", ["walk since: 8.1"], id="since"),
        pytest.param("`echo` was removed in 3.0.", ["`echo` removed: 3.0"], id="removed"),
        pytest.param(
            "`old` is deprecated since v2.1.", ["`old` deprecated: v2.1"], id="deprecated"
        ),
        pytest.param(
            "```ts\nfunction f(a: string): void\n```",
            ["f signature: `function f(a: string): void`"],
            id="signature",
        ),
        pytest.param(
            "Set the environment variable `APP_PORT` first.",
            ["APP_PORT environment variable: Set the environment variable `APP_PORT` first."],
            id="environment variable",
        ),
        pytest.param(
            "`name` has at most 50 characters.", ["`name` limit: at most 50 characters"], id="limit"
        ),
        pytest.param("Nothing is stated here.", [], id="nothing"),
        pytest.param(
            "### Serving\n\nIt serves `/mcp`; the default is `127.0.0.1:8731`.",
            ["Serving default: `127.0.0.1:8731`"],
            id="a path has no default",
        ),
        pytest.param("- `HOST` - come from the environment", [], id="half a sentence"),
        pytest.param(
            "* `tax: float = 10.5` has a default of `10.5`.",
            ["`tax` default: `10.5`"],
            id="a declaration is about its name",
        ),
        pytest.param(
            "`name: Union[str, None] = None` (or `str | None = None`) has a default of `None`.",
            ["`name` default: `None`"],
            id="a type is no subject",
        ),
        pytest.param("- `tax: float`: What is due.", ["`tax`: What is due."], id="a typed item"),
        pytest.param(
            "### Errors\n\nSo `x instanceof Error` returns `false`.", [], id="an expression alone"
        ),
        pytest.param("By default `30` is used.", [], id="no subject"),
        pytest.param("- **Type:** `number`", [], id="a label without a heading"),
        pytest.param("### Run\n\nWe are not raising an `AuthError`.", [], id="a denial"),
        pytest.param("`get` never returns a `None`.", [], id="another denial"),
        pytest.param(
            "### Run\n\nInstead of raising an `AuthError`, `get` returns a `Reply`.",
            ["`get` returns: `Reply`"],
            id="what is done instead",
        ),
        pytest.param(
            "### Run\n\nIt does not retry, and raises an `AuthError`.",
            ["Run raises: `AuthError`"],
            id="a denial of something else",
        ),
    ],
)
def test_facts_are_found_by_their_form(markdown: str, expected: list[str]) -> None:
    assert stated(markdown) == expected


def test_a_fact_that_is_stated_twice_is_one() -> None:
    assert stated("- `a`: x\n\nText.\n\n- `a`: x") == ["`a`: x"]


def test_what_a_fact_says_stands_in_its_unit(section: str) -> None:
    units = segment(section)
    for fact in facts(units):
        assert fact.value.strip("`\u2026") in units[fact.unit].text.replace("\n", " ")


def test_gists_are_phrases_of_two_to_five_words_with_names_first(section: str) -> None:
    phrases = gists(segment(section), count=10)
    assert 5 <= len(phrases) <= 10
    assert all(2 <= len(phrase.split()) <= 5 for phrase in phrases)
    assert phrases[0] == "`port` default `8730`"
    assert len({phrase.lower() for phrase in phrases}) == len(phrases)


def test_gists_are_as_many_as_asked_for(story: str) -> None:
    assert [len(gists(segment(story), count=count)) for count in (0, 1, 3)] == [0, 1, 3]


def test_gists_of_real_sections_hold_a_name_where_there_is_one(
    real_sections: tuple[str, ...],
) -> None:
    found = [gists(segment(text), count=10) for text in real_sections]
    named = sum(
        any("`" in phrase or "." in phrase or "_" in phrase for phrase in phrases)
        for phrases in found
    )
    assert named > 0.6 * len(found)


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("Works with Express 4 and gone from 5.", "and gone"),
        ("It matches `*` and in strings.", "and in"),
        ("A `Date` becomes a string.", "becomes"),
        ("Set `code` and name it.", "and name"),
    ],
)
def test_gists_end_neither_at_a_verb_nor_at_what_and_begins(text: str, bad: str) -> None:
    found = gists(segment(text), count=10)
    assert not [phrase for phrase in found if phrase.endswith(bad) or f"{bad} " in phrase]


@pytest.mark.parametrize(
    ("text", "bad", "good"),
    [
        ("The API no longer accepts unsafe integers.", "longer accepts", "no longer accepts"),
        ("Since then the API no longer takes `a_b`.", "API no longer ", ""),
        (
            "It does not support the `auth` parameter.",
            "support the `auth`",
            "does not support the `auth`",
        ),
        ("Node 12 is not supported anymore.", "supported anymore", "not supported anymore"),
        ("It doesn't block the event loop.", "block the event", "doesn't block the event"),
        ("We are not raising an `HTTPException`.", "raising an", "not raising an"),
        ("We aren't optimizing specifically for users.", "optimizing", ""),
        ("You probably won't need `foo_bar`.", "probably won't ", "won't need `foo_bar`"),
        ("Avoid using `parse_all` in loops.", "using `parse_all`", "Avoid using `parse_all`"),
        ("It works without `Option.a`.", "works with ", "works without `Option.a`"),
        ("It does not validate, parse or log user names.", "log user names", ""),
        ("Rich text is shown, except in plain mode.", "text is shown", ""),
        ("It cannot open raw sockets.", "open raw sockets", "cannot open raw sockets"),
        ("Raw sockets are neither opened nor closed.", "Raw sockets are", ""),
        ("Only trusted hosts are called.", "trusted hosts", "Only trusted hosts"),
        ("`old_way` is deprecated.", "", "`old_way` is deprecated"),
        ("Open raw sockets. Never open raw sockets.", "Open raw sockets", ""),
    ],
)
def test_no_gist_says_the_opposite(text: str, bad: str, good: str) -> None:
    """A phrase holds what denies it, or is none."""
    found = gists(segment(text), count=10)
    for phrase in found:
        assert not bad or not f"{phrase} ".startswith(bad), phrase
    assert not good or any(good in phrase for phrase in found), found


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("The *path operation decorator* parameter is `status_code`.", "*"),
        ('It runs inside a "hot loop of calls" for `x_y`.', '"'),
        ("It shows an example by using `async with` inside `main_loop`.", "using inside"),
        ("Tutorial - `User_Guide` - intro", " -"),
        ("See the 'old way of doing' in `x_y` now.", "'"),
    ],
)
def test_no_gist_is_damaged(text: str, bad: str) -> None:
    for phrase in gists(segment(text), count=10):
        assert f"{bad} " not in f"{phrase} " or phrase.count(bad) == 2, phrase


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It does not validate the input, log `x_y` values.", "`x_y`"),
        ("It does not log `x_y` values.", "does not log `x_y` values"),
        ("It never parses it, it logs names of x_y.", ""),
        ("It is slow. It logs names of x_y.", "logs names of x_y"),
    ],
    ids=["denied in the clause before", "denied in its own", "no code", "another sentence"],
)
def test_no_phrase_of_a_summary_says_the_opposite(text: str, expected: str) -> None:
    assert phrase_of(text, said="") == expected


def _bare(text: str) -> str:
    return " ".join(re.sub(r"[*_]", "", text).split())


def test_gists_of_real_sections_stand_there_and_are_not_denied(
    real_sections: tuple[str, ...],
) -> None:
    denied = re.compile(
        r"(?:\b(?:not|no|never|cannot|without|only|neither|nor|unless|except|avoid|instead)"
        r"|n't)(?: \S+)? $",
        re.IGNORECASE,
    )
    for section in real_sections:
        units = segment(section)
        text = " \n ".join(_bare(unit.text) for unit in units)
        stated = {f"{fact.key} {fact.value}" for fact in facts(units)}
        for phrase in gists(units, count=10):
            if phrase in stated:
                continue
            places = [found.start() for found in re.finditer(re.escape(_bare(phrase)), text)]
            assert places, phrase
            assert not [at for at in places if denied.search(text[max(0, at - 40) : at])], phrase
