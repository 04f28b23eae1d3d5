"""Every example of the documentation is what it says it is, by the code that reads such files."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import yaml

from doctrove_builder.assemble.rules import AssembleRule
from doctrove_builder.authoring import parse_mapping
from doctrove_builder.markdown import parse_page, render_section
from doctrove_builder.model import Document
from doctrove_builder.render.machine_views import PageDocument
from doctrove_builder.reporting import report
from doctrove_builder.site import SectionSource
from doctrove_builder.writing.manifest import Manifest
from doctrove_schema.catalog import split_index, write_catalog
from doctrove_schema.model import Index
from doctrove_schema.problem import Problem
from doctrove_schema.reading import read_index
from doctrove_schema.tokens import estimate_tokens
from doctrove_schema.versions import Scheme, VersionUnavailable, ordered, select
from doctrove_server.assembly import open_desk
from doctrove_server.compression.settings import CompressionSettings, read_settings
from doctrove_server.config import Settings, settings, unknown_keys
from doctrove_server.options import read_options
from doctrove_server.tools.registry import call

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from doctrove_builder.model import PageSource

Fence = tuple[str, str, str]
Fences = dict[str, list[Fence]]

SCHEMAS = {
    "doctrove.yaml": "doctrove",
    "library.yaml": "library",
    "volume.yaml": "volume",
    "1.0.0.yaml": "volume-file",
}


@pytest.fixture(scope="session")
def fences(pages: dict[str, str], fences_in: Callable[[str], list[Fence]]) -> Fences:
    return {page: fences_in(text) for page, text in pages.items()}


@pytest.fixture
def example(fences: Fences) -> Callable[[str, str], str]:
    """A function that returns the code block of a page with a title."""

    def found(page: str, title: str) -> str:
        return next(text for _, named, text in fences[page] if named == title)

    return found


def parsed(text: str, name: str) -> tuple[PageSource, tuple[Problem, ...]]:
    return parse_page(Document(path=name, text=text), path=name.removesuffix(".md"), split_level=2)


def test_every_yaml_example_is_valid_by_the_schema_of_its_name(fences: Fences) -> None:
    checked = 0
    for page, listed in fences.items():
        for language, title, text in listed:
            if language != "yaml" or title.startswith(".github"):
                continue
            schema = SCHEMAS[title.rpartition("/")[2]]
            mapping, problems = parse_mapping(text, source=f"{page} {title}", schema=schema)
            assert mapping, f"{page} {title}"
            assert problems == ()
            checked += 1
    assert checked > 10


def test_every_json_example_is_json_and_says_what_it_is(fences: Fences) -> None:
    listed = [(page, *fence) for page, found in fences.items() for fence in found]
    examples = [(page, title, text) for page, lang, title, text in listed if lang == "json"]
    for _, _, text in examples:
        json.loads(text)
    untitled = [page for page, title, _ in examples if not title]
    assert untitled == ["publishing/building.md"]
    assert len(examples) > 8


def test_every_markdown_example_is_a_page_without_problems(fences: Fences) -> None:
    checked = 0
    for page, listed in fences.items():
        for language, title, text in listed:
            if language == "markdown":
                source, problems = parsed(text, title)
                assert source.passages, f"{page} {title}"
                assert problems == (), f"{page} {title}"
                checked += 1
    assert checked > 15


@pytest.mark.parametrize(
    ("title", "pattern", "times"),
    [
        ("basics.md", r"<s>|<table>|class=\"task\"|<dl>|class=\"footnotes\"", 6),
        ("code.md", r'class="title"', 3),
        ("code.md", r'class="hll"', 5),
        ("code.md", r'class="lang">(?:Python|TypeScript|Bash)', 4),
        ("admonitions.md", r'class="admonition warning"', 6),
        ("folding.md", r"<details", 4),
        ("tabs.md", r'class="tab"', 4),
        ("math.md", r'class="math"', 2),
        ("html.md", r"<kbd>|<table>", 3),
    ],
)
def test_the_markup_of_every_dialect_is_understood(
    example: Callable[[str, str], str], title: str, pattern: str, times: int
) -> None:
    source, _ = parsed(example("authoring/markdown.md", title), title)
    html = "".join(render_section(SectionSource(body=part.body)) for part in source.passages)
    assert len(re.findall(pattern, html)) == times, html


def test_the_ids_in_the_table_are_those_that_headings_get(below: Callable[[str, str], str]) -> None:
    rows = re.findall(
        r"^\| `## (.+)` \| `requests/(.+)` \|$", below("authoring/pages.md", "ids"), re.MULTILINE
    )
    assert len(rows) == 4
    for heading, anchor in rows:
        source, _ = parsed(f"## {heading}\n\nText.\n", "requests.md")
        assert source.passages[0].heading.anchor == anchor


def test_the_symbols_of_the_example_are_those_that_its_sections_get(
    example: Callable[[str, str], str],
) -> None:
    source, _ = parsed(example("authoring/pages.md", "acme/1.0.0/cache.md"), "cache.md")
    symbols = {part.heading.anchor: part.symbols for part in source.passages}
    assert symbols == {"cachesize": ("Cache",), "empty": ("Cache.clear",)}


@pytest.mark.parametrize("anchor", ["semver", "pep440"])
def test_versions_stand_in_the_order_that_is_said(
    below: Callable[[str, str], str], fences_in: Callable[[str], list[Fence]], anchor: str
) -> None:
    (_, _, text), *_ = fences_in(below("agents/versions.md", anchor))
    versions = text.split()
    assert len(versions) > 5
    assert ordered(versions[::-1], Scheme(anchor)) == tuple(versions)


def test_requests_select_what_the_table_says(below: Callable[[str, str], str]) -> None:
    text = below("agents/versions.md", "selection")
    listed = next(line for line in text.splitlines() if line.endswith(" listed:"))
    versions = re.findall(r"`([^`]+)`", listed)
    rows: list[tuple[str, str, str]] = re.findall(
        r"^\| `([^`]+)` \| (\S+) \| (.+) \|$", text, re.MULTILINE
    )
    assert len(rows) == 7
    for request, given, note in rows:
        assert answered(request, versions, note=note) == (given, note)


def answered(request: str, versions: list[str], *, note: str) -> tuple[str, str]:
    """Return what the table should say; of a refusal's nearest versions as many as `note` names."""
    try:
        selection = select(request, versions, Scheme.SEMVER)
    except VersionUnavailable as error:
        head, nearest, named = note.rpartition("nearest: ")
        shown = ", ".join(error.nearest[: named.count(",") + 1])
        return "refused", f"{head}{nearest}{shown}" if nearest else error.reason
    return selection.version, selection.note


def test_the_example_index_is_valid_and_its_hash_and_tokens_are_right(
    example: Callable[[str, str], str],
) -> None:
    reading = read_index(example("reference/formats.md", "index.json").encode(), name="the example")
    assert reading.warnings == ()
    section = reading.index.entries[0].volumes["1.0.0"].sections[0]
    assert section.sha256 == hashlib.sha256(section.body.encode()).hexdigest()
    assert section.tokens == estimate_tokens(section.body)


def test_the_example_catalogue_is_that_of_the_example_index(
    example: Callable[[str, str], str],
) -> None:
    index = msgspec.json.decode(example("reference/formats.md", "index.json"), type=Index)
    catalog, _ = split_index(index)
    assert json.loads(write_catalog(catalog)) == json.loads(
        example("reference/formats.md", "catalog.json")
    )


def test_the_block_of_the_context_memory_shows_the_defaults(
    example: Callable[[str, str], str],
) -> None:
    file = json.loads(example("agents/context-memory.md", "doctrove-server.json with a memory"))
    assert read_settings(file["mcp"]) == CompressionSettings()
    assert json.loads(msgspec.json.encode(CompressionSettings())) == file["mcp"]
    assert unknown_keys(file, path="file") == ()


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("index.json", Index),
        ("manifest.json", Manifest),
        ("acme/1.0.0/errors/index.json", PageDocument),
    ],
)
def test_the_examples_of_formats_are_of_their_format(
    example: Callable[[str, str], str], title: str, kind: type[msgspec.Struct]
) -> None:
    text = example("reference/formats.md", title)
    decoded = msgspec.json.decode(text, type=kind)
    assert json.loads(msgspec.json.encode(decoded)) == json.loads(text)


def test_problems_as_json_look_like_the_example(fences: Fences) -> None:
    (text,) = (text for language, _, text in fences["publishing/building.md"] if language == "json")
    (said,) = json.loads(text)["problems"]
    problem = Problem(
        rule=AssembleRule.BROKEN_LINK,
        source=said["file"].removeprefix("authoring/"),
        line=said["line"],
        column=said["column"],
        message=said["message"],
        hint=said["hint"],
    )
    assert json.loads(report([problem], format="json", texts={}, root="authoring")) == json.loads(
        text
    )


@pytest.mark.parametrize(
    ("title", "tool", "arguments"),
    [
        ("answer of catalog_lookup", "catalog_lookup", {"query": "express"}),
        ("an error", "doc_extract", {"id": "expres"}),
    ],
)
def test_the_server_answers_as_in_the_examples(
    example: Callable[[str, str], str], title: str, tool: str, arguments: dict[str, Any]
) -> None:
    assert answer(tool, arguments) == json.loads(example("agents/mcp-server.md", title))


def test_the_arguments_of_the_example_are_answered(example: Callable[[str, str], str]) -> None:
    data = answer(
        "doc_extract", json.loads(example("agents/mcp-server.md", "arguments of doc_extract"))
    )
    assert data["version"] == "4.21.2"
    assert data["sections"]


def test_an_answer_within_a_budget_is_shortened_and_says_what_is_left_out(
    example: Callable[[str, str], str],
) -> None:
    title = "arguments of doc_extract within a budget"
    arguments = json.loads(example("agents/mcp-server.md", title))
    data = answer("doc_extract", arguments)
    assert data["tokenBudget"] == arguments["tokenBudget"]
    assert data["sections"]
    assert data["omitted"]


def answer(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    desk, _ = open_desk(Settings(), log=lambda _: None)
    return asyncio.run(call(desk, tool, arguments)).data


def test_client_configurations_start_the_server_with_options_that_it_has(fences: Fences) -> None:
    lines: list[list[str]] = []
    for _, title, text in (*fences["agents/mcp-server.md"], *fences["getting-started.md"]):
        if title in {"mcpServers", ".vscode/mcp.json"}:
            (servers,) = json.loads(text).values()
            lines += [[server["command"], *server["args"]] for server in servers.values()]
    assert len(lines) == 3
    for command, *arguments in lines:
        assert command == "doctrove-server"
        assert read_options(arguments).flags


def test_the_configuration_file_of_the_server_is_accepted(
    example: Callable[[str, str], str],
) -> None:
    file = json.loads(example("agents/mcp-server.md", "doctrove-server.json"))
    assert unknown_keys(file, path="file") == ()
    chosen = settings(flags={}, env={}, file=file, path="file")
    assert (chosen.cache_ttl, chosen.ranking) == (file["cacheTtl"], file["ranking"])


def test_the_workflow_to_copy_is_the_one_that_publishes_these_pages(
    root: Path, example: Callable[[str, str], str]
) -> None:
    copied = yaml.safe_load(example("publishing/publishing.md", ".github/workflows/pages.yml"))
    ours = yaml.safe_load((root / ".github" / "workflows" / "pages.yml").read_text("utf-8"))
    steps: list[dict[str, Any]] = ours["jobs"]["build"]["steps"]
    own = [step for step in steps if str(step.get("run", "")).startswith(("make", "echo"))]
    assert own
    kept = [step for step in steps if step not in own]
    kept.insert(steps.index(own[0]), {"run": "pip install doctrove"})
    ours["jobs"]["build"]["steps"] = kept
    kept[1]["with"].pop("cache")
    assert copied == ours
