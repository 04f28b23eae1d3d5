"""The command line of `doctrove-build`: what may be written, and what it means."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from doctrove_builder.about import VERSION
from doctrove_builder.assemble.only import parse_choice
from doctrove_builder.cli.shared_options import add_cache, add_jobs, add_loudness, add_sources
from doctrove_builder.cli.summary_options import add_summaries
from doctrove_builder.reporting import FORMATS

EXAMPLES = """\
examples:
  doctrove-build --init authoring           write a small tree to start from
  doctrove-build authoring dist             build the site and the index
  doctrove-build authoring --check          only look for problems
  doctrove-build authoring dist --base-url https://example.github.io/docs/
  doctrove-build authoring dist --only express@5.1.0
  doctrove-build authoring --check --format github

exit codes:
  0  done
  1  problems in the input, or the disk refused; DEST is as it was
  2  wrong usage, or DEST may not be replaced
"""

_COMMIT = re.compile(r"[0-9a-fA-F]{7,64}")
_ADDRESS = re.compile(r"https?://[^\s<>\"\\/?#][^\s<>\"\\?#]*", re.IGNORECASE)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    parser = argparse.ArgumentParser(
        prog="doctrove-build",
        description="Build an authoring folder into a validated index and a browsable site.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("source", metavar="SRC", type=Path, help="authoring folder")
    add("dest", metavar="DEST", type=Path, nargs="?", help="folder to publish into")
    add("--version", action="version", version=f"doctrove {VERSION}")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="only look for problems; write nothing")
    what.add_argument(
        "--init", action="store_true", help="write a small, commented authoring tree to SRC"
    )
    add("--strict", action="store_true", help="treat warnings as errors")
    add("--base-url", type=_address, metavar="URL", help="where DEST is published")
    add(
        "--only",
        type=parse_choice,
        action="append",
        default=[],
        metavar="ID[@VERSION]",
        help="build this library or volume and leave the rest of DEST as it is; may be repeated",
    )
    add(
        "--report",
        type=Path,
        metavar="DIR",
        help="write a report card, as HTML and JSON, to this folder beside DEST",
    )
    add_summaries(parser)
    add("--no-html", action="store_true", help="write the index and no site")
    add("--source-commit", type=_commit, metavar="HASH", help="commit of SRC")
    _add_working_options(parser)
    return parser


def _add_working_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--format",
        choices=FORMATS,
        default="human",
        help="how problems are said; all but `human` go to standard output",
    )
    add_loudness(parser, more="what was reused")
    add_cache(parser, what="what earlier builds computed")
    add("--clean", action="store_true", help="empty the cache first")
    add_sources(parser)
    add_jobs(parser, what="processes to work with")


def _address(text: str) -> str:
    if not _ADDRESS.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an http or https address without `?` and `#`"
        )
    return text if text.endswith("/") else f"{text}/"


def _commit(text: str) -> str:
    if not _COMMIT.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a commit's hash")
    return text.lower()
