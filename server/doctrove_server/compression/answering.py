"""A budgeted answer of `doc_extract`: the text and the structure, each within the budget alone.

What stands around the sections is made lean first, then the ledger of what is left out is
shortened, then the sections; what is left out is always said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import msgspec

from doctrove_server.compression.advising import advice
from doctrove_server.compression.channels import DataChannel, TextChannel
from doctrove_server.compression.counting import of_json
from doctrove_server.compression.ledger import Entries, Entry, Ledger, ledger, left_out
from doctrove_server.compression.packing import Candidate, Measure, Packed, Packer, within
from doctrove_server.tools.answer import Answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from doctrove_server.compression.asking import Ask
    from doctrove_server.compression.counting import Counting
    from doctrove_server.compression.shelf import Shelf
    from doctrove_server.ranking.sections import SectionHit

LEDGER_SHARE = 0.15
"""Share of a budget that is kept for the ledger; more where there is room left over."""

_SAMPLED = 3
"""Names of which the length of the others is guessed."""

_RICH, _MEDIUM = 1_500, 250
"""Budgets from which the frame says everything, and more than what must be said."""

_T = TypeVar("_T")


class Channel(Protocol[_T]):
    """One of the two forms of an answer, in three shapes: 0 rich, 1 medium, 2 lean."""

    @property
    def stretch(self) -> float:
        """How many tokens one of the units' costs comes to as a rule."""
        ...

    def show(self, ask: Ask, packed: Sequence[Packed], ledger: Ledger, *, shape: int) -> _T:
        """Return the whole answer."""
        ...

    def frame(self, ask: Ask, hit: SectionHit, *, shape: int) -> str:
        """Return what stands around one section's body."""
        ...

    def body(self, text: str) -> str:
        """Return a body as it is counted."""
        ...

    def entry(self, entry: Entry) -> str:
        """Return what the ledger says of a section, as it is counted."""
        ...

    def write(self, made: _T, /) -> str:
        """Return the answer as it is counted."""
        ...

    def nothing(self, ask: Ask) -> _T:
        """Return the shortest answer, for a budget that holds nothing else."""
        ...


def budgeted(ask: Ask, shelf: Shelf) -> Answer:
    """Return an answer of which neither channel is above the budget."""
    counts = shelf.counts
    ask = msgspec.structs.replace(ask, estimated=not counts.exact)
    packer = Packer(
        [
            Candidate(section.heading, section.body, summary=section.summary)
            for section in map(ask.section, ask.hits)
        ],
        query=ask.focus,
        detail=ask.detail,
        shelf=shelf,
    )
    entries = Entries(ask, counts.count)
    text, _ = _Fitting(ask, packer, entries, TextChannel(), counts).fitted()
    data, shown = _Fitting(ask, packer, entries, DataChannel(), of_json(counts)).fitted()
    shelf.note([one.ratio for one in shown], [one.retention for one in shown])
    return Answer(text=text, data=data)


class _Fitting(Generic[_T]):
    """One channel fitted into the budget: by sums, and counted as a whole in the end."""

    def __init__(
        self,
        ask: Ask,
        packer: Packer,
        entries: Entries,
        channel: Channel[_T],
        counts: Counting,
    ) -> None:
        self._ask = ask
        self._packer = packer
        self._entries = entries
        self._channel = channel
        self._counts = counts

    def fitted(self) -> tuple[_T, tuple[Packed, ...]]:
        """Return the richest form of the answer that fits, and what it shows."""
        budget = self._ask.budget
        for shape in range(0 if budget >= _RICH else 1 if budget >= _MEDIUM else 2, 3):
            found = self._shaped(shape)
            if found and (found[1] or shape == 2 or not self._ask.hits):
                return found
        return self._channel.nothing(self._ask), ()

    def _shaped(self, shape: int) -> tuple[_T, tuple[Packed, ...]] | None:
        ask, measure = self._ask, self._measure(shape)
        whole = None if ask.further else self._packer.everything(ask.budget, measure)
        if whole is not None:
            made = self._channel.show(ask, whole, Ledger(), shape=shape)
            if self._tokens(made) <= ask.budget:
                return made, whole
        said = advice(ask, self._entries, shape=shape, count=of_json(self._counts).once)
        bare, around = (
            self._tokens(self._channel.show(ask, (), left, shape=shape))
            for left in (Ledger(), _unnamed(ask, said))
        )
        if around >= ask.budget:
            return None
        reserve = self._reserve(int(ask.budget * LEDGER_SHARE) - (around - bare))

        def make(limit: int) -> tuple[_T, tuple[Packed, ...]]:
            packed = self._packer.packed(limit - around - reserve, measure)
            spent = sum(measure.price(one.place) + measure.cost(one.text) for one in packed)
            named = self._named(left_out(ask, packed), limit - around - spent)
            return self._channel.show(
                ask, packed, ledger(ask, packed, named, advice=said), shape=shape
            ), packed

        found = within(
            ask.budget,
            make,
            lambda made: self._channel.write(made[0]),
            self._counts.once,
            room=ask.budget,
        )
        return found[0] if found else None

    def _measure(self, shape: int) -> Measure:
        ask, channel, count = self._ask, self._channel, self._counts.count
        prices: dict[int, int] = {}

        def price(place: int) -> int:
            if place not in prices:
                frame = channel.frame(ask, ask.hits[place], shape=shape)
                prices[place] = 2 + count(frame)
            return prices[place]

        return Measure(price, lambda text: count(channel.body(text)), channel.stretch)

    def _reserve(self, most: int) -> int:
        """Return the room that is kept for names."""
        named = list(left_out(self._ask, ()))
        some = [self._cost_of(hit) for hit in named[:_SAMPLED]]
        likely = sum(some) * len(named) // max(1, len(some))
        return max(0, min(most, likely))

    def _named(self, left: Iterable[SectionHit], room: int) -> tuple[Entry, ...]:
        """Return the entries of the first sections, as many as there is room for."""
        found: list[Entry] = []
        for hit in left:
            room -= self._cost_of(hit)
            if room < 0:
                break
            found.append(self._entries.of(hit))
        return tuple(found)

    def _cost_of(self, hit: SectionHit) -> int:
        return self._counts.count(self._channel.entry(self._entries.of(hit)))

    def _tokens(self, made: _T) -> int:
        return self._counts.once(self._channel.write(made))


def _unnamed(ask: Ask, advice: str) -> Ledger:
    """Return the longest ledger that names nothing."""
    left = len(ask.hits) + len(ask.further)
    return Ledger(unnamed=left, parts=10, rest=10_000, advice=advice)
