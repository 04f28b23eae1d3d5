"""What an answer does not show, and what to call for it."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

import msgspec

from doctrove_schema.tokens import estimate_tokens
from doctrove_server.compression.asking import LARGEST_BUDGET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from doctrove_server.compression.asking import Ask
    from doctrove_server.compression.packing import Packed
    from doctrove_server.ranking.sections import SectionHit

MOST_NAMED = 20
LONGEST = 120
"""Characters of a name, heading or id in a frame; ids in the structure stay whole."""

_COUNTED = 6 * LARGEST_BUDGET
"""Characters above which a body is longer than any budget, and its tokens are estimated."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A section that is not shown."""

    id: str
    heading: str
    tokens: int
    """Of its body, counted as the budget is."""

    uri: str = ""
    """Its address, where it is above any budget."""


class Ledger(msgspec.Struct, frozen=True, kw_only=True):
    """What is left out of one form of an answer."""

    named: tuple[Entry, ...] = ()
    unnamed: int = 0
    """How many sections besides."""

    parts: int = 0
    """How many sections are shown in part."""

    rest: int = 0
    """Tokens of those that are not shown."""

    advice: str = ""
    """What to call next, without a full stop; empty where nothing is left out."""


class Entries:
    """The entries of one answer, each made once."""

    def __init__(self, ask: Ask, count: Callable[[str], int]) -> None:
        self._ask = ask
        self._count = count
        self._known: dict[int, Entry] = {}

    def of(self, hit: SectionHit) -> Entry:
        """Return what the ledger says of a section."""
        known = self._known.get(hit.section)
        if known is None:
            section = self._ask.section(hit)
            tokens = self.tokens(hit)
            known = self._known[hit.section] = Entry(
                id=section.id,
                heading=section.heading[:LONGEST],
                tokens=tokens,
                uri=self._ask.pick.uri(section)[:600] if tokens > LARGEST_BUDGET else "",
            )
        return known

    def tokens(self, hit: SectionHit) -> int:
        """Return the tokens of a section's body."""
        section = self._ask.section(hit)
        if len(section.body) <= _COUNTED:
            return self._count(section.body)
        return section.tokens or estimate_tokens(section.body)


def left_out(ask: Ask, packed: Sequence[Packed], *, most: int = MOST_NAMED) -> Iterator[SectionHit]:
    """Return the first of the sections that are not shown at all, best first."""
    shown = {one.place for one in packed}
    left = (hit for place, hit in enumerate(ask.hits) if place not in shown)
    return islice(chain(left, ask.further), most)


def ledger(ask: Ask, packed: Sequence[Packed], named: tuple[Entry, ...], *, advice: str) -> Ledger:
    """Return what is left out, `named` of the sections by name."""
    missing = len(ask.hits) + len(ask.further) - len({one.place for one in packed})
    cut = [one for one in packed if one.level != "full"]
    return Ledger(
        named=named,
        unnamed=missing - len(named),
        parts=len(cut),
        rest=sum(max(0, one.original_tokens - one.tokens) for one in cut),
        advice=advice if missing or cut else "",
    )
