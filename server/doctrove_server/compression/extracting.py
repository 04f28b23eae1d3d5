"""What `doc_extract` does with a budget: its parameters, the sections asked for, the ceiling.

Without a budget the answer is the plain one, unless it is above the server's ceiling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_schema.names import nearest
from doctrove_server.compression.answering import budgeted
from doctrove_server.compression.asking import SMALLEST_BUDGET, Ask
from doctrove_server.compression.packing import DETAILS, Detail
from doctrove_server.errors import InvalidArguments
from doctrove_server.ranking.sections import SectionHit
from doctrove_server.tools.extracted import Pick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_server.compression.shelf import Shelf
    from doctrove_server.tools.answer import Answer

MOST_NAMED = 50
"""Section ids of one call."""

UNBOUNDED = 1_000_000_000
"""Tokens that no answer has."""


class BudgetArgs(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The arguments of `doc_extract` that are about budgets."""

    token_budget: int | None = None
    detail: str = "auto"
    sections: tuple[str, ...] = ()


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a call found, before anything is left out."""

    pick: Pick
    hits: tuple[SectionHit, ...]
    """All of them, best first."""

    shown: int
    """How many the call asks for: `maxSections`."""

    requested: str
    focus: str = ""
    notices: tuple[str, ...] = ()


def sections_asked(pick: Pick, ids: Sequence[str]) -> tuple[SectionHit, ...]:
    """Return the sections of some ids, in the order asked for; raises `InvalidArguments`."""
    places = {section.id: place for place, section in enumerate(pick.volume.sections)}
    wanted = list(dict.fromkeys(filter(None, ids)))
    if not wanted or len(wanted) > MOST_NAMED:
        raise InvalidArguments(
            f"doc_extract.sections must name 1 to {MOST_NAMED} ids, as they stand in omitted."
            f' Call it like this: doc_extract({{"id": "{pick.holding.entry.id}",'
            f' "sections": ["{_first_id(pick)}"]}})'
        )
    for one in wanted:
        if one not in places:
            near = nearest(one, places)
            meant = f' Did you mean "{near}"?' if near else ""
            raise InvalidArguments(
                f'doc_extract.sections: this version has no section "{_shown(one)}".{meant}'
                " Call doc_extract with a focus to learn the ids"
            )
    return tuple(SectionHit(section=places[one], score=0, matches=()) for one in wanted)


def _first_id(pick: Pick) -> str:
    return next((section.id for section in pick.volume.sections), "...")


def within_budget(found: Found, args: BudgetArgs, *, shelf: Shelf, ceiling: int) -> Answer:
    """Return the answer of a call that names a budget, a detail or sections.

    Without a budget the ceiling is one, and without a ceiling nothing is; raises
    `InvalidArguments` for a detail that is none.
    """
    budget = args.token_budget or ceiling or UNBOUNDED
    shown = len(found.hits) if args.token_budget or args.sections else found.shown
    ask = _ask(found, budget, detail_of(args), shown)
    return budgeted(msgspec.structs.replace(ask, is_by_id=bool(args.sections)), shelf)


def under_ceiling(plain: Answer, found: Found, *, shelf: Shelf, ceiling: int) -> Answer:
    """Return a plain answer as it is, or what of it fits where it is above the ceiling."""
    if not ceiling or plain.is_error:
        return plain
    data = msgspec.json.encode(plain.data).decode()
    if _fits(plain.text, data, ceiling, shelf):
        return plain
    return budgeted(_ask(found, max(ceiling, SMALLEST_BUDGET), "auto", found.shown), shelf)


def detail_of(args: BudgetArgs) -> Detail:
    """Return the detail asked for; raises `InvalidArguments`."""
    for detail in DETAILS:
        if args.detail == detail:
            return detail
    raise InvalidArguments(
        f'doc_extract.detail must be one of {", ".join(DETAILS)}, not "{_shown(args.detail)}"'
    )


_MOST_SHOWN = 40
"""Sections that one answer may show; the others are in the ledger."""


def _ask(found: Found, budget: int, detail: Detail, shown: int) -> Ask:
    shown = min(shown, _MOST_SHOWN)
    return Ask(
        pick=found.pick,
        hits=found.hits[:shown],
        further=found.hits[shown:],
        requested=found.requested,
        focus=found.focus,
        budget=budget,
        detail=detail,
        notices=found.notices,
    )


def _fits(text: str, data: str, ceiling: int, shelf: Shelf) -> bool:
    """Tell whether both channels are below the ceiling; no token is shorter than a byte."""
    if max(len(channel.encode("utf-8", "replace")) for channel in (text, data)) <= ceiling:
        return True
    once = shelf.counts.once
    return max(once(text), once(data)) <= ceiling


def _shown(text: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in text[:100])
