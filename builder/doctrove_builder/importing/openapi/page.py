"""A page put together section by section, with the lines that each comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.importing.imported import ImportedPage
from doctrove_schema.model import Origin
from doctrove_schema.sections import claim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.imported import OriginSpan


class PageWriter:
    """Collects the sections of one page."""

    def __init__(self) -> None:
        """Begin an empty page."""
        self._lines: list[str] = []
        self._origins: list[OriginSpan] = []
        self._symbols: dict[str, tuple[str, ...]] = {}
        self._taken: set[str] = set()

    def add(  # noqa: PLR0913 - a section
        self,
        text: Sequence[str],
        file: str = "",
        lines: tuple[int, int] | None = None,
        *,
        heading: str = "",
        anchor: str = "",
        symbols: tuple[str, ...] = (),
    ) -> None:
        """Add a section, or the text before the first; `lines` are those of `file`."""
        body = list(text)
        while body and not body[0].strip():
            body.pop(0)
        if not body:
            return
        if self._lines:
            self._lines.append("")
        first = len(self._lines) + 1
        if heading:
            own = claim(anchor, self._taken)
            self._lines += [f"## {' '.join(heading.split())} {{#{own}}}", ""]
            if symbols:
                self._symbols[own] = symbols
        self._lines += body
        if file:
            self._origins.append((first, len(self._lines), Origin(file=file, lines=lines)))

    def page(self, path: str, title: str) -> ImportedPage:
        """Return the page."""
        return ImportedPage(
            path=path,
            title=title,
            markdown="\n".join(self._lines) + "\n",
            origins=tuple(self._origins),
            symbols=self._symbols,
        )
