from __future__ import annotations

import pytest

from doctrove_server.compression.facts import facts
from doctrove_server.compression.gists import gists
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
