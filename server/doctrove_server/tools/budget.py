"""`doc_extract` under a budget or the ceiling; the compression itself is imported when needed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from doctrove_schema.tokens import estimate_tokens
from doctrove_server.ranking.sections import SectionHit
from doctrove_server.tools.answer import Answer, Shown
from doctrove_server.tools.extracted import Pick

if TYPE_CHECKING:
    from doctrove_server.compression import extracting
    from doctrove_server.desk import Desk

DEFAULT_SECTIONS = 6
_SURE = 1.3
"""How far the estimate may be below the count, with room to spare (`doctrove_schema.tokens`)."""


class ExtractArgs(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Arguments of `doc_extract`."""

    id: str
    version: str = "latest"
    focus: str = ""
    max_sections: int = DEFAULT_SECTIONS
    token_budget: int | None = None
    detail: str = ""
    sections: tuple[str, ...] = ()

    @property
    def has_budget(self) -> bool:
        """Whether the answer is one under a budget."""
        return bool(self.token_budget or self.detail or self.sections)


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a call found, before anything is left out."""

    pick: Pick
    hits: tuple[SectionHit, ...]
    args: ExtractArgs
    notices: tuple[str, ...]


async def budgeted(desk: Desk, found: Found) -> Answer:
    """Answer a call that names a budget, a detail or sections; raises `InvalidArguments`."""
    from doctrove_server.compression import extracting  # noqa: PLC0415 - where there is a budget

    args = found.args
    if args.sections:
        hits = extracting.sections_asked(found.pick, args.sections)
        found = msgspec.structs.replace(found, hits=hits)
    answer = await asyncio.to_thread(
        extracting.within_budget,
        _compressible(found),
        extracting.BudgetArgs(
            token_budget=args.token_budget, detail=args.detail or "auto", sections=args.sections
        ),
        shelf=desk.shelf,
        ceiling=desk.most_answer_tokens,
    )
    return _with_shown(found.pick, answer)


async def under_ceiling(desk: Desk, found: Found, plain: Answer) -> Answer:
    """Return a plain answer as it is, or cut where it is above the ceiling."""
    answer = plain
    if desk.most_answer_tokens and not _is_small(plain, desk.most_answer_tokens):
        from doctrove_server.compression import extracting  # noqa: PLC0415 - large answers alone

        answer = await asyncio.to_thread(
            extracting.under_ceiling,
            plain,
            _compressible(found),
            shelf=desk.shelf,
            ceiling=desk.most_answer_tokens,
        )
    return _with_shown(found.pick, answer)


def _compressible(found: Found) -> extracting.Found:
    from doctrove_server.compression.extracting import Found as Call  # noqa: PLC0415 - see above

    return Call(
        pick=found.pick,
        hits=found.hits,
        shown=found.args.max_sections,
        requested=found.args.version.strip() or "latest",
        focus=found.args.focus.strip(),
        notices=found.notices,
    )


def _with_shown(pick: Pick, answer: Answer) -> Answer:
    """Return an answer that knows the originals of the sections in it."""
    wanted = {one.id for one in msgspec.convert(answer.data["sections"], list[_Id])}
    shown = tuple(
        Shown(uri=uri, body=section.body, source=section.path or uri)
        for section in pick.volume.sections
        if section.id in wanted and section.body.strip()
        for uri in (pick.uri(section),)
    )
    return msgspec.structs.replace(answer, shown=shown)


class _Id(msgspec.Struct):
    id: str


def _is_small(answer: Answer, ceiling: int) -> bool:
    """Tell cheaply that both channels are below the ceiling: no token is shorter than a byte."""
    data = msgspec.json.encode(answer.data)
    if len(data) * 6 <= ceiling:
        return True
    text = data.decode()
    return text.isascii() and max(map(estimate_tokens, (text, answer.text))) * _SURE <= ceiling
