"""The differences of two Markdown texts: prose by words, code by lines, the unchanged folded."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.changes.edits import edit_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SAME, REMOVED, ADDED, FOLDED = "same", "removed", "added", "folded"

AROUND = 2
"""So many unchanged lines are shown beside a difference."""

MOST_LINES = 400
MOST_WORDS = 150
"""So many edits are looked for; texts with more are shown as replaced."""

ALIKE = 50
"""Per cent of words that two passages share before they are shown as one."""

_TELLING = re.compile("[0-9A-Za-z_]|[^\\x00-\\x7f]")
_FENCE = re.compile(r"[ >]*(`{3,}|~{3,})")
_WORDS = re.compile("[0-9A-Za-z_\u00c0-\u1fff]+|[ \\t\\n]+|[^ \\t\\n]")
"""Words of alphabetic scripts, white space, and every other character alone (CJK too). The same
expression stands in the site's script, so it names ranges and no classes of Unicode."""


class Piece(NamedTuple):
    """A stretch of text."""

    kind: str
    """`same`, `removed` or `added`."""

    text: str


class Row(NamedTuple):
    """Some lines, shown as one passage of prose or as code; or unchanged lines that are folded."""

    is_code: bool
    pieces: tuple[Piece, ...]
    folded: int = 0
    """So many unchanged lines stand here; then there are no pieces."""


class _Line(NamedTuple):
    kind: str
    is_code: bool
    text: str


def words_of(text: str) -> list[str]:
    """Return the words of a text and what is between them; joined they are the text."""
    return _WORDS.findall(text)


def likeness(old: Counter[str], new: Counter[str]) -> int:
    """Return how much two bags of words share, in per cent of both; see `bag_of`."""
    whole = old.total() + new.total()
    return 200 * (old & new).total() // whole if whole else 100


def bag_of(text: str) -> Counter[str]:
    """Count the words of a text; white space and ASCII punctuation are none."""
    return Counter(word for word in words_of(text) if _TELLING.match(word))


def compare_texts(old: str, new: str) -> tuple[Row, ...]:
    """Return the differences of two Markdown texts, with the lines around them.

    Every line ends in LF. The pieces that are not `added`, joined, are `old`, and those that are
    not `removed` are `new`, but for the lines that are folded, which are the same in both, and for
    white space in prose, where the new one is shown.
    """
    old_lines, new_lines = _lines(old), _lines(new)
    runs = edit_runs(old_lines, new_lines, most=MOST_LINES)
    rows: list[Row] = []
    for number, run in enumerate(runs):
        was, now = old_lines[run.old], new_lines[run.new]
        last = number == len(runs) - 1
        rows += _unchanged(was, first=not number, last=last) if run.same else _replaced(was, now)
    return tuple(rows)


def _lines(text: str) -> list[str]:
    """Return the lines; those of fenced code have a NUL before them."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n") if text else ():
        found = _FENCE.match(line)
        lines.append(f"\0{line}" if fence or found else line)
        if not fence and found:
            fence = found[1]
        elif found and found[1].startswith(fence) and not line[found.end() :].strip(" "):
            fence = ""
    return lines


def _unchanged(lines: Sequence[str], *, first: bool, last: bool) -> Iterator[Row]:
    before = 0 if first else AROUND
    after = 0 if last else AROUND
    if len(lines) <= before + after + 1:
        yield from _rows(_marked(SAME, lines))
        return
    yield from _rows(_marked(SAME, lines[:before]))
    yield Row(is_code=False, pieces=(), folded=len(lines) - before - after)
    yield from _rows(_marked(SAME, lines[len(lines) - after :]))


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[Row]:
    is_prose = not any(line.startswith("\0") for line in (*old, *new))
    old_text, new_text = "\n".join((*old, "")), "\n".join((*new, ""))
    if old and new and is_prose and likeness(bag_of(old_text), bag_of(new_text)) >= ALIKE:
        yield Row(is_code=False, pieces=tuple(_interleaved(old_text, new_text)))
        return
    yield from _rows([*_marked(REMOVED, old), *_marked(ADDED, new)])


def _interleaved(old: str, new: str) -> Iterator[Piece]:
    """Yield the pieces of two passages: what has no word in it does not part two differences.

    White space is as good as any other, so a text that is only wrapped anew has no difference.
    """
    old_words, new_words = words_of(old), words_of(new)
    removed = added = ""
    for run in edit_runs(_levelled(old_words), _levelled(new_words), most=MOST_WORDS):
        was, now = "".join(old_words[run.old]), "".join(new_words[run.new])
        if run.same and (_TELLING.search(now) or not (removed or added)):
            yield from _difference(removed, added)
            yield Piece(SAME, now)
            removed = added = ""
        else:
            removed, added = removed + was, added + now
    yield from _difference(removed, added)


def _levelled(words: Iterable[str]) -> list[str]:
    return [" " if word[0] in " \t\n" else word for word in words]


def _difference(removed: str, added: str) -> Iterator[Piece]:
    if removed:
        yield Piece(REMOVED, removed)
    if added:
        yield Piece(ADDED, added)


def _marked(kind: str, lines: Iterable[str]) -> Iterator[_Line]:
    for line in lines:
        yield _Line(kind, line.startswith("\0"), line.removeprefix("\0") + "\n")


def _rows(lines: Iterable[_Line]) -> Iterator[Row]:
    """Put lines together: code with code, prose with prose, and what is of one kind in a piece."""
    for is_code, inside in groupby(lines, key=lambda line: line.is_code):
        pieces = tuple(
            Piece(kind, "".join(line.text for line in alike))
            for kind, alike in groupby(inside, key=lambda line: line.kind)
        )
        yield Row(is_code=is_code, pieces=pieces)
