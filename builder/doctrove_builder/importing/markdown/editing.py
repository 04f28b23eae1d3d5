"""The text of one page while its markup is changed: edits by place, applied at once at the end."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown.lines import SOFT_BREAK, Line
from doctrove_builder.importing.markdown.tags import page_mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.markdown.tags import Tag

MAX_DEDENTED = 200_000
"""Lines that are moved to the left, counted for each element around them."""


class Editing:
    """A page's text, its code masked, and the edits of it so far.

    Edits keep the number of lines: a line end that is lost is added again, and one that is new is
    a `SOFT_BREAK`. Of two edits of the same place the first counts.
    """

    def __init__(self, lines: Sequence[Line], *, page: str, mdx: bool) -> None:
        """`page` is the file that notes name; in MDX four blanks do not make code."""
        self.lines = lines
        self.page = page
        self.mdx = mdx
        self.text = "\n".join(line.text for line in lines)
        self.mask = page_mask(lines, indented=not mdx)
        self.notes: list[Note] = []
        self._edits: list[tuple[int, int, str]] = []
        self._taken_until = 0
        self._dedents: list[tuple[int, int, int, bool]] = []
        self._dedented = 0
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line.text) + 1)

    def edit(self, tag: Tag, new: str) -> None:
        """Write another text for a tag."""
        self._edits.append((tag.start, tag.end, new))

    def replace(self, start: int, end: int, new: str) -> None:
        """Write another text for a passage; tags in it are not looked at any more."""
        self._edits.append((start, end, new))
        self._taken_until = max(self._taken_until, end)

    def replace_indent(self, tag: Tag, new: str) -> None:
        """Write another text for a tag and what stands before it on its line."""
        self._edits.append((self.line_start(tag.start), tag.end, new))

    def insert(self, at: int, new: str, *, length: int = 0) -> None:
        """Write a text at a place, instead of the `length` characters there."""
        self._edits.append((at, at + length, new))

    def is_taken(self, at: int) -> bool:
        """Say whether a place is in a passage that is replaced; places are asked for in order."""
        return at < self._taken_until

    def edited_spans(self) -> list[tuple[int, int]]:
        """Return the places of the edits so far, in order."""
        return sorted((start, end) for start, end, _ in self._edits)

    def dedent(self, tag: Tag, closing: Tag | None, *, flat: bool) -> None:
        """Take the further indentation off the lines between two tags of a block.

        `flat` takes off all: in HTML without a blank line white space says nothing.
        """
        if closing is None or not self.starts_line(tag):
            return
        first, last = self.line_number(tag.start) + 1, self.line_number(closing.start)
        if self.text[self.line_start(closing.start) : closing.start].strip():
            last += 1
        self._dedented += last - first
        if first < last and self._dedented < MAX_DEDENTED:
            self._dedents.append((first, last, len(self.indent(tag)), flat))

    def line_number(self, at: int) -> int:
        """Return the line of a place, counted from 0."""
        return bisect_right(self._starts, at) - 1

    def line_start(self, at: int) -> int:
        """Return where the line of a place begins."""
        return self.text.rfind("\n", 0, at) + 1

    def before(self, tag: Tag) -> str:
        """Return what stands on a tag's line before it."""
        return self.text[self.line_start(tag.start) : tag.start]

    def rest_of_line(self, at: int) -> str:
        """Return what stands on a line from a place on."""
        end = self.text.find("\n", at)
        return self.text[at : end if end >= 0 else len(self.text)]

    def following_line(self, at: int) -> str:
        """Return the line below that of a place; empty after the last."""
        end = self.text.find("\n", at)
        return self.rest_of_line(end + 1) if end >= 0 else ""

    def indent(self, tag: Tag) -> str:
        """Return the blanks before a tag that begins a line; empty for another."""
        before = self.before(tag)
        return "" if before.strip() else before

    def starts_line(self, tag: Tag) -> bool:
        """Say whether nothing but blanks stands before a tag."""
        return not self.before(tag).strip()

    def own_line(self, tag: Tag) -> bool:
        """Say whether a tag has its line for itself."""
        return self.starts_line(tag) and not self.rest_of_line(tag.end).strip()

    def note(self, kind: str, at: int, message: str) -> None:
        """Note what is left out at a place."""
        line = self.lines[self.line_number(at)].number
        self.notes.append(Note(kind=kind, place=f"{self.page}:{line}", message=message))

    def applied(self) -> list[Line]:
        """Return the page's lines with all edits made."""
        text = self.text
        parts: list[str] = []
        at = 0
        for start, end, new in sorted(self._edits):
            if start < at:
                continue
            missing = text.count("\n", start, end) - new.count("\n")
            parts += [text[at:start], new, "\n" * max(missing, 0)]
            at = end
        parts.append(text[at:])
        changed = "".join(parts).split("\n")
        if len(changed) != len(self.lines):
            raise ValueError("a change of text must keep its lines")
        for first, last, base, flat in reversed(self._dedents):  # the inner ones first
            _dedent(changed, first, last, base, flat=flat)
        made: list[Line] = []
        for line, one in zip(self.lines, changed, strict=True):
            if SOFT_BREAK in one:
                made += [line.with_text(part.rstrip()) for part in one.split(SOFT_BREAK)]
            else:
                made.append(line.with_text(one))
        return made


def _dedent(lines: list[str], first: int, last: int, base: int, *, flat: bool) -> None:
    if flat:
        for number in range(first, min(last, len(lines))):
            bare = lines[number].lstrip(" \t")
            lines[number] = " " * min(base, len(lines[number]) - len(bare)) + bare
        return
    chosen = [line for line in lines[first:last] if line.strip(f" \t{SOFT_BREAK}")]
    shared = min((len(line) - len(line.lstrip(" \t")) for line in chosen), default=0)
    if shared > base:
        off = shared - base
        for number in range(first, min(last, len(lines))):
            parts = lines[number].split(SOFT_BREAK)
            lines[number] = SOFT_BREAK.join(
                part[min(off, len(part) - len(part.lstrip(" \t"))) :] for part in parts
            )
