"""The `doctrove-build` command: arguments in, exit code out; `pipeline.build` does the work."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from doctrove_builder.cache import Cache, empty_cache
from doctrove_builder.cli.options import build_parser
from doctrove_builder.cli.progress import shown_progress
from doctrove_builder.cli.report import check_report, write_report
from doctrove_builder.cli.shared_options import import_means
from doctrove_builder.cli.summary import summary_lines, summary_warnings
from doctrove_builder.cli.summary_options import summary_means
from doctrove_builder.cli.usage import UsageError
from doctrove_builder.pipeline.build import build
from doctrove_builder.pipeline.checking import Means, Request
from doctrove_builder.pipeline.errors import BuildError, WorkersLost
from doctrove_builder.pipeline.workers import worker_processes
from doctrove_builder.reporting import report, strict
from doctrove_builder.reporting.escaping import visible
from doctrove_builder.starter import write_starter
from doctrove_builder.writing import DestinationRefused, WritingError, check_destination
from doctrove_schema.problem import Severity

if TYPE_CHECKING:
    import argparse
    from collections.abc import Generator, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from doctrove_builder.pipeline.build import Outcome
    from doctrove_builder.pipeline.progress import Progress
    from doctrove_builder.pipeline.summing_up import SummaryMeans

EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE = 0, 1, 2
EXIT_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = build_parser()
    options = parser.parse_args(argv)
    try:
        return _initialise(options) if options.init else _build(options)
    except WorkersLost as error:
        return _failed(_with_hint(error.message, error.hint), EXIT_PROBLEMS)
    except (BuildError, DestinationRefused) as error:
        return _failed(_with_hint(error.message, error.hint), EXIT_USAGE)
    except WritingError as error:
        return _failed(_with_hint(error.message, error.hint), EXIT_PROBLEMS)
    except BrokenPipeError:
        raise  # the reader of what is said has left
    except OSError as error:
        return _failed(f"cannot read {error.filename}: {error.strerror}", EXIT_PROBLEMS)
    except KeyboardInterrupt:
        return _failed("interrupted; the destination is as it was", EXIT_INTERRUPTED)


def _initialise(options: argparse.Namespace) -> int:
    source: Path = options.source
    try:
        written = write_starter(source)
    except FileExistsError:
        raise UsageError(f"{source} is not empty; --init writes to a new folder") from None
    except OSError as error:
        raise UsageError(f"cannot write {source}: {error.strerror}") from error
    for path in written:
        print(source / path)
    if not options.quiet:
        print(f"next: doctrove-build {source} dist", file=sys.stderr)
    return EXIT_OK


def _build(options: argparse.Namespace) -> int:
    source: Path = options.source
    _check_usage(options)
    dest: Path | None = None if options.check else options.dest
    if dest is not None:
        check_destination(source, dest, cache=options.cache)
    if options.report is not None:
        check_report(options.report, source, dest)
    summaries = summary_means(options)
    if options.clean:
        empty_cache(options.cache)
    began = time.monotonic()
    request = Request(
        source=source,
        dest=dest,
        base_url=options.base_url or "",
        commit=options.source_commit or "",
        updated_at=_source_date(),
        only=tuple(options.only),
        html=not options.no_html,
        strict=options.strict,
    )
    cache = Cache(None if options.check else options.cache, today=int(time.time() // 86_400))
    with (
        contextlib.closing(cache),
        worker_processes(options.jobs, lost=_say_lost) as executor,
        _saying_what_is_kept(summaries),
        shown_progress(quiet=options.quiet or options.format != "human") as progress,
    ):
        outcome = build(request, _means(options, cache, executor, progress, summaries))
    return _say(outcome, options, seconds=time.monotonic() - began)


@contextlib.contextmanager
def _saying_what_is_kept(summaries: SummaryMeans | None) -> Generator[None]:
    """Say at an interruption which answers of a model are not lost by it."""
    try:
        yield
    except KeyboardInterrupt:
        if summaries and summaries.folder.added:
            folder = visible(str(summaries.folder.folder))
            print(
                f"doctrove-build: {summaries.folder.added:,} of the model's answers are kept in"
                f" {folder}; the next build asks for the rest",
                file=sys.stderr,
            )
        raise


def _say_lost() -> None:
    print("doctrove-build: a worker process was killed; started anew", file=sys.stderr)


def _check_usage(options: argparse.Namespace) -> None:
    """Raise `UsageError` for arguments that do not fit each other or the disk."""
    source: Path = options.source
    if source.exists() and not source.is_dir():
        raise UsageError(f"{source} is a file; name the authoring folder")
    if not source.is_dir():
        raise UsageError(f"{source} is not a folder; `doctrove-build --init {source}` makes one")
    if options.dest is None and not options.check:
        raise UsageError("DEST is missing; with --check nothing is written")
    if options.cache.exists() and not options.cache.is_dir():
        raise UsageError(f"--cache names the file {options.cache}; name a folder")
    if options.only and options.no_html:
        raise UsageError("--only leaves the rest of DEST as it is, and --no-html would remove it")


def _means(
    options: argparse.Namespace,
    cache: Cache,
    executor: Executor | None,
    progress: Progress,
    summaries: SummaryMeans | None,
) -> Means:
    return Means(
        cache=cache,
        executor=executor,
        progress=progress,
        imports=import_means(options),
        summaries=summaries,
    )


def _say(outcome: Outcome, options: argparse.Namespace, *, seconds: float) -> int:
    if options.report is not None:
        write_report(options.report, outcome)
    problems = strict(outcome.problems) if options.strict else outcome.problems
    human = options.format == "human"
    colour = human and sys.stderr.isatty() and "NO_COLOR" not in os.environ
    said = report(
        problems,
        format=options.format,
        texts=outcome.texts,
        root=str(options.source),
        colour=colour,
    )
    if said and (problems or not options.quiet or not human):
        print(said, file=sys.stderr if human else sys.stdout, end="" if said[-1] == "\n" else "\n")
    for line in summary_warnings(outcome):
        print(f"doctrove-build: warning: {line}", file=sys.stderr)
    failed = any(problem.severity is Severity.ERROR for problem in problems)
    if not failed and not options.quiet:
        lines = summary_lines(outcome, dest=options.dest, seconds=seconds, verbose=options.verbose)
        print("\n".join(lines), file=sys.stdout if human else sys.stderr)
    return EXIT_PROBLEMS if failed else EXIT_OK


def _source_date() -> str:
    """Read SOURCE_DATE_EPOCH (reproducible-builds.org): seconds since 1970; empty when not set."""
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not text:
        return ""
    if not text.isascii() or not text.isdigit() or len(text) > 11:
        raise UsageError(f"SOURCE_DATE_EPOCH is {text!r}, not a number of seconds since 1970")
    return datetime.fromtimestamp(int(text), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _with_hint(message: str, hint: str) -> str:
    return f"{message}\n  = {hint}" if hint else message


def _failed(message: str, code: int) -> int:
    text = "\n".join(visible(line) for line in message.split("\n"))
    print(f"doctrove-build: {text}", file=sys.stderr)
    return code
