"""Summaries made when a site is built, kept in a folder by content, prompt and model.

A build without a model uses what an earlier one kept, and the extractive text for the rest.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.abstractive import Written, abstractive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_server.compression.completing import Completer
    from doctrove_server.compression.shelf import Shelf

RATIO = 0.2
"""Of a section's tokens."""

LONGEST_KEPT = 200_000


class Text(msgspec.Struct, frozen=True):
    """A section to summarise."""

    ref: str
    """Its id or address."""

    body: str


class SummaryFolder:
    """Summaries as files of a folder (this is an edge); a broken one counts as absent."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str, /) -> str | None:
        """Return what is kept."""
        try:
            with self._file(key).open("rb") as file:
                return file.read(LONGEST_KEPT).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def put(self, key: str, text: str, /) -> None:
        """Keep a text; a reader sees all of it or nothing."""
        file = self._file(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(dir=file.parent, prefix=".summary-")
        try:
            with os.fdopen(number, "wb") as written:
                written.write(text.encode("utf-8", "replace"))
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.md"


def summaries(  # noqa: PLR0913 - the seam of a build: what it has, each named
    texts: Iterable[Text],
    *,
    completer: Completer | None,
    model: str,
    shelf: Shelf,
    kept: SummaryFolder,
    ratio: float = RATIO,
) -> Iterator[tuple[Text, Written]]:
    """Yield a summary of each text, at most `ratio` of its tokens; the order is the texts'.

    `model` names the model whose kept summaries are used where there is no completer.
    """
    for text in texts:
        budget = int(shelf.prepared(text.body).tokens * ratio)
        yield (
            text,
            abstractive(
                text.body,
                budget,
                completer=completer,
                model=model,
                shelf=shelf,
                ref=text.ref,
                kept=kept,
            ),
        )
