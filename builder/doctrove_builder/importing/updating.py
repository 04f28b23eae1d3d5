"""Writing doctrove.lock: every download that doctrove.yaml imports, pinned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.authoring.decoding import decode
from doctrove_builder.importing.coverage import Coverage
from doctrove_builder.importing.declared import read_declarations
from doctrove_builder.importing.errors import ImportingError, SourceRefused
from doctrove_builder.importing.fetching import NoNetwork
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.lock import FILE_NAME, Pin, lock_bytes, read_lock, write_lock
from doctrove_builder.importing.run import carry_out, prepare
from doctrove_schema.problem import Severity

if TYPE_CHECKING:
    from pathlib import Path

    from doctrove_builder.importing.reach import Reach
    from doctrove_builder.pipeline.progress import Progress
    from doctrove_schema.problem import Problem

PROJECT = "doctrove.yaml"


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """What went wrong, and what to do."""

    note: Note
    hint: str = ""


class Updated(msgspec.Struct, frozen=True, kw_only=True):
    """What an update found."""

    reports: tuple[Coverage, ...]
    failures: tuple[Failure, ...]
    """What could not be imported, and what is wrong with doctrove.yaml."""


def update_lock(folder: Path, reach: Reach, *, progress: Progress) -> Updated:
    """Pin the imports of an authoring folder and write its lock.

    What is pinned already stays so; what no entry names any more goes. An entry that fails keeps
    its pin. Raises an `ImportingError` when doctrove.yaml or the lock cannot be read or written.
    """
    file = folder / PROJECT
    try:
        document, problems = decode(file.read_bytes(), path=PROJECT)
    except OSError as error:
        raise SourceRefused(f"{file} cannot be read: {error.strerror}") from error
    said = read_declarations(document)
    pins: dict[str, Pin] = read_lock(folder / FILE_NAME)
    if not isinstance(reach.network, NoNetwork):
        network = reach.network.with_hosts(said.allowed_hosts)
        reach = msgspec.structs.replace(reach, network=network)
    reach = msgspec.structs.replace(reach, pins=pins)
    progress.step("import volumes", len(said.imports))
    reports: list[Coverage] = []
    failures = [
        _failure(problem)
        for problem in (*problems, *said.problems)
        if problem.severity is Severity.ERROR
    ]
    named: set[str] = set()
    for declared in said.imports:
        order = declared.order
        named |= {order.source, *(v for v in order.options.values() if isinstance(v, str))}
        try:
            done = carry_out(prepare(order, reach))
        except ImportingError as error:
            place = f"{order.library} {order.version}"
            note = Note(kind="import-failed", place=place, message=error.message)
            failures.append(Failure(note=note, hint=error.hint))
        else:
            reports.append(done.volume.coverage)
            pins |= {pin.source: _with_license(pin, done.volume.coverage) for pin in done.pins}
        progress.advance(1)
    write_lock(folder / FILE_NAME, lock_bytes(pins, kept=named))
    return Updated(reports=tuple(reports), failures=tuple(failures))


def _failure(problem: Problem) -> Failure:
    place = f"{problem.source}:{problem.line or 1}:{problem.column or 1}"
    note = Note(kind=str(problem.rule.value), place=place, message=problem.message)
    return Failure(note=note, hint=problem.hint)


def _with_license(pin: Pin, report: Coverage) -> Pin:
    return msgspec.structs.replace(pin, license=pin.license or report.license)
