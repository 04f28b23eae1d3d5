"""`--report`: where the report card may be written, and writing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.cli.usage import UsageError
from doctrove_builder.report import card_of, report_files

if TYPE_CHECKING:
    from pathlib import Path

    from doctrove_builder.pipeline.build import Outcome


def check_report(folder: Path, source: Path, dest: Path | None) -> None:
    """Raise `UsageError` for a folder in the sources or in what is published."""
    real = folder.resolve()
    for other, what in ((source, "the sources"), (dest, "what is published")):
        if other is not None and real.is_relative_to(other.resolve()):
            raise UsageError(f"--report {folder} lies in {what}; name a folder beside it")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--report {folder} is not a folder")


def write_report(folder: Path, outcome: Outcome) -> None:
    """Write the report card of a build, whether it published or not; raises `UsageError`."""
    checked = outcome.checked
    sizes = outcome.summary.sizes if outcome.summary else None
    card = card_of(checked.libraries, checked.index, outcome.problems, outcome.texts, sizes=sizes)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in report_files(card).items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from error
