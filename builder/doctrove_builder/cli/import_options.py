"""The command line of `doctrove-import`: what may be written, and what it means."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.cli.shared_options import add_cache, add_loudness, add_sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from doctrove_builder.importing.imported import Kind, Option

EXAMPLES = """\
examples:
  doctrove-import --list                       name the kinds
  doctrove-import --list markdown              explain the options of one
  doctrove-import markdown docs --id acme --version 2.1.0 --into authoring
  doctrove-import python pypi:httpx==0.28.1 --into authoring
  doctrove-import npm npm:zod@4.0.5 --report json
  doctrove-import lock uv.lock --into authoring
  doctrove-import --update authoring           pin what `imports:` in doctrove.yaml names

exit codes:
  0  done
  1  the source was refused or holds nothing, or the disk or the network refused
  2  wrong usage
"""

PROGRAM_VERSION = "\0"
"""Value of `--version` without a version: the program's own is asked for."""

_PACKAGE = re.compile(r"(?:pypi:([^=\s]+)==|npm:(@?[^@\s]+)@)([^\s]+)")


def import_parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    parser = argparse.ArgumentParser(
        prog="doctrove-import",
        description="Turn documentation that already exists into a volume; nothing is executed.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("kind", metavar="KIND", nargs="?", help="what to read, or `lock` for a lock file")
    add("source", metavar="SOURCE", nargs="?", help="folder, archive, pypi:..., npm:..., https:...")
    add("--list", action="store_true", help="name the kinds, or explain the options of KIND")
    add("--update", type=Path, metavar="AUTHORING", help="pin the imports of a doctrove.yaml")
    add("--id", metavar="ID", help="id of the library (default: the package's name)")
    add(
        "--version",
        nargs="?",
        const=PROGRAM_VERSION,
        metavar="V",
        help="version of the volume (default: the package's); alone: say doctrove's own",
    )
    add("--all-versions", action="store_true", help="every version that SOURCE holds in folders")
    add("--into", type=Path, metavar="AUTHORING", help="authoring folder to write the volume to")
    add(
        "--option",
        type=_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the kind; may be repeated",
    )
    _add_facts(parser)
    _add_working_options(parser)
    return parser


def _add_facts(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--license", default="", metavar="SPDX", help="licence of the documentation")
    add("--repository", default="", metavar="URL", help="repository that holds the source")
    add("--commit", default="", metavar="HASH", help="commit that the source is of")
    add("--base-url", default="", metavar="URL", help="where the documentation is published")


def _add_working_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_sources(parser)
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="HOST",
        help="host that https sources may come from; may be repeated",
    )
    add("--force", action="store_true", help="replace files that were changed by hand")
    add_cache(parser, what="downloads that are kept")
    add("--report", choices=("human", "json"), default="human", help="form of the coverage report")
    add_loudness(parser, more="every note")


def package_of(source: str) -> tuple[str, str]:
    """Return the name and version that a registry source has; empty for other sources."""
    found = _PACKAGE.fullmatch(source)
    return (found[1] or found[2], found[3]) if found else ("", "")


def kind_lines(kind: Kind) -> Iterator[str]:
    """Yield what a kind is and its options."""
    yield from option_lines(kind.name, kind.summary, kind.sources, kind.options)


def option_lines(name: str, summary: str, sources: str, options: Sequence[Option]) -> Iterator[str]:
    """Yield a name of `--list`, what it takes and each option as it is written."""
    yield f"{name}: {summary}"
    yield f"  SOURCE is {sources}"
    if options:
        yield "  options, each as --option NAME=VALUE:"
    for option in options:
        yield f"  {option.name}  ({_type(option)})"
        yield f"      {option.help}"


def _type(option: Option) -> str:
    form = "|".join(option.choices) if option.choices else option.type
    default = option.default
    if isinstance(default, tuple):
        default = ",".join(default)
    if isinstance(default, bool):
        default = str(default).lower()
    return f"{form}, default {default}" if default != "" else form


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value
