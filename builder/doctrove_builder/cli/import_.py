"""The `doctrove-import` command: arguments in, exit code out; `importing` does the work."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.about import VERSION
from doctrove_builder.cli.import_options import (
    PROGRAM_VERSION,
    import_parser,
    kind_lines,
    option_lines,
)
from doctrove_builder.cli.import_order import UsageError, check_given, check_into, named, order_of
from doctrove_builder.cli.progress import shown_progress
from doctrove_builder.importing.coverage import coverage_json, coverage_lines, table_lines
from doctrove_builder.importing.errors import ImportingError, OptionRefused
from doctrove_builder.importing.into import write_volume
from doctrove_builder.importing.kinds import MODULES, load_kind
from doctrove_builder.importing.lockfiles.bulk import bulk_lines, import_locked
from doctrove_builder.importing.lockfiles.reading import (
    NAMES,
    OPTIONS,
    choose,
    lock_options,
    read_lock_file,
)
from doctrove_builder.importing.reach import Reach, open_network, project_root
from doctrove_builder.importing.registry import registries_from
from doctrove_builder.importing.run import carry_out, prepare
from doctrove_builder.importing.sources import open_source
from doctrove_builder.importing.updating import update_lock
from doctrove_builder.reporting.escaping import visible

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from doctrove_builder.importing.coverage import Coverage
    from doctrove_builder.importing.imported import Note
    from doctrove_builder.importing.run import Done

LOCK = "lock"
"""In the place of a kind: SOURCE is a lock file."""

LOCK_SUMMARY = "every package that a lock file pins, each at its very version, a volume each"

EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE = 0, 1, 2
EXIT_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = import_parser().parse_args(argv)
    try:
        return _run(options)
    except UsageError as error:
        return _failed(str(error), EXIT_USAGE)
    except OptionRefused as error:
        return _failed(_with_hint(error), EXIT_USAGE)
    except ImportingError as error:
        return _failed(_with_hint(error), EXIT_PROBLEMS)
    except KeyboardInterrupt:
        return _failed("interrupted", EXIT_INTERRUPTED)


def _run(options: argparse.Namespace) -> int:
    if options.version == PROGRAM_VERSION:
        print(f"doctrove {VERSION}")
        return EXIT_OK
    if options.list:
        return _list(options.kind)
    if options.update is not None:
        return _update(options)
    if options.kind is None:
        raise UsageError("KIND is missing; `doctrove-import --list` names the kinds")
    if options.kind == LOCK:
        return _lock(options)
    kind = load_kind(options.kind)
    if options.source is None:
        print("\n".join(kind_lines(kind)), file=sys.stderr)
        raise UsageError("SOURCE is missing")
    return _import(options)


def _list(name: str | None) -> int:
    if name == LOCK:
        print("\n".join(option_lines(LOCK, LOCK_SUMMARY, f"one of {NAMES}", OPTIONS)))
        return EXIT_OK
    for known in [name] if name else MODULES:
        try:
            kind = load_kind(known)
        except OptionRefused as error:
            if name:
                raise
            print(f"{known}: {error.message}; {error.hint}")
            continue
        print("\n".join(kind_lines(kind)) if name else f"{kind.name}: {kind.summary}")
    if not name:
        print(f"{LOCK}: {LOCK_SUMMARY}", flush=True)  # before what is said of it
        print("doctrove-import --list KIND explains the options of one", file=sys.stderr)
    return EXIT_OK


def _import(options: argparse.Namespace) -> int:
    reach = reach_of(options)
    check_given(options)
    library, versions, opened = named(options, reach)
    reports: list[Coverage] = []
    for version in versions:
        with shown_progress(quiet=options.quiet or options.report == "json") as progress:
            progress.step("read sources", 1)
            prepared = prepare(order_of(options, library, version), reach, opened=opened)
            progress.step("import pages", len(prepared.opened.tree.paths))
            done = carry_out(prepared)
        if options.into:
            folder = write_volume(done, options.into, force=options.force, versions=versions)
            if not options.quiet:
                print(f"{folder}: {len(done.volume.files):,} files", file=sys.stderr)
        reports.append(done.volume.coverage)
    _say(reports, options)
    if not options.into and not options.quiet:
        print("nothing was written: name an authoring folder with --into", file=sys.stderr)
    return EXIT_OK


def _update(options: argparse.Namespace) -> int:
    """Pin what the imports of a doctrove.yaml name, and say what each of them gives."""
    folder: Path = options.update
    reach = reach_of(options, base=folder, otherwise=folder.resolve().parent)
    with shown_progress(quiet=options.quiet or options.report == "json") as progress:
        updated = update_lock(folder, reach, progress=progress)
    _say(updated.reports, options, notes=[failure.note for failure in updated.failures])
    for failure in updated.failures:
        note, hint = failure.note, f"\n  hint: {failure.hint}" if failure.hint else ""
        _failed(f"{note.place}: {note.message}{hint}", EXIT_PROBLEMS)
    return EXIT_PROBLEMS if updated.failures else EXIT_OK


def _lock(options: argparse.Namespace) -> int:
    """Import every package that a lock file pins."""
    if options.source is None:
        raise UsageError(f"SOURCE is missing: name a lock file ({NAMES})")
    if options.id or options.version:
        raise UsageError("a lock file says the ids and versions: leave out --id and --version")
    chosen = lock_options(options.option)
    check_into(options)
    reach = reach_of(options)
    lock = choose(read_lock_file(open_source(options.source, reach).tree), chosen)

    def write(done: Done) -> None:
        if options.into:
            write_volume(done, options.into, force=options.force)

    with shown_progress(quiet=options.quiet or options.report == "json") as progress:
        bulk = import_locked(lock, reach, write=write, progress=progress)
    _say(bulk.reports, options, notes=bulk.notes)
    # What is said of the whole goes to stderr, so that stdout stays what it is for one import.
    for line in bulk_lines(bulk) if not options.quiet or bulk.failed else ():
        print(visible(line), file=sys.stderr)
    if not options.into and not options.quiet:
        print("nothing was written: name an authoring folder with --into", file=sys.stderr)
    return EXIT_PROBLEMS if bulk.failed else EXIT_OK


def _say(
    reports: Sequence[Coverage], options: argparse.Namespace, *, notes: Sequence[Note] = ()
) -> None:
    """Print the coverage report; of many volumes the text form is a table, unless all is asked."""
    if options.report == "json":
        sys.stdout.buffer.write(coverage_json(reports, notes))
    elif not options.quiet and len(reports) > 1 and not options.verbose:
        for line in table_lines(reports):
            print(visible(line))
    elif not options.quiet:
        for report in reports:
            for line in coverage_lines(report, every_note=options.verbose):
                print(visible(line))


def reach_of(
    options: argparse.Namespace, *, base: Path | None = None, otherwise: Path | None = None
) -> Reach:
    """Return from where this run's sources may come."""
    base = base or Path.cwd()
    registries = registries_from(os.environ)
    return Reach(
        base=base,
        root=project_root(base, otherwise=otherwise),
        allowed=tuple(options.allow_source),
        network=open_network(registries, hosts=options.allow_host, offline=options.offline),
        store=options.cache / "downloads",
        registries=registries,
    )


def _with_hint(error: ImportingError) -> str:
    return f"{error.message}\n  hint: {error.hint}" if error.hint else error.message


def _failed(message: str, code: int) -> int:
    shown = "\n".join(map(visible, message.split("\n")))
    print(f"doctrove-import: {shown}", file=sys.stderr)
    return code
