"""Whether a summary that a model wrote says only what the original says.

That a name exists is not enough: each literal must stand beside the same name, and a denial must
stay one. What cannot be told is let pass; what is told wrong is a fault, and the extractive text
is used instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_server.compression.identifiers import literals, names_in_prose
from doctrove_server.compression.sentences import CODE_SPAN, sentences
from doctrove_server.compression.stop_words import STOP_WORDS
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


def faults(summary: str, original: Analysis, *, expected: str) -> tuple[str, ...]:
    """Return what is wrong with a summary; `expected` is the extractive one of the same size."""
    lines = [line for block in summary.split("\n") for line in sentences(block)]
    return (
        *_unknown_names(summary, original),
        *_lost_names(summary, expected),
        *(fault for line in lines for fault in _wrong_pairs(line, original)),
        *(fault for line in lines for fault in _wrong_literals(line, original.units)),
        *(fault for line in lines for fault in _turned(line, original)),
    )


def _unknown_names(summary: str, original: Analysis) -> Iterable[str]:
    known = _text(original)
    for name in names_in_prose(summary):
        if name not in known:
            yield f"`{name}` is not in the original"


def _lost_names(summary: str, expected: str) -> Iterable[str]:
    wanted = names_in_prose(expected)
    lost = [name for name in wanted if name not in summary]
    if wanted and len(lost) > MOST_LOST * len(wanted):
        yield f"{len(lost)} of {len(wanted)} names are lost"


def _wrong_pairs(line: str, original: Analysis) -> Iterable[str]:
    """`name=value` must stand like that somewhere, or the value in a statement about the name."""
    known = {(name, value.strip("'\"`")) for name, _, value in _PAIR.findall(_text(original))}
    names = {name for name, _ in known}
    for name, _, value in _PAIR.findall(line):
        bare = value.strip("'\"`.")
        if name in names and (name, bare) not in known and _is_literal(value):
            yield f"{name}={bare} is not in the original"


def _wrong_literals(line: str, units: Sequence[Unit]) -> Iterable[str]:
    """A literal must stand in a unit with the name nearest to it, or with a neighbouring word."""
    for literal in dict.fromkeys((*literals(line), *_WORDS_AS_VALUES.findall(line))):
        holders = [unit for unit in units if _stands(literal, unit.text)]
        if not holders:
            yield f"{literal} is not in the original"
            continue
        name = _named(line, literal)
        neighbours = {name} if name else _neighbours(line, literal)
        if neighbours and not any(
            _shares(neighbours, unit, units, by_name=bool(name)) for unit in holders
        ):
            yield f"{literal} stands beside other words in the original"


def _turned(line: str, original: Analysis) -> Iterable[str]:
    """A sentence that says what another says must deny what that denies."""
    stated = [
        (unit.text, _terms(CODE_SPAN.sub(" ", unit.text)))
        for unit in original.units
        if unit.kind in ("sentence", "item")
    ]
    for clause in re.split(r";\s", line):
        words = _terms(CODE_SPAN.sub(" ", clause))
        alike = [(len(words & terms) / max(1, len(words | terms)), text) for text, terms in stated]
        best, text = max(alike, default=(0.0, ""))
        if best >= _ALIKE and bool(_DENIAL.search(text)) != bool(_DENIAL.search(clause)):
            yield f"it denies what the original says, or the reverse: {clause[:80]}"


def _named(line: str, literal: str) -> str:
    """Return the name that a literal is said of: the last one before it in its clause, or after."""
    at = _place(literal, line)
    before = re.split(r"[,;]\s", line[:at])[-1]
    for part, first in ((before, False), (line[at + len(literal) :], True)):
        names = [
            name
            for name in names_in_prose(part)
            if name.lower() not in ("true", "false", "none", "null")
        ]
        if names:
            return names[0] if first else max(names, key=part.rfind)
    return ""


def _place(literal: str, text: str) -> int:
    found = re.search(rf"(?<![\w.]){re.escape(literal)}(?!\w)", text, re.IGNORECASE)
    return found.start() if found else -1


def _neighbours(line: str, literal: str) -> set[str]:
    before, _, after = line.partition(literal)
    near = (*raw_words(before)[-4:], *raw_words(after)[:4])
    return {ranking_terms(word)[0] for word in near if word.lower() not in STOP_WORDS}


def _shares(neighbours: set[str], unit: Unit, units: Sequence[Unit], *, by_name: bool) -> bool:
    around = f"{units[unit.heading].text} {unit.text}" if unit.heading >= 0 else unit.text
    if by_name:
        return any(name in around for name in neighbours)
    return bool(neighbours & _terms(around))


def _stands(literal: str, text: str) -> bool:
    return _place(literal, text) >= 0


def _is_literal(value: str) -> bool:
    return bool(literals(value) or _WORDS_AS_VALUES.fullmatch(value.strip("'\"`.")))


def _terms(text: str) -> set[str]:
    return {
        ranking_terms(word)[0]
        for word in raw_words(text)
        if len(word) > 2 and word.lower() not in STOP_WORDS
    }


def _text(analysis: Analysis) -> str:
    return "\n".join(unit.text for unit in analysis.units)
