"""`--summaries` of `doctrove-build`: where answers of a model are kept, and which one is asked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.cli.usage import UsageError
from doctrove_server.errors import ConfigError

if TYPE_CHECKING:
    import argparse

    from doctrove_builder.pipeline.summing_up import SummaryMeans

FOLDER = "summaries"
"""In the cache, unless another is named."""


def add_summaries(parser: argparse.ArgumentParser) -> None:
    """Add `--summaries` and `--summaries-dir`."""
    parser.add_argument(
        "--summaries",
        action="store_true",
        help="publish what a language model (DOCTROVE_LLM_URL) writes of sections, where it passes"
        " the checks",
    )
    parser.add_argument(
        "--summaries-dir",
        type=Path,
        metavar="DIR",
        help="keep the model's answers here, to be committed (default: in the cache); implies"
        " --summaries",
    )


def summary_means(options: argparse.Namespace) -> SummaryMeans | None:
    """Return what summaries are made with, None without `--summaries`; raises `UsageError`."""
    if not options.summaries and options.summaries_dir is None:
        return None
    if options.check:
        raise UsageError("--check writes nothing, and --summaries keeps what a model answers")
    folder: Path = options.summaries_dir or options.cache / FOLDER
    _check_folder(folder, options.source, options.dest)
    from doctrove_builder.pipeline.summing_up import LIMITS, SummaryMeans  # noqa: PLC0415 - seldom
    from doctrove_server.compression.completing import (  # noqa: PLC0415 - see above
        DEFAULT,
        MODEL,
        completer_from,
    )
    from doctrove_server.compression.summaries import SummaryFolder  # noqa: PLC0415 - see above

    try:
        completer = None if options.offline else completer_from(os.environ, limits=LIMITS)
    except ConfigError as error:
        raise UsageError(str(error)) from None
    kept = SummaryFolder(folder)
    named = completer.model if completer else os.environ.get(MODEL, "")
    return SummaryMeans(folder=kept, completer=completer, model=named or kept.model or DEFAULT)


def _check_folder(folder: Path, source: Path, dest: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--summaries-dir names the file {folder}; name a folder")
    for name, around in (("SRC", source), ("DEST", dest)):
        if folder.resolve().is_relative_to(around.resolve()):
            raise UsageError(f"--summaries-dir {folder} is in {name}; name a folder beside it")
