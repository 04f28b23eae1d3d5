"""The tools: their results, their texts, their errors, each channel complete alone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from doctrove_schema.model import Entry, Index, Volume
from doctrove_schema.writing import write_index
from doctrove_server.desk import Desk
from doctrove_server.errors import NetworkError, SourceTimeout, UnknownTool
from doctrove_server.instructions import INSTRUCTIONS
from doctrove_server.sources.address import read_address
from doctrove_server.sources.cache import TtlCache
from doctrove_server.sources.local import LocalSource, built_in_source
from doctrove_server.sources.remote import RemoteSource
from doctrove_server.sources.supply import Supply
from doctrove_server.tools.registry import TOOLS, call

if TYPE_CHECKING:
    from pathlib import Path

    from doctrove_server.errors import SourceError
    from doctrove_server.sources.fetch import Fetched, Wanted
    from doctrove_server.tools.answer import Answer


def still() -> float:
    return 0.0


def desk_of(
    path: Path | None, *, failing: SourceError | None = None, ttl: float = 600
) -> tuple[Desk, TtlCache[object]]:
    async def fetch(_wanted: Wanted, /) -> Fetched:
        assert failing is not None
        raise failing

    cache: TtlCache[object] = TtlCache(ttl=ttl, clock=still)
    remote = (
        RemoteSource(
            read_address("https://docs.example.org"), fetch=fetch, cache=cache, clock=still
        )
        if failing
        else None
    )
    local = LocalSource(path, label="local:index.json") if path else None
    supply = Supply(remote=remote, local=local, built_in=built_in_source(), log=lambda _text: None)
    return Desk(supply, profile="tiered", cache=cache, clock=still), cache


@pytest.fixture
def desk(index_file: Path) -> Desk:
    return desk_of(index_file)[0]


def ask(desk: Desk, tool: str, **arguments: object) -> Answer:
    answer = asyncio.run(call(desk, tool, arguments))
    jsonschema.validate(answer.data, TOOLS[tool].output)
    return answer


def good(desk: Desk, tool: str, **arguments: object) -> dict[str, Any]:
    answer = ask(desk, tool, **arguments)
    assert not answer.is_error, answer.text
    return answer.data


def test_lookup_returns_the_fields_of_the_seed(desk: Desk) -> None:
    assert good(desk, "catalog_lookup", query="express") == {
        "results": [
            {
                "id": "express",
                "name": "Express",
                "summary": "Web framework",
                "popularity": 1200,
                "versions": ["5.1.0", "5.2.0-rc.1", "4.21.2"],
                "latest": "5.1.0",
                "score": 1.0,
                "matches": ["exact name match"],
                "source": "local:index.json",
                "uri": "doctrove://express",
            }
        ],
        "total": 1,
        "sources": ["local:index.json"],
    }


def test_lookup_counts_before_the_limit_and_names_a_successor(desk: Desk) -> None:
    data = good(desk, "catalog_lookup", query="many express", limit=1)
    assert (data["total"], len(data["results"])) == (2, 1)
    assert good(desk, "catalog_lookup", query="many")["results"][0]["supersededBy"] == "express"


def test_a_lookup_that_finds_nothing_names_the_nearest(desk: Desk) -> None:
    answer = ask(desk, "catalog_lookup", query="exprss")
    assert not answer.is_error
    assert answer.data["results"] == []
    assert answer.data["nearest"] == "express"
    assert 'Did you mean "express"?' in answer.text


def test_the_text_of_a_lookup_says_what_its_structure_says(desk: Desk) -> None:
    text = ask(desk, "catalog_lookup", query="express").text
    for fact in (
        "Express",
        "`express`",
        "Web framework",
        "5.1.0",
        "4.21.2",
        "score 1 ",
        "local:index.json",
    ):
        assert fact in text
    assert "exact name match" in text
    assert "doc_extract" in text


def test_releases_returns_the_fields_of_the_seed(desk: Desk) -> None:
    data = good(desk, "catalog_releases", id="EXPRESSJS")
    assert {k: data[k] for k in ("id", "name", "latest", "versions", "source")} == {
        "id": "express",
        "name": "Express",
        "latest": "5.1.0",
        "versions": ["5.1.0", "5.2.0-rc.1", "4.21.2"],
        "source": "local:index.json",
    }
    assert [(r["version"], r["stable"], r["sections"]) for r in data["releases"]] == [
        ("5.1.0", True, 2),
        ("5.2.0-rc.1", False, 0),
        ("4.21.2", True, 1),
    ]
    text = ask(desk, "catalog_releases", id="express").text
    assert "- 5.1.0 (latest, 2 sections): Fifth line" in text
    assert "- 5.2.0-rc.1 (prerelease, 0 sections)" in text
    assert "- 4.21.2 (1 section, released 2024-12-05)" in text


def test_extract_returns_the_fields_of_the_seed(desk: Desk) -> None:
    data = good(desk, "doc_extract", id="express", version="5", focus="route parameters")
    assert {k: data[k] for k in data if k != "sections"} == {
        "id": "express",
        "name": "Express",
        "version": "5.1.0",
        "requested": "5",
        "versions": ["5.1.0", "5.2.0-rc.1", "4.21.2"],
        "releaseKind": "prefix",
        "releaseNote": "prefix match 5.x → latest 5.x release",
        "volumeSummary": "Fifth line",
        "total": 1,
        "omitted": [],
        "source": "local:index.json",
    }
    (section,) = data["sections"]
    assert section == {
        "id": "routing/route-parameters",
        "heading": "Route parameters",
        "body": "Named segments: `/users/:id`.",
        "path": "https://docs.example.org/routing#route-parameters",
        "trail": ["Routing"],
        "symbols": ["app.get"],
        "since": "5.0.0",
        "score": 1.0,
        "matches": ["heading hit: 2 words"],
        "uri": "doctrove://express/5.1.0/routing%2Froute-parameters",
    }


def test_the_text_of_an_extract_says_what_its_structure_says(desk: Desk) -> None:
    text = ask(desk, "doc_extract", id="express", version="5", focus="route parameters").text
    for fact in (
        "Express",
        "asked for 5, given 5.1.0 (prefix match 5.x → latest 5.x release)",
        "Documented: 5.1.0, 5.2.0-rc.1, 4.21.2. Source: local:index.json.",
        "> Fifth line",
        "## Route parameters",
        "section `routing/route-parameters`",
        "Routing",
        "score 1 (heading hit: 2 words)",
        "since 5.0.0",
        "https://docs.example.org/routing#route-parameters",
        "Named segments: `/users/:id`.",
    ):
        assert fact in text


@pytest.mark.parametrize(
    ("version", "given", "kind"),
    [
        (None, "5.1.0", "latest"),
        ("LATEST", "5.1.0", "latest"),
        ("  ", "5.1.0", "latest"),
        ("v5.1.0", "5.1.0", "exact"),
        ("5.1", "5.1.0", "prefix"),
        ("4.x", "4.21.2", "prefix"),
        ("5.2", "5.2.0-rc.1", "prefix"),
    ],
)
def test_a_version_is_selected(version: str | None, given: str, kind: str, desk: Desk) -> None:
    data = good(desk, "doc_extract", id="express", version=version)
    assert (data["version"], data["releaseKind"]) == (given, kind)


@pytest.mark.parametrize("focus", [None, "   "])
def test_without_a_focus_sections_come_in_their_order(focus: str | None, desk: Desk) -> None:
    data = good(desk, "doc_extract", id="many", focus=focus)
    assert [s["id"] for s in data["sections"]] == [f"topics/{n}" for n in range(6)]
    assert {(s["score"], *s["matches"]) for s in data["sections"]} == {(0,)}
    assert data["total"] == 40


def test_what_is_left_out_is_listed(desk: Desk) -> None:
    answer = ask(desk, "doc_extract", id="many", focus="common", maxSections=12)
    sections: Any = answer.data["sections"]
    assert len(sections) == 12
    omitted: Any = answer.data["omitted"]
    assert [one["id"] for one in omitted] == [f"topics/{n}" for n in range(12, 32)]
    assert "28 more sections not shown: Topic 12 (`topics/12`)" in answer.text
    assert "doctrove://%40scope%2Fmany/1.0.0/topics%2F12" in answer.text


def test_a_focus_that_matches_nothing_is_no_error_and_lists_the_headings(desk: Desk) -> None:
    answer = ask(desk, "doc_extract", id="express", focus="zzz")
    assert not answer.is_error
    assert answer.data["sections"] == []
    assert 'No section matches "zzz"' in answer.text
    assert "Route parameters; Wildcard routes" in answer.text
    empty = ask(desk, "doc_extract", id="express", version="5.2.0-rc.1", focus="zzz")
    assert "no sections" in empty.text


def test_a_blank_query_is_told_so_and_is_no_error(desk: Desk) -> None:
    answer = ask(desk, "catalog_lookup", query=" \t ")
    assert not answer.is_error
    assert (answer.data["total"], answer.data["results"]) == (0, [])
    assert answer.text.startswith("query is blank: give a library's name")
    assert "nearest" not in answer.data


@pytest.mark.parametrize("version", [" ", "\t\n ", "latest"])
def test_a_blank_version_is_the_latest(version: str, desk: Desk) -> None:
    answer = ask(desk, "doc_extract", id="express", version=version)
    assert (answer.data["version"], answer.data["releaseKind"]) == ("5.1.0", "latest")


def test_a_hint_names_a_library_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "index.json"
    kettles = [
        Entry(
            id=name,
            name=name,
            popularity=popularity,
            versions=("1.0",),
            volumes={"1.0": Volume(sections=())},
        )
        for name, popularity in (("pan", 1), ("kettle", 2))
    ]
    path.write_bytes(write_index(Index(entries=tuple(kettles))))
    desk, _ = desk_of(path)
    for tool, name in (
        ("doc_extract", "id"),
        ("catalog_releases", "id"),
        ("catalog_lookup", "query"),
    ):
        answer = ask(desk, tool)
        assert f'{tool}({{"{name}": "kettle"' in answer.text
        assert "express" not in answer.text


ERRORS: list[tuple[str, dict[str, Any], str, str]] = [
    ("catalog_lookup", {}, "validation", "Call it like this: catalog_lookup("),
    ("doc_extract", {"id": "express", "maxSections": 13}, "validation", "Call it like this"),
    ("doc_extract", {"id": "express", "version": ""}, "validation", "at least 1 character"),
    ("catalog_lookup", {"query": ""}, "validation", "at least 1 character"),
    (
        "catalog_releases",
        {"id": "exprss"},
        "not-found",
        'Did you mean "express"? Call catalog_lookup',
    ),
    ("doc_extract", {"id": "  "}, "not-found", "Call catalog_lookup"),
    ("doc_extract", {"id": "express", "version": "5.2.0"}, "version", "5.2.0-rc.1"),
    ("doc_extract", {"id": "express", "version": "9"}, "version", 'Use "latest"'),
    ("doc_extract", {"id": "express", "version": "^5"}, "version", "5.1.0"),
]


@pytest.mark.parametrize(("tool", "arguments", "code", "step"), ERRORS)
def test_an_error_carries_its_code_and_the_next_step_in_both_channels(
    tool: str, arguments: dict[str, object], code: str, step: str, desk: Desk
) -> None:
    answer = ask(desk, tool, **arguments)
    assert answer.is_error
    error: Any = answer.data["error"]
    assert error.keys() == {"code", "message"}
    assert error["code"] == code
    assert step in error["message"]
    assert not error["message"].startswith("[")
    assert answer.text == f"Error ({code}): {error['message']}"


@pytest.mark.parametrize(
    ("failing", "code"),
    [(NetworkError("HTTP 500"), "network"), (SourceTimeout("no answer"), "timeout")],
    ids=["network", "timeout"],
)
def test_what_only_the_missing_source_may_hold_is_not_called_unknown(
    failing: SourceError, code: str, index_file: Path
) -> None:
    desk, _ = desk_of(index_file, failing=failing)
    answer = ask(desk, "doc_extract", id="secret-lib")
    assert answer.text.startswith(f"Error ({code}): ")
    assert "remote:https://docs.example.org" in answer.text
    assert "Call again later" in answer.text
    known = ask(desk, "doc_extract", id="express")
    assert not known.is_error
    assert str(failing) in str(known.data["notices"])
    assert f"Note: remote:https://docs.example.org: {failing}" in known.text


def test_a_wrong_local_index_is_an_internal_error_that_says_where_to_look(tmp_path: Path) -> None:
    desk, _ = desk_of(tmp_path / "none.json")
    answer = ask(desk, "catalog_lookup", query="x")
    assert answer.text.startswith("Error (internal): ")
    assert "stands on its stderr" in answer.text
    assert str(tmp_path) not in answer.text


def test_an_unknown_tool_is_no_answer(desk: Desk) -> None:
    with pytest.raises(UnknownTool, match="The tools are catalog_lookup"):
        asyncio.run(call(desk, "shell", {}))


def test_answers_are_kept_and_failures_are_not(index_file: Path) -> None:
    desk, cache = desk_of(index_file)

    async def several() -> tuple[Answer, Answer]:
        first = await call(desk, "doc_extract", {"id": "express", "focus": "wildcard"})
        again = await call(desk, "doc_extract", {"focus": "wildcard", "id": "express", "x": 1})
        for _ in range(2):
            await call(desk, "doc_extract", {"id": "none"})
        return first, again

    first, again = asyncio.run(several())
    assert again is first
    assert (cache.stats.hits, cache.stats.misses, cache.stats.size) == (1, 3, 1)


def test_hostile_text_in_arguments_is_shortened_and_made_harmless(desk: Desk) -> None:
    for tool, arguments in (
        ("doc_extract", {"id": "\x1b[2J" + "a" * 10_000}),
        ("doc_extract", {"id": "express", "version": "9" * 10_000}),
        ("catalog_lookup", {"query": "z" * 100_000}),
        ("doc_extract", {"id": "express", "focus": "z" * 100_000}),
    ):
        text = ask(desk, tool, **arguments).text
        assert len(text) < 2_000
        assert "\x1b" not in text


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_tool_is_described_within_what_clients_keep(tool: Any) -> None:
    assert 100 < len(tool.description) < 2_000
    assert len(tool.name) <= 24
    assert tool.title
    jsonschema.Draft202012Validator.check_schema(tool.output)
    assert "$ref" not in str(tool.output)
    assert "required" not in tool.output


def test_the_instructions_fit_and_name_every_tool() -> None:
    assert len(INSTRUCTIONS) < 2_000
    assert all(name in INSTRUCTIONS for name in TOOLS)


def test_an_empty_catalogue_answers(tmp_path: Path) -> None:
    path = tmp_path / "index.json"
    path.write_text('{"format": "doctrove-index@1", "entries": []}')
    desk, _ = desk_of(path)
    assert good(desk, "catalog_lookup", query="x")["total"] == 0
    assert Index(entries=()).entries == ()
