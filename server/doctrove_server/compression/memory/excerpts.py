"""Excerpts of long texts, so that what they cost is bounded: by a question, or spread evenly.

A text is cut into pieces where a paragraph or a line ends and no code block is open; together they
are the text. Reading them for words costs milliseconds, cutting them into units costs seconds.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import OrderedDict
from itertools import accumulate
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

_PIECE, _LONG_PIECE, _LONGEST_PIECE = 1_000, 4_000, 16_000
"""Characters after which a piece ends at a paragraph, at any line, and within a code block too."""

_MOST_TERMS = 50
_ENOUGH = 3
"""Times that a word is counted in a piece."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6} ")
_SEAM = re.compile(r"[.!?;,]?\s|[\u3002\uff01\uff1f\uff1b]")


def pieces(text: str) -> list[str]:
    """Return a text cut into pieces of at most some thousand characters."""
    return list(_pieces(text))


def parts(text: str, room: int, count: Callable[[str], int]) -> list[str]:
    """Return a text in parts of at most `room` tokens; together they are the text."""
    found: list[str] = []
    held: list[str] = []
    spent = 0
    for piece, tokens in _fitting(pieces(text), room, count):
        if held and spent + tokens > room:
            found.append("".join(held))
            held, spent = [], 0
        held.append(piece)
        spent += tokens
    return [*found, "".join(held)]


def excerpt(text: str, terms: Collection[str], most: int) -> str:
    """Return at most about `most` characters of a text: pieces with terms, else spread evenly.

    Terms are ranking terms. A piece whose section began before it has that heading before it.
    """
    if len(text) <= most:
        return text
    cut = pieces(text)
    scores = _scores(cut, terms) if terms else []
    chosen = _best(cut, scores, most) if any(scores) else _spread(cut, len(text), most)
    return _joined(cut, chosen)[:most]


class Excerpts:
    """The excerpts made last, by the hash of the text; safe to use from several threads."""

    def __init__(self, *, most: int = 64) -> None:
        self._most = most
        self._kept: OrderedDict[object, str] = OrderedDict()
        self._lock = Lock()

    def of(self, text: str, sha256: str, terms: frozenset[str], most: int) -> str:
        """Return an excerpt of a text with that hash."""
        if len(text) <= most:
            return text
        key = (sha256, terms, most)
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        made = excerpt(text, terms, most)
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made


def _pieces(text: str) -> Iterator[str]:
    held: list[str] = []
    size, fence, blank = 0, "", True
    for line in _lines(text):
        ends_a_paragraph = (blank or _HEADING.match(line)) and size >= _PIECE
        most = _LONGEST_PIECE if fence else _LONG_PIECE
        if held and ((ends_a_paragraph and not fence) or size + len(line) > most):
            yield "".join(held)
            held, size = [], 0
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip().strip(fence[0]) == "" and len(mark[1]) >= len(fence):
            fence = ""
        held.append(line)
        size += len(line)
        blank = line.isspace()
    if held:
        yield "".join(held)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends; of a very long line, parts of it."""
    begun = 0
    while begun < len(text):
        end = text.find("\n", begun) + 1 or len(text)
        while end - begun > _LONG_PIECE:
            window = text[begun : begun + _LONG_PIECE]
            seams = [seam.end() for seam in _SEAM.finditer(window, _LONG_PIECE // 2)]
            cut = begun + (seams[-1] if seams else _LONG_PIECE)
            yield text[begun:cut]
            begun = cut
        yield text[begun:end]
        begun = end


def _fitting(
    cut: Sequence[str], room: int, count: Callable[[str], int]
) -> Iterator[tuple[str, int]]:
    """Yield pieces with their tokens; one that has too many, in halves."""
    for piece in cut:
        tokens = count(piece)
        if tokens <= room or len(piece) == 1:
            yield piece, tokens
        else:
            half = len(piece) // 2
            yield from _fitting((piece[:half], piece[half:]), room, count)


def _scores(cut: Sequence[str], terms: Collection[str]) -> list[float]:
    """Return how much each piece has of the terms, those that few pieces have the most."""
    scores = [0.0] * len(cut)
    folded = [piece.lower() for piece in cut]
    for term in sorted(terms)[:_MOST_TERMS]:
        counts = [piece.count(term) for piece in folded]
        having = sum(map(bool, counts))
        weight = math.log((len(cut) + 1) / (having + 0.5))
        for place, times in enumerate(counts):
            scores[place] += weight * math.log1p(min(times, _ENOUGH))
    return scores


def _best(cut: Sequence[str], scores: Sequence[float], most: int) -> list[int]:
    order = sorted(range(len(cut)), key=lambda place: (-scores[place], place))
    sizes = accumulate(len(cut[place]) for place in order)
    fitting = bisect_right(list(sizes), most)
    return sorted(place for place in order[: max(1, fitting)] if scores[place] > 0)


def _spread(cut: Sequence[str], size: int, most: int) -> list[int]:
    chosen: list[int] = []
    before = taken = 0
    for place, piece in enumerate(cut):
        if taken * size <= before * most and taken + len(piece) <= most:
            chosen.append(place)
            taken += len(piece)
        before += len(piece)
    return chosen or [0]


def _joined(cut: Sequence[str], chosen: Sequence[int]) -> str:
    wanted = set(chosen)
    shown: list[str] = []
    heading = ""
    for place, piece in enumerate(cut):
        if place in wanted:
            if shown and place - 1 not in wanted:
                shown.append("\n\n")
            if heading and place - 1 not in wanted and not _HEADING.match(piece):
                shown.append(f"{heading}\n\n")
            shown.append(piece)
        heading = _last_heading(piece) or heading
    return "".join(shown)


def _last_heading(piece: str) -> str:
    """Return the last heading of a piece, outside of code."""
    found, is_code = "", False
    for line in piece.split("\n") if "# " in piece else ():
        is_code ^= bool(_FENCE.match(line))
        if not is_code and _HEADING.match(line):
            found = line
    return found[:200].strip()
