"""What the preview says in the terminal, on standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from doctrove_builder.cli.progress import shown_progress
from doctrove_builder.pipeline.progress import Silent
from doctrove_builder.reporting import report, strict
from doctrove_builder.reporting.escaping import visible

if TYPE_CHECKING:
    from collections.abc import Generator

    from doctrove_builder.pipeline.progress import Progress
    from doctrove_builder.watch.lapses import Lapses
    from doctrove_builder.watch.rebuilding import Rebuilt
    from doctrove_schema.problem import Problem

SHOWN_PAGES = 3


class Terminal:
    """Says what is new: problems when they are others than before, and which pages changed."""

    def __init__(self, *, root: str, is_strict: bool, timings: bool = False) -> None:
        """`root` is put before the files that problems name; `timings` says each step's time."""
        self._root = root
        self._strict = is_strict
        self._timings = timings
        self._problems: tuple[Problem, ...] = ()
        self._builds = 0
        self._stopped = ""

    def watching(self, reason: str) -> None:
        """Say that the folder is polled, and why."""
        if reason:
            self._print(f"looking for changes twice a second: {reason}")

    @contextlib.contextmanager
    def progress(self) -> Generator[Progress]:
        """Show how the first build goes; the others are quick."""
        if self._builds or not sys.stderr.isatty():
            yield Silent()
        else:
            with shown_progress(quiet=False) as progress:
                yield progress

    def built(self, rebuilt: Rebuilt, lapses: Lapses) -> None:
        """Say what a build found and did."""
        problems = strict(rebuilt.problems) if self._strict else rebuilt.problems
        if problems and problems != self._problems:
            colour = sys.stderr.isatty() and "NO_COLOR" not in os.environ
            self._print(
                report(problems, texts=rebuilt.texts, root=self._root, colour=colour).rstrip("\n")
            )
        elif not problems and (self._problems or self._stopped):
            self._print("no problems any more")
        self._problems, self._stopped = problems, ""
        if rebuilt.failed:
            self._print("not built; the pages stay as they are")
        elif not self._builds:
            libraries, volumes, sections = rebuilt.counts
            self._print(
                f"built in {lapses.seconds:.1f} s: libraries {libraries:,}, volumes {volumes:,},"
                f" sections {sections:,}"
            )
        elif rebuilt.pages:
            self._print(f"rebuilt in {1000 * lapses.seconds:.0f} ms: {_named(rebuilt.pages)}")
            if self._timings:
                self._print(f"  {lapses.line()}")
        self._builds += not rebuilt.failed

    def stopped(self, message: str, *, hint: str = "") -> None:
        """Say what kept a build from being made."""
        said = "\n  = ".join(visible(part) for part in (message, hint) if part)
        if said != self._stopped:
            self._print(f"not built: {said}")
        self._stopped = said

    def lost_workers(self) -> None:
        """Say that a worker process was killed by someone else."""
        self._print("a worker process was killed; started anew")

    def lost_search(self, reason: str) -> None:
        """Say why the site's search finds only what it found before."""
        self._print(f"search is not up to date: {visible(reason)}")

    def _print(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)  # noqa: T201 - the command talks here


def _named(paths: tuple[str, ...]) -> str:
    pages = [f"/{path.removesuffix('index.html')}" for path in paths if path.endswith(".html")]
    more = f" and {len(pages) - SHOWN_PAGES:,} more" if len(pages) > SHOWN_PAGES else ""
    return visible(", ".join(pages[:SHOWN_PAGES]) + more) or f"{len(paths):,} files"
