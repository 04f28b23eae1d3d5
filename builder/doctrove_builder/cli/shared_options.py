"""Options that several commands have, each said in one place."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from doctrove_builder.importing.means import ImportMeans
from doctrove_builder.importing.registry import registries_from

MAX_JOBS = 256


def add_cache(parser: argparse.ArgumentParser, *, what: str) -> None:
    """Add `--cache`; `what` says what is kept there."""
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path(".doctrove"),
        metavar="DIR",
        help=f"{what} (default: .doctrove); may be deleted at any time",
    )


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Add `--offline` and `--allow-source`: from where imports may take what they read."""
    parser.add_argument(
        "--offline", action="store_true", help="download nothing; imports come from the cache"
    )
    parser.add_argument(
        "--allow-source",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="folder outside the project that imports may read; may be repeated",
    )


def import_means(options: argparse.Namespace) -> ImportMeans:
    """Return what the imports of a build work with, as its options and the environment say."""
    return ImportMeans(
        cache=options.cache,
        offline=options.offline,
        allowed=tuple(options.allow_source),
        registries=registries_from(os.environ),
    )


def add_jobs(parser: argparse.ArgumentParser, *, what: str) -> None:
    """Add `--jobs`; `what` says what the processes are for."""
    parser.add_argument(
        "--jobs",
        type=_jobs,
        default=os.cpu_count() or 1,
        metavar="N",
        help=f"{what} (default: one for each core)",
    )


def add_loudness(parser: argparse.ArgumentParser, *, more: str) -> None:
    """Add `--quiet` and `--verbose`; `more` names what the latter says also."""
    volume = parser.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="say problems and nothing else")
    volume.add_argument("-v", "--verbose", action="store_true", help=f"say also {more}")


def _jobs(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= MAX_JOBS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_JOBS}")
    return int(text)
