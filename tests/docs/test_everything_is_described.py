"""What there is stands in the documentation: rules, options, settings, keys, limits, names."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from doctrove_builder.authoring import tree, yaml_reading
from doctrove_builder.authoring.ignored import IGNORED
from doctrove_builder.authoring.schema_check import MAX_TOLD
from doctrove_builder.cli import watch
from doctrove_builder.cli.import_options import import_parser
from doctrove_builder.cli.options import build_parser
from doctrove_builder.importing import fetching
from doctrove_builder.importing.kinds import load_kind
from doctrove_builder.importing.lockfiles.reading import OPTIONS as LOCK_OPTIONS
from doctrove_builder.importing.openapi import grouping
from doctrove_builder.markdown import limits as markdown_limits
from doctrove_builder.markdown.kinds import STYLE_OF
from doctrove_builder.render import look as render_look
from doctrove_builder.render import meter
from doctrove_builder.render.environment import POLICY, make_environment
from doctrove_builder.render.look import make_look
from doctrove_builder.render.machine_views import PageDocument, PageEntry
from doctrove_builder.render.views import Link, PageView, Shell
from doctrove_builder.writing.manifest import FileEntry, Manifest
from doctrove_schema import catalog, model
from doctrove_schema.problem import Rule
from doctrove_schema.schemas import schema_text
from doctrove_server import config, errors, prompt, resources
from doctrove_server.compression import completing
from doctrove_server.compression.aging import BUCKETS
from doctrove_server.compression.memory.tools import CONTEXT_TOOLS
from doctrove_server.compression.packing import DETAILS
from doctrove_server.host.cli import host_parser
from doctrove_server.host.encodings import SUFFIXES
from doctrove_server.host.limits import Limits
from doctrove_server.options import server_parser
from doctrove_server.ranking.sections import PROFILES
from doctrove_server.sources import fetch
from doctrove_server.sources.cache import MAX_ENTRIES
from doctrove_server.sources.remote import COOLDOWN
from doctrove_server.tools.registry import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[2]
PARSERS = {
    "doctrove-build": build_parser,
    "doctrove-host": host_parser,
    "doctrove-import": import_parser,
    "doctrove-server": server_parser,
    "doctrove-watch": watch.watch_parser,
}


def missing(words: Iterable[str], text: str) -> list[str]:
    """Return the words that no code span of a text begins with."""
    spans = re.findall(r"`` ?(.+?) ?``|`([^`\n]+)`", text)
    known = {span for found in spans for span in found if span}
    known |= {re.split(r"[\s(=\[]", span)[0] for span in known}
    return sorted(word for word in words if word not in known)


def options_of(command: str) -> set[str]:
    parser = PARSERS[command]()
    actions = parser._actions  # pyright: ignore[reportPrivateUsage] - argparse has no public list
    return {option for action in actions for option in action.option_strings}


def keys_in(schema: str) -> set[str]:
    """Return the names of all properties in a JSON Schema."""
    names: set[str] = set()

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        names.update(made.get("properties", ()))
        return made

    json.loads(schema, object_pairs_hook=collect)
    return names


def described_structs(*structs: type[msgspec.Struct]) -> set[str]:
    return {field.encode_name for struct in structs for field in msgspec.structs.fields(struct)}


def test_every_rule_has_its_section_and_is_linked_to(pages: dict[str, str]) -> None:
    page = pages["reference/problems.md"]
    rules = [rule.value for kind in Rule.__subclasses__() for rule in kind]
    assert len(rules) > 50
    for code in rules:
        assert f"\n## {code}\n" in page
        assert f"[{code}](#{code})" in page


def test_every_option_is_explained_beyond_its_help(pages: dict[str, str]) -> None:
    prose = "".join(text for page, text in pages.items() if page != "reference/commands.md")
    for command in PARSERS:
        long = {option for option in options_of(command) if option.startswith("--")}
        assert missing(long - {"--help", "--version"}, prose) == [], command


def test_no_page_names_an_option_that_no_command_has(pages: dict[str, str], root: Path) -> None:
    texts = [*pages.values(), (root / "README.md").read_text("utf-8")]
    every = {option for command in PARSERS for option in options_of(command)}
    lines = [line for text in texts for line in text.splitlines()]
    for line in lines:
        for span in re.findall(r"`(--[a-z][a-z-]*)", line):
            assert span in every, line
        for command, rest in re.findall(r"\b(doctrove-[a-z]+)((?: [^`|#\n]*)?)", line):
            if command in PARSERS:
                used = re.findall(r"(?<=\s)(--[a-z][a-z-]*)", rest)
                assert set(used) <= options_of(command), line


def test_every_key_of_the_authoring_format_is_described(pages: dict[str, str]) -> None:
    for name, described in (
        ("doctrove", ("authoring/tree.md", "authoring/importing.md")),
        ("library", ("authoring/libraries.md",)),
        ("volume", ("authoring/volumes.md",)),
        ("volume-file", ("authoring/volumes.md",)),
        ("page", ("authoring/pages.md",)),
    ):
        text = "".join(pages[page] for page in described)
        assert missing(keys_in(schema_text(name)), text) == [], name


@pytest.mark.parametrize("name", ["openapi", "llms-txt", "devdocs", "index"])
def test_every_option_of_a_kind_is_described(pages: dict[str, str], name: str) -> None:
    section = pages["authoring/importing-formats.md"].partition(f"{{#{name}}}")[2]
    options = [option.name for option in load_kind(name).options]
    assert missing(options, section.partition("\n## ")[0]) == []


def test_every_option_of_a_lock_file_is_described(pages: dict[str, str]) -> None:
    options = [option.name for option in LOCK_OPTIONS]
    assert missing(options, pages["authoring/importing-locked.md"]) == []


def test_every_key_of_the_coverage_report_and_the_lock_is_described(pages: dict[str, str]) -> None:
    page = pages["authoring/importing.md"]
    shown = set(re.findall(r'"(\w+)":', page))
    keys = keys_in(schema_text("coverage")) | keys_in(schema_text("lock"))
    assert missing(keys - shown, page) == []


def test_every_ignored_name_is_listed(pages: dict[str, str]) -> None:
    shown = [name.replace("\r", "\\r") for name in IGNORED]
    assert [name for name in shown if f"`{name}`" not in pages["authoring/tree.md"]] == []


def test_every_admonition_word_is_listed(pages: dict[str, str]) -> None:
    assert missing(STYLE_OF, pages["authoring/markdown.md"]) == []


def test_every_key_of_the_published_formats_is_described(pages: dict[str, str]) -> None:
    keys = described_structs(
        *(model.Index, model.Entry, model.Volume, model.Section, model.Origin, model.Include),
        *(catalog.Shard, Manifest, FileEntry, PageDocument, PageEntry),
    )
    page = pages["reference/formats.md"]
    examples = set(re.findall(r'"(\w+)":', page))
    assert missing(keys - examples, page) == []


def test_every_tool_parameter_and_error_is_described(pages: dict[str, str]) -> None:
    page = pages["agents/mcp-server.md"]
    for tool in TOOLS.values():
        section = page.partition(f"\n## {tool.name}\n")[2].partition("\n## ")[0]
        assert missing([parameter.name for parameter in tool.parameters], section) == []
        shown = {*re.findall(r'"(\w+)":', page), "error"}
        results = page + pages["reference/formats.md"]  # a result's sections are the index's
        assert missing(keys_in(json.dumps(tool.output)) - shown, results) == []
        for parameter in tool.parameters:
            if parameter.maximum:
                assert (
                    f"`{parameter.name}` | {parameter.minimum} to {parameter.maximum} |" in section
                )
    kinds: list[type[errors.ToolError]] = [errors.ToolError, *errors.ToolError.__subclasses__()]
    kinds += errors.SourceError.__subclasses__()
    assert missing({kind.code for kind in kinds}, page) == []


def test_every_tool_of_the_context_memory_is_described(pages: dict[str, str]) -> None:
    page = pages["agents/context-memory.md"]
    for tool in CONTEXT_TOOLS:
        row = next(line for line in page.splitlines() if line.startswith(f"| `{tool.name}` |"))
        assert missing([parameter.name for parameter in tool.parameters], row) == []
    assert missing([bucket.compression_level for bucket in BUCKETS], page) == []
    assert missing(DETAILS, pages["agents/mcp-server.md"]) == []
    assert missing([completing.URL, completing.MODEL, completing.API_KEY], page) == []


def test_every_setting_of_the_server_is_described(pages: dict[str, str]) -> None:
    page = pages["agents/mcp-server.md"]
    rows = config._ROWS  # pyright: ignore[reportPrivateUsage] - the one list of settings
    assert missing([row.variable for row in rows if row.variable], page) == []
    assert missing([row.key for row in rows], page) == []
    assert missing(PROFILES, page) == []
    assert missing([template.uri for template in resources.TEMPLATES], page) == []
    assert missing([resources.CATALOG_URI, prompt.NAME], page) == []
    assert missing([argument.name for argument in prompt.ARGUMENTS], page) == []


def test_every_block_filter_and_function_of_the_templates_is_listed(pages: dict[str, str]) -> None:
    look = make_look()
    page = pages["publishing/templates.md"]
    for name, text in look.templates:
        names = re.findall(r"{% (?:block|macro) (\w+)", text)
        assert missing([name, *names], page) == [], name
    environment = make_environment(look)
    assert missing([*environment.filters, *environment.globals], page) == []


def test_every_field_of_a_view_that_is_named_is_there(pages: dict[str, str]) -> None:
    inner = {"shell": Shell, "library": Link}
    named = re.findall(r"view\.(\w+)(?:\.(\w+))?", pages["publishing/templates.md"])
    assert len(named) > 10
    for field, below in named:
        assert field in PageView.__struct_fields__
        assert not below or below in inner[field].__struct_fields__


def mebibytes(size: int) -> str:
    return f"{size // (1024 * 1024)} MiB"


READ = tree.Limits()
CONNECTION = Limits()


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("reference/security.md", mebibytes(READ.text_bytes)),
        ("reference/security.md", mebibytes(READ.asset_bytes)),
        ("reference/security.md", mebibytes(READ.all_text_bytes)),
        ("reference/security.md", f"| {READ.files:,} |"),
        ("reference/security.md", f"| {READ.depth} |"),
        ("reference/security.md", f"| {yaml_reading.MAX_DEPTH}, {yaml_reading.MAX_NODES:,} |"),
        ("reference/security.md", f"| {MAX_TOLD:,} |"),
        ("reference/security.md", mebibytes(fetch.MAX_BODY)),
        ("reference/security.md", f"{config.Settings().timeout_ms // 1000} seconds"),
        ("reference/security.md", f"\n{POLICY}\n"),
        ("authoring/markdown.md", f"| {markdown_limits.PAGE_LIMIT:,} |"),
        ("authoring/markdown.md", f"| {markdown_limits.LINE_LIMIT:,} |"),
        ("authoring/markdown.md", f"| {markdown_limits.BRACKET_LIMIT:,} |"),
        ("authoring/markdown.md", f"| {markdown_limits.HEADING_LIMIT:,} |"),
        ("authoring/markdown.md", f"| {markdown_limits.SYMBOL_LIMIT:,} |"),
        ("authoring/markdown.md", f"| {markdown_limits.TEXT_LIMIT:,} |"),
        ("authoring/markdown.md", f"| {markdown_limits.ADDRESS_LIMIT:,} |"),
        ("authoring/markdown.md", f"{markdown_limits.CODE_LIMIT:,} characters"),
        ("authoring/markdown.md", f"more than {markdown_limits.CODE_LINE_LIMIT},"),
        ("authoring/importing.md", f"{mebibytes(fetching.MAX_BODY)} and takes"),
        ("authoring/importing.md", f"at most {fetching.SECONDS} seconds"),
        ("authoring/importing-formats.md", f"More than {grouping.MANY} schemas"),
        ("publishing/templates.md", f"{meter.ALLOWANCE:,} steps and {meter.WORTH} more"),
        (
            "publishing/templates.md",
            f"{render_look.MAX_BYTES:,} bytes, or more than {render_look.MAX_FILES}",
        ),
        ("agents/mcp-server.md", f"{MAX_ENTRIES} values"),
        ("agents/mcp-server.md", f"next {COOLDOWN:.0f}\nseconds"),
        (
            "publishing/static-host.md",
            f"{CONNECTION.head_bytes // 1024} KiB, {CONNECTION.fields} fields",
        ),
        ("publishing/static-host.md", f"| {mebibytes(CONNECTION.body_bytes)} |"),
        ("publishing/static-host.md", f"| {CONNECTION.request_seconds:.0f} seconds |"),
        ("publishing/static-host.md", f"| {CONNECTION.stall_seconds:.0f} seconds |"),
        ("publishing/static-host.md", f"| {CONNECTION.idle_seconds:.0f} seconds |"),
        *(("publishing/static-host.md", f"`{suffix}`") for suffix in SUFFIXES.values()),
    ],
    ids=lambda value: value.strip("|\n ").partition("\n")[0],
)
def test_a_limit_is_the_one_that_is_said(pages: dict[str, str], page: str, said: str) -> None:
    assert " ".join(said.split()) in " ".join(pages[page].split())


def test_every_dependency_has_its_reason(pages: dict[str, str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [
        *project["dependencies"],
        *(one for name in extras if name != "dev" for one in extras[name]),
    ]
    names = {re.split(r"[\[>=<;! ]", one)[0] for one in wanted}
    listed = re.findall(r"^\| ([a-z][\w-]*) \|", pages["reference/dependencies.md"], re.MULTILINE)
    assert set(listed) - {"package"} == names
    assert all(f"doctrove[{name}]" in pages["reference/dependencies.md"] for name in extras)
