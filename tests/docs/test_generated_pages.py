"""The pages that are made from the code are what the code says.

`RENEW_CASES=1 pytest tests/docs` writes them anew, to be read in the diff.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.cli import watch
from doctrove_builder.cli.import_options import import_parser
from doctrove_builder.cli.options import build_parser
from doctrove_builder.reporting.explanations import read_catalogue
from doctrove_server.host.cli import host_parser
from doctrove_server.options import server_parser

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "authoring" / "doctrove" / "0.1.0"
PARSERS = {
    "doctrove-build": build_parser,
    "doctrove-host": host_parser,
    "doctrove-import": import_parser,
    "doctrove-server": server_parser,
    "doctrove-watch": watch.watch_parser,
}
COMMANDS_HEAD = """\
---
title: Commands
description: Every command with its arguments, options, examples and exit codes.
---

What each command says of itself with `--help`. Data goes to standard output, everything else to
standard error.
"""
PROBLEMS_HEAD = """\
---
title: Problems
description: Every problem that a build can report, with an example, the reason and the repair.
---

A problem names its rule in brackets at the end of its line. Errors stop a build; warnings stop it
with `--strict`.
"""


def commands_page() -> str:
    return COMMANDS_HEAD + "".join(map(command_section, PARSERS))


def command_section(name: str) -> str:
    parser = PARSERS[name]()
    arguments = [action for action in parser_actions(parser) if not action.option_strings]
    usage = " ".join([name, "[options]", *map(argument_usage, arguments)])
    rows = "".join(
        f"| {written(action)} | {in_cell(action.help or '')} |\n"
        for action in (*arguments, *(a for a in parser_actions(parser) if a.option_strings))
    )
    return (
        f"\n## {name}\n\n{parser.description}\n\n```text\n{usage}\n```\n\n"
        f"| argument or option | meaning |\n| --- | --- |\n{rows}\n"
        f"```text\n{(parser.epilog or '').strip()}\n```\n"
    )


def parser_actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return parser._actions  # pyright: ignore[reportPrivateUsage] - argparse has no public list


def argument_usage(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest)
    return f"[{name}]" if action.nargs == "?" else name


def written(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    choices = "|".join(map(str, action.choices or ()))
    value = "" if action.nargs == 0 else str(action.metavar or choices or action.dest.upper())
    value = f"[{value}]" if action.nargs == "?" else value
    return ", ".join(f"`{f'{name} {value}'.strip()}`" for name in action.option_strings).replace(
        "|", "\\|"
    )


def in_cell(text: str) -> str:
    plain = text.replace("%(prog)s", "program").replace("%%", "%")
    return re.sub(r"(?<!`)(--[a-z][a-z-]*)", r"`\1`", plain).replace("|", "\\|")


def catalogues() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the title of each package's problems.md and the text of each rule in it."""
    for file in sorted(ROOT.glob("*/doctrove_*/**/problems.md")):
        package = ".".join(file.relative_to(ROOT).parent.parts[1:])
        yield file.read_text("utf-8").partition("\n")[0].removeprefix("# "), read_catalogue(package)


def problems_page() -> str:
    lists: list[str] = []
    texts: dict[str, str] = {}
    for title, catalogue in catalogues():
        links = ",\n".join(f"[{code}](#{code})" for code in catalogue)
        lists.append(f"{title}:\n{links}.\n")
        texts |= catalogue
    sections = "".join(f"\n## {code}\n\n{texts[code]}\n" for code in sorted(texts))
    return f"{PROBLEMS_HEAD}\n" + "\n".join(lists) + sections


PAGES = {"reference/commands.md": commands_page, "reference/problems.md": problems_page}


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_what_the_code_says(name: str) -> None:
    made = PAGES[name]()
    if os.environ.get("RENEW_CASES"):
        (DOCS / name).write_text(made, "utf-8", newline="\n")
    assert (DOCS / name).read_text("utf-8") == made


def test_every_installed_command_has_its_section() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(PARSERS) == set(project["scripts"])
