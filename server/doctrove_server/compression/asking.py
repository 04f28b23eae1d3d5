"""What a budgeted answer is made from: what was asked for, and what was found."""

from __future__ import annotations

import msgspec

from doctrove_schema.model import Section  # noqa: TC001 - annotations of a struct are kept
from doctrove_server.compression.packing import Detail
from doctrove_server.ranking.sections import SectionHit
from doctrove_server.tools.extracted import Pick

SMALLEST_BUDGET, LARGEST_BUDGET = 100, 20_000


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A call of `doc_extract` under a budget."""

    pick: Pick
    hits: tuple[SectionHit, ...]
    """Best first; all of them may be shown."""

    further: tuple[SectionHit, ...] = ()
    """Found too, but for the ledger alone."""

    requested: str
    """The version asked for."""

    focus: str = ""
    budget: int
    """Tokens of each channel."""

    detail: Detail = "auto"
    is_by_id: bool = False
    """Whether the sections were asked for by their ids."""

    notices: tuple[str, ...] = ()
    estimated: bool = False
    """Whether tokens are bounded from above, not counted."""

    def section(self, hit: SectionHit) -> Section:
        """Return the section of a hit."""
        return self.pick.volume.sections[hit.section]
