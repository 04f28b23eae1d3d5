"""What an original says, looked up by name, by value and by likeness; read once."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from math import log
from typing import TYPE_CHECKING

from doctrove_server.compression.claims import Claim, claims, code_pairs, subject_of, thing
from doctrove_server.compression.identifiers import literals, names_in_code, names_in_prose
from doctrove_server.compression.quantities import quantity, unit_of
from doctrove_server.compression.sentences import sentences
from doctrove_server.ranking.words import raw_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_server.compression.concepts import Analysis
    from doctrove_server.compression.quantities import Quantity
    from doctrove_server.compression.units import Unit

MOST_ALIKE = 40
"""Claims that are looked at of those that hold the same."""

OUTDATED = re.compile(r"\b(?:deprecated|removed|obsolete)\b", re.IGNORECASE)


class Original:
    """What the original says, unit by unit."""

    def __init__(self, original: Analysis) -> None:
        self._units = original.units
        self.text = "\n".join(f"{unit.opener}{unit.text}" for unit in original.units)
        self.flat = " ".join(self.text.split())
        self.claims: list[Claim] = []
        self.pairs: dict[str, dict[tuple[Quantity, str], None]] = {}
        """By name, the values said of it, and the text that says so."""
        self.defaults: dict[str, set[Quantity]] = {}
        """By name, the values that are said to be its default."""
        self.values: dict[Quantity, list[Claim]] = {}
        self._around: dict[int, str] = {}
        self._before: dict[int, str] = {}
        self._heads: dict[int, str] = {}
        self._nearest: dict[Claim, tuple[float, list[Claim]]] = {}
        self._items = _items(original.units)
        self._scopes: dict[int, str] = {}
        self._known: set[object] = set()
        self._last = self._head = ""
        before, group = "", -1
        for unit in self._units:
            heading = self._units[unit.heading].text.lstrip("# ") if unit.heading >= 0 else ""
            before = "" if unit.group != group and unit.kind == "item" else before
            before = self._read(unit, heading, before)
            group = unit.group

    def _read(self, unit: Unit, heading: str, before: str) -> str:
        around = f"{heading} {unit.opener} {unit.text}"
        self._head = f"{heading} {unit.opener}"
        if unit.kind in ("code", "signature"):
            self._add(_of_code(unit.text, len(self._around)), around, "")
            return before
        if unit.kind == "row":
            self._add(_of_row(unit.text, len(self._around)), around, heading)
            return before
        last = ""
        for line in sentences(f"{unit.subject}{unit.text}".lstrip("# ")):
            self._before[len(self._around)] = last or self._last
            self._scopes[len(self._around)] = self._items.get(unit.group, "")
            self._last = last = line
            found = claims(line, number=len(self._around), before=before)
            before = subject_of(found, before)
            for claim in found:
                self._add(claim, around, heading)
            names = [name for claim in found for name in claim.things]
            for claim in found:
                if not claim.things:
                    self._pair(((n, value) for value in claim.values for n in names[:1]), around)
                for name, value in claim.pairs if "default" in claim.words else ():
                    self.defaults.setdefault(name, set()).add(value)
        return before

    def _add(self, claim: Claim, around: str, heading: str) -> None:
        self._around[claim.sentence] = around
        self._heads[claim.sentence] = self._head
        said = (claim.text, claim.subject, claim.things, claim.words, claim.values, around)
        if said in self._known:
            return
        self._known.add(said)
        self.claims.append(claim)
        for value in claim.values:
            held = self.values.setdefault(value, [])
            if len(held) < MOST_ALIKE:
                held.append(claim)
        self._pair((*claim.pairs, *claim.loose, *code_pairs(claim.text)), around)
        if not claim.things:
            of = (*names_in_prose(heading), heading)
            self._pair(((name, value) for value in claim.values for name in of if name), around)

    def _pair(self, pairs: Iterable[tuple[str, Quantity]], around: str) -> None:
        for name, value in pairs:
            self.pairs.setdefault(name, {})[value, around] = None

    def around(self, claim: Claim) -> str:
        """Return the unit of a claim with its heading and the head of its table."""
        return self._around[claim.sentence]

    def head(self, claim: Claim) -> str:
        """Return the heading above a claim, and the head of its table."""
        return self._heads[claim.sentence]

    def item(self, claim: Claim) -> str:
        """Return the whole list item that a claim stands in; empty where it stands in none."""
        return self._scopes.get(claim.sentence, "")

    def before(self, claim: Claim) -> str:
        """Return the sentence before that of a claim."""
        return self._before.get(claim.sentence, "")

    def says(self, name: str, value: Quantity) -> bool:
        """Tell whether a value is said of a name."""
        return any(value.same(own, units_in(around)) for own, around in self.pairs.get(name, ()))

    def defaults_differ(self, name: str, value: Quantity) -> bool:
        """Tell whether the original names defaults of a name, and this is none of them."""
        named = self.defaults.get(name, ())
        return bool(named) and not any(value.same(own, ()) for own in named)

    @cached_property
    def _outdated(self) -> list[str]:
        return [claim.text for claim in self.claims if OUTDATED.search(claim.text)]

    def replaces(self, name: str) -> bool:
        """Tell whether a name is what to use instead of something outdated."""
        used = re.compile(rf"\buse\s+`?{re.escape(name)}(?!\w)", re.IGNORECASE)
        return any(used.search(text) for text in self._outdated)

    def about(self, name: str) -> Iterator[Claim]:
        """Yield the claims about a name."""
        for place in self._by_word.get(name, ()):
            yield self.claims[place]

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, claim in enumerate(self.claims):
            for key in {*claim.about, *claim.words, *(value.value for value in claim.values)}:
                found.setdefault(key, []).append(place)
        return found

    def nearest(self, claim: Claim) -> tuple[float, list[Claim]]:
        """Return the claims that say the most of what a claim says, and which share of it."""
        if claim not in self._nearest:
            self._nearest[claim] = self._nearest_now(claim)
        return self._nearest[claim]

    def _nearest_now(self, claim: Claim) -> tuple[float, list[Claim]]:
        weights = dict.fromkeys(claim.words, 1.0)
        weights |= dict.fromkeys((value.value for value in claim.values), 2.0)
        weights |= dict.fromkeys(claim.about, 3.0)
        for key, weight in weights.items():
            weights[key] = weight / (1 + log(max(1, len(self._by_word.get(key, ())))))
        scores: dict[int, float] = {}
        for key, weight in weights.items():
            for place in self._by_word.get(key, ()):
                scores[place] = scores.get(place, 0.0) + weight
        best = max(scores.values(), default=0.0)
        return best / (sum(weights.values()) or 1.0), [
            self.claims[place] for place, score in scores.items() if score >= best - 1e-9
        ][:MOST_ALIKE]

    def holders(self, value: Quantity) -> list[Claim]:
        """Return the claims that hold a value."""
        return [
            claim
            for own, claims_of in self.values.items()
            if own.value == value.value or own.unit
            for claim in claims_of
            if value.same(own, units_in(self.around(claim)))
        ]


def _items(units: Iterable[Unit]) -> dict[int, str]:
    """Return the texts of list items by the number of their block."""
    found: dict[int, list[str]] = {}
    for unit in units:
        if unit.kind == "item":
            found.setdefault(unit.group, []).append(unit.text)
    return {group: " ".join(texts) for group, texts in found.items()}


def _of_code(code: str, number: int) -> Claim:
    names = tuple(thing(name) for name in names_in_code(code))
    values = tuple(value for text in literals(code) if (value := quantity(text)))
    return Claim(text=code, sentence=number, things=names, values=values, free=True)


def _of_row(row: str, number: int) -> Claim:
    """Return what a row says: all that stands in it is said of its first cell."""
    cells = [cell for cell in row.strip("| ").split(" | ") if cell]
    parts = [claim for cell in cells for claim in claims(cell.replace("\\|", "|"))]
    first = tuple(name for claim in claims(cells[0]) for name in claim.things) if cells else ()
    values = tuple(value for claim in parts for value in claim.values)
    return Claim(
        text=row,
        sentence=number,
        things=tuple(name for claim in parts for name in claim.things),
        verbs=frozenset(found for claim in parts for found in claim.verbs),
        words=frozenset(word for claim in parts for word in claim.words),
        poles=frozenset(found for claim in parts for found in claim.poles),
        values=values,
        pairs=tuple((name, value) for name in first or cells[:1] for value in values),
        denies=any(claim.denies for claim in parts),
        limited=any(claim.limited for claim in parts),
        free=True,
    )


@lru_cache(maxsize=4_096)
def units_in(text: str) -> frozenset[str]:
    """Return the units of measure that a text names."""
    return frozenset(found for word in raw_words(text) if (found := unit_of(word)))
