"""Whether a summary that a model wrote says only what the original says.

That a name exists is not enough: each literal must stand beside the same name, and a denial must
stay one. What cannot be told is let pass; what is told wrong is a fault, and the extractive text
is used instead.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from doctrove_server.compression.identifiers import literals, names_in_prose
from doctrove_server.compression.sentences import CODE_SPAN, sentences
from doctrove_server.compression.stop_words import STOP_WORDS
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_server.compression.concepts import Analysis
    from doctrove_server.compression.units import Unit

MOST_LOST = 0.5
"""Share of the names that the extractive text has and the summary may lack."""

_PAIR = re.compile(r"([A-Za-z_$][\w$.-]*)\s*(?:=|:)\s*(`?)([\w.'\"-]+)\2")
_WORDS_AS_VALUES = re.compile(r"\b(?:true|false|none|null|undefined)\b", re.IGNORECASE)
_DENIAL = re.compile(
    r"\b(?:not|never|no|cannot|without|isn't|doesn't|don't|won't|can't)\b|n't\b", re.IGNORECASE
)
_ALIKE = 0.4
"""Share of the words of two sentences that both have, above which both say the same."""

_NO_NAMES = frozenset({"true", "false", "none", "null"})


def faults(summary: str, original: Analysis, *, expected: str) -> tuple[str, ...]:
    """Return what is wrong with a summary; `expected` is the extractive one of the same size."""
    stated = _Stated(original)
    lines = [line for block in summary.split("\n") for line in sentences(block)]
    return (
        *_unknown_names(summary, stated),
        *_lost_names(summary, expected),
        *(fault for line in lines for fault in _wrong_pairs(line, stated)),
        *(fault for line in lines for fault in _wrong_literals(line, stated)),
        *(fault for line in lines for fault in _turned(line, stated)),
    )


class _Stated:
    """What the original says, looked up by name, by literal and by words, each found once."""

    def __init__(self, original: Analysis) -> None:
        self._units = original.units
        self._lower = [unit.text.lower() for unit in original.units]
        self._holders: dict[str, list[int]] = {}
        self.text = "\n".join(unit.text for unit in original.units)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Names and their values, wherever `name=value` or `name: value` stands."""
        return frozenset((name, value.strip("'\"`")) for name, _, value in _PAIR.findall(self.text))

    @cached_property
    def paired(self) -> frozenset[str]:
        """The names of the pairs."""
        return frozenset(name for name, _ in self.pairs)

    def holders(self, literal: str) -> list[int]:
        """Return the places of the units that a literal stands in, in any letter case."""
        lower = literal.lower()
        if lower not in self._holders:
            standing = _standing(lower)
            self._holders[lower] = [
                place
                for place, text in enumerate(self._lower)
                if lower in text and standing.search(text)
            ]
        return self._holders[lower]

    def around(self, place: int) -> str:
        """Return a unit with its heading."""
        unit = self._units[place]
        return f"{self._units[unit.heading].text} {unit.text}" if unit.heading >= 0 else unit.text

    @cached_property
    def _sentences(self) -> list[tuple[str, int]]:
        """The different sentences and items, each with the number of its words."""
        return list({unit.text: len(_said(unit)) for unit in self._units if _said(unit)}.items())

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, (text, _) in enumerate(self._sentences):
            for word in _terms(CODE_SPAN.sub(" ", text)):
                found.setdefault(word, []).append(number)
        return found

    def alike(self, words: frozenset[str]) -> tuple[float, str]:
        """Return the sentence most alike to some words, and how alike: shared words of all."""
        shared = Counter(number for word in words for number in self._by_word.get(word, ()))
        return max(
            (
                (count / (len(words) + size - count), text)
                for number, count in shared.items()
                for text, size in (self._sentences[number],)
            ),
            default=(0.0, ""),
        )


def _said(unit: Unit) -> frozenset[str]:
    """Return the words of a sentence or item outside code; none of other units."""
    if unit.kind not in ("sentence", "item"):
        return frozenset()
    return _terms(CODE_SPAN.sub(" ", unit.text))


def _unknown_names(summary: str, stated: _Stated) -> Iterable[str]:
    for name in names_in_prose(summary):
        if name not in stated.text:
            yield f"`{name}` is not in the original"


def _lost_names(summary: str, expected: str) -> Iterable[str]:
    wanted = names_in_prose(expected)
    lost = [name for name in wanted if name not in summary]
    if wanted and len(lost) > MOST_LOST * len(wanted):
        yield f"{len(lost)} of {len(wanted)} names are lost"


def _wrong_pairs(line: str, stated: _Stated) -> Iterable[str]:
    """`name=value` must stand like that somewhere, or the value in a statement about the name."""
    for name, _, value in _PAIR.findall(line):
        bare = value.strip("'\"`.")
        if name in stated.paired and (name, bare) not in stated.pairs and _is_literal(value):
            yield f"{name}={bare} is not in the original"


def _wrong_literals(line: str, stated: _Stated) -> Iterable[str]:
    """A literal must stand in a unit with the name nearest to it, or with a neighbouring word."""
    for literal in dict.fromkeys((*literals(line), *_WORDS_AS_VALUES.findall(line))):
        holders = stated.holders(literal)
        if not holders:
            yield f"{literal} is not in the original"
            continue
        name = _named(line, literal)
        neighbours = set[str]() if name else _neighbours(line, literal)
        if not (name or neighbours):
            continue
        around = map(stated.around, holders)
        if not any(name in text if name else neighbours & _terms(text) for text in around):
            yield f"{literal} stands beside other words in the original"


def _turned(line: str, stated: _Stated) -> Iterable[str]:
    """A sentence that says what another says must deny what that denies."""
    for clause in re.split(r";\s", line):
        how, text = stated.alike(_terms(CODE_SPAN.sub(" ", clause)))
        if how >= _ALIKE and bool(_DENIAL.search(text)) != bool(_DENIAL.search(clause)):
            yield f"it denies what the original says, or the reverse: {clause[:80]}"


def _named(line: str, literal: str) -> str:
    """Return the name that a literal is said of: the last one before it in its clause, or after."""
    found = _standing(literal).search(line)
    at = found.start() if found else -1
    before = re.split(r"[,;]\s", line[:at])[-1]
    for part, first in ((before, False), (line[at + len(literal) :], True)):
        names = [name for name in names_in_prose(part) if name.lower() not in _NO_NAMES]
        if names:
            return names[0] if first else max(names, key=part.rfind)
    return ""


@lru_cache(maxsize=1_024)
def _standing(literal: str) -> re.Pattern[str]:
    """Return what finds a literal that stands alone."""
    return re.compile(rf"(?<![\w.]){re.escape(literal)}(?!\w)", re.IGNORECASE)


def _neighbours(line: str, literal: str) -> set[str]:
    before, _, after = line.partition(literal)
    near = (*raw_words(before)[-4:], *raw_words(after)[:4])
    return {ranking_terms(word)[0] for word in near if word.lower() not in STOP_WORDS}


def _is_literal(value: str) -> bool:
    return bool(literals(value) or _WORDS_AS_VALUES.fullmatch(value.strip("'\"`.")))


@lru_cache(maxsize=4_096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(
        ranking_terms(word)[0]
        for word in raw_words(text)
        if len(word) > 2 and word.lower() not in STOP_WORDS
    )
