"""Every package of a lock file imported at its version; what gives nothing is said, not faked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.coverage import Coverage
from doctrove_builder.importing.errors import ImportingError, NothingImported
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.keeping import Keeping
from doctrove_builder.importing.lockfiles.ahead import ahead
from doctrove_builder.importing.run import Done, Order, carry_out, prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from doctrove_builder.importing.lockfiles.locked import Locked, LockFile
    from doctrove_builder.importing.reach import Reach
    from doctrove_builder.pipeline.progress import Progress


AT_ONCE = 4
"""Packages that are downloaded side by side."""


class Bulk(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a lock file."""

    name: str
    reports: tuple[Coverage, ...]
    empty: tuple[Note, ...]
    """Packages that hold nothing that can be read."""

    failed: tuple[Note, ...]
    """Packages that could not be had or written."""

    left_out: tuple[Note, ...]

    @property
    def notes(self) -> tuple[Note, ...]:
        """All packages that became no volume."""
        return (*self.empty, *self.failed, *self.left_out)


def import_locked(
    lock: LockFile, reach: Reach, *, write: Callable[[Done], object], progress: Progress
) -> Bulk:
    """Import every package and hand each volume to `write`, which may raise an `ImportingError`.

    Packages are downloaded some at a time; all the rest is done in the order of the lock file.
    Downloads that are kept are not fetched again: a run that was broken off goes on.
    """
    locked = {package.source: package.hashes for package in lock.packages if package.hashes}
    reach = msgspec.structs.replace(reach, locked=locked, keeping=Keeping())
    progress.step("import packages", len(lock.packages))
    reports: list[Coverage] = []
    empty: list[Note] = []
    failed: list[Note] = []
    calls = [partial(prepare, order_of(package), reach) for package in lock.packages]
    opened = ahead(calls, at_once=AT_ONCE)
    try:
        for package, prepared in zip(lock.packages, opened, strict=True):
            try:
                done = carry_out(prepared.result())
                write(done)
            except NothingImported as error:
                empty.append(_note("nothing-useful", package, error))
            except ImportingError as error:
                failed.append(_note("package-failed", package, error))
            else:
                reports.append(done.volume.coverage)
            progress.advance(1)
    finally:
        opened.close()
        reach.keeping.end()  # a download that is still running is not written half
    return Bulk(
        name=lock.name,
        reports=tuple(reports),
        empty=tuple(empty),
        failed=tuple(failed),
        left_out=lock.notes,
    )


def order_of(package: Locked) -> Order:
    """Return the import of one package, under its own name and version."""
    return Order(
        kind=package.kind, source=package.source, library=package.name, version=package.version
    )


def bulk_lines(bulk: Bulk) -> Iterator[str]:
    """Yield what came of a lock file as lines of text."""
    sections = sum(report.sections for report in bulk.reports)
    volumes = len(bulk.reports)
    yield (
        f"{bulk.name}: {volumes:,} volume{'' if volumes == 1 else 's'}"
        f" with {sections:,} section{'' if sections == 1 else 's'}"
    )
    for words, notes in (
        ("without anything to read", bulk.empty),
        ("failed", bulk.failed),
        ("left out", bulk.left_out),
    ):
        if notes:
            yield f"  {len(notes):,} {words}"
            yield from (f"    {note.place}: {note.message}" for note in notes)


def _note(kind: str, package: Locked, error: ImportingError) -> Note:
    return Note(kind=kind, place=f"{package.name} {package.version}", message=error.message)
