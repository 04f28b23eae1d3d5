"""A budgeted answer of `doc_extract`: the text and the structure, each within the budget alone.

What stands around the sections is made lean first, then the ledger of what is left out is
shortened, then the sections; what is left out is always said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import msgspec

from doctrove_server.compression.channels import DataChannel, TextChannel, structure_tokens
from doctrove_server.compression.packing import Candidate, Drafts, Packed, pack, within
from doctrove_server.tools.answer import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from doctrove_server.compression.asking import Ask
    from doctrove_server.compression.shelf import Shelf
    from doctrove_server.ranking.sections import SectionHit

LEDGER_SHARE = 0.15
"""Share of a budget that the list of what is left out may take."""

_LEDGER_SIZES = (20, 8, 3, 1, 0)
_RICH, _MEDIUM = 1_500, 250
"""Budgets from which the frame says everything, and more than what must be said."""

_T = TypeVar("_T")


class Channel(Protocol[_T]):
    """One of the two forms of an answer, in three shapes: 0 rich, 1 medium, 2 lean."""

    def show(self, ask: Ask, packed: Sequence[Packed], *, shape: int, named: int) -> _T:
        """Return the whole answer, `named` of the sections left out by name."""
        ...

    def frame(self, ask: Ask, hit: SectionHit, *, shape: int) -> str:
        """Return what stands around one section's body."""
        ...

    def write(self, made: _T, /) -> str:
        """Return the answer as it is counted."""
        ...

    def nothing(self, ask: Ask) -> _T:
        """Return the shortest answer, for a budget that holds nothing else."""
        ...


def budgeted(ask: Ask, shelf: Shelf) -> Answer:
    """Return an answer of which neither channel is above the budget."""
    count = shelf.counts.count
    ask = msgspec.structs.replace(ask, estimated=not shelf.counts.exact)
    drafts = Drafts()
    text = _Fitting(ask, shelf, drafts, TextChannel(), count).fitted()
    data = _Fitting(ask, shelf, drafts, DataChannel(), structure_tokens(count)).fitted()
    return Answer(text=text, data=data)


class _Fitting(Generic[_T]):
    """One channel fitted into the budget."""

    def __init__(
        self,
        ask: Ask,
        shelf: Shelf,
        drafts: Drafts,
        channel: Channel[_T],
        measure: Callable[[str], int],
    ) -> None:
        self._ask = ask
        self._shelf = shelf
        self._drafts = drafts
        self._channel = channel
        self._measure = measure

    def fitted(self) -> _T:
        """Return the richest form of the answer that fits."""
        budget = self._ask.budget
        for shape in range(0 if budget >= _RICH else 1 if budget >= _MEDIUM else 2, 3):
            named = self._ledger(shape)
            around = self._tokens(self._show((), shape, named))
            if around < budget or not self._ask.hits:
                found = self._filled(shape, named, budget - around)
                if found is not None:
                    return found
        return self._channel.nothing(self._ask)

    def _filled(self, shape: int, named: int, room: int) -> _T | None:
        ask = self._ask
        candidates = [
            Candidate(
                section.heading, section.body, 4 + self._measure(frame), summary=section.summary
            )
            for hit in ask.hits
            for section, frame in [(ask.section(hit), self._channel.frame(ask, hit, shape=shape))]
        ]

        def make(room: int) -> _T:
            packed = pack(
                candidates,
                query=ask.focus,
                room=room,
                detail=ask.detail,
                shelf=self._shelf,
                drafts=self._drafts,
            )
            return self._show(packed, shape, named)

        found = within(ask.budget, make, self._channel.write, self._measure, room=room)
        return found[0] if found else None

    def _ledger(self, shape: int) -> int:
        """Return how many of the sections left out are named."""
        bare = self._tokens(self._show((), shape, 0))
        most = self._ask.budget * LEDGER_SHARE
        for named in _LEDGER_SIZES:
            if self._tokens(self._show((), shape, named)) - bare <= most:
                return named
        return 0

    def _show(self, packed: Sequence[Packed], shape: int, named: int) -> _T:
        return self._channel.show(self._ask, packed, shape=shape, named=named)

    def _tokens(self, made: _T) -> int:
        return self._measure(self._channel.write(made))
