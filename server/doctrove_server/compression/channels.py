"""The two forms of a budgeted answer: Markdown, and JSON with the same in fields."""

from __future__ import annotations

import json
import re
from itertools import chain, islice
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.tools.answer import notes, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from doctrove_server.compression.asking import Ask
    from doctrove_server.compression.packing import Packed
    from doctrove_server.ranking.sections import SectionHit

Data = dict[str, object]

_LONGEST = 120
"""Characters of a name, heading or id in a frame; ids in the structure stay whole."""

_OTHER_SCRIPTS = re.compile(r"[^\x00-\x7f]+")


class TextChannel:
    """The answer as a model reads it."""

    def show(self, ask: Ask, packed: Sequence[Packed], *, shape: int, named: int) -> str:
        """Return the whole answer."""
        parts = [_head(ask, shape)]
        for one in packed:
            hit = ask.hits[one.place]
            parts.append(f"{self.frame(ask, hit, shape=shape, shown=one)}{one.text.strip()}")
        if not ask.hits:
            parts.append("No section matches. Try another word, or leave focus out.")
        return "\n\n".join([*parts, *_ledger(ask, packed, named)]) + "\n"

    def frame(self, ask: Ask, hit: SectionHit, *, shape: int, shown: Packed | None = None) -> str:
        """Return the heading of a section and the line that says where it is from."""
        section = ask.section(hit)
        heading = _short(section.heading or section.id)
        level, tokens, whole = (
            (shown.level, shown.tokens, shown.original_tokens) if shown else ("units", 999, 9999)
        )
        cut = "" if level == "full" else f"{level}: {tokens} of {whole} tokens"
        if shape == 2:
            return f"## {heading} [`{_short(section.id)}`{' ' + cut if cut else ''}]\n"
        facts = [
            f"section `{_short(section.id)}`",
            cut,
            f"score {number(hit.score)}" if hit.score and not shape else "",
            f"since {section.since}" if section.since else "",
            section.path[:400] if not shape else "",
        ]
        return f"## {heading}\n\n[{' · '.join(filter(None, facts))}]\n\n"

    def write(self, made: str, /) -> str:
        """Return the text itself."""
        return made

    def nothing(self, ask: Ask) -> str:
        """Return the shortest answer."""
        return f"{len(ask.hits)} sections found; none fits. Use a larger tokenBudget."


class DataChannel:
    """The answer as a structure."""

    def show(self, ask: Ask, packed: Sequence[Packed], *, shape: int, named: int) -> Data:
        """Return the whole answer."""
        left = _left_out(ask, packed)
        entry, selection = ask.pick.holding.entry, ask.pick.selection
        data: Data = {"id": entry.id[:_LONGEST], "version": selection.version[:_LONGEST]}
        if shape < 2:
            data |= {"name": entry.name[:_LONGEST], "requested": ask.requested[:_LONGEST]}
        if shape < 2:
            data |= {"releaseKind": selection.kind, "releaseNote": selection.note[:200]}
        if not shape:
            data |= {"versions": list(entry.versions[:20])}
            data |= {"volumeSummary": ask.pick.volume.summary[:600]}
        data["sections"] = [self._section(ask, one, shape) for one in packed]
        data["total"] = len(ask.hits) + len(ask.further)
        data["omitted"] = [self._omitted(ask, hit) for hit in _first(ask, packed, named)]
        if left > named:
            data["omittedUnnamed"] = left - named
        if shape < 2:
            data["source"] = ask.pick.holding.source[:200]
            data["tokenBudget"] = ask.budget
        if ask.estimated:
            data["estimated"] = True
        if ask.notices and not shape:
            data["notices"] = [notice[:300] for notice in ask.notices[:5]]
        return data

    def frame(self, ask: Ask, hit: SectionHit, *, shape: int) -> str:
        """Return a section's fields without its body."""
        section = ask.section(hit)
        fields: Data = {"id": section.id, "body": "", "level": "units"}
        if shape < 2:
            fields |= {"heading": section.heading[:_LONGEST], "tokens": 9999}
            fields |= {"originalTokens": 9999, "ratio": 0.1234, "retention": 0.1234}
        if not shape:
            fields |= {"path": section.path[:400], "score": hit.score}
            fields |= {"matches": list(hit.matches), "trail": list(section.trail[:6])}
            fields |= {"uri": ask.pick.uri(section)[:600], "sha256": section.sha256}
        return self.write(fields)

    def write(self, made: Data, /) -> str:
        """Return compact JSON."""
        return msgspec.json.encode(made).decode()

    def nothing(self, ask: Ask) -> Data:
        """Return the shortest answer."""
        return {
            "sections": [],
            "total": len(ask.hits) + len(ask.further),
            "notices": ["Nothing fits; use a larger tokenBudget."],
        }

    def _section(self, ask: Ask, one: Packed, shape: int) -> Data:
        hit = ask.hits[one.place]
        section = ask.section(hit)
        fields: Data = {"id": section.id}
        if shape < 2:
            fields["heading"] = section.heading[:_LONGEST]
        if not shape and section.path:
            fields["path"] = section.path[:400]
        fields |= {"body": one.text, "level": one.level}
        if shape < 2:
            fields |= {"tokens": one.tokens, "originalTokens": one.original_tokens}
            fields |= {"ratio": one.ratio, "retention": one.retention}
        if not shape:
            fields |= {"score": hit.score, "matches": list(hit.matches)}
            fields |= {"trail": list(section.trail[:6]), "uri": ask.pick.uri(section)[:600]}
            fields["sha256"] = section.sha256
        return fields

    def _omitted(self, ask: Ask, hit: SectionHit) -> Data:
        section = ask.section(hit)
        return {
            "id": section.id,
            "heading": section.heading[:_LONGEST],
            "tokens": section.tokens,
        }


def structure_tokens(count: Callable[[str], int]) -> Callable[[str], int]:
    """Return how JSON is counted: as it is, or with other scripts escaped, whichever is more."""

    def tokens(text: str) -> int:
        if text.isascii():
            return count(text)
        escaped = _OTHER_SCRIPTS.sub(lambda run: json.dumps(run[0])[1:-1], text)
        return max(count(text), count(escaped))

    return tokens


def _head(ask: Ask, shape: int) -> str:
    entry, selection = ask.pick.holding.entry, ask.pick.selection
    title = f"# {_short(entry.name)} {_short(selection.version)}"
    estimated = " Token counts are estimated from above." if ask.estimated and shape < 2 else ""
    if shape == 2:
        return f"{title}{' (tokens estimated)' if ask.estimated else ''}"
    said = f"asked for {_short(ask.requested)}, given {_short(selection.version)}"
    source = f" Source: {ask.pick.holding.source[:200]}." if not shape else ""
    notices = notes(notice[:300] for notice in ask.notices[:5]) if not shape else ""
    return f"{title}\n\nVersion: {said} ({selection.note[:200]}).{source}{estimated}{notices}"


def _ledger(ask: Ask, packed: Sequence[Packed], named: int) -> list[str]:
    left = _left_out(ask, packed)
    if not left:
        return []
    names = "; ".join(_entry(ask, hit) for hit in _first(ask, packed, named))
    more = max(0, left - named)
    rest = f"{more} more, not named for room" if more else ""
    return [
        f"---\nLeft out: {'; '.join(filter(None, (names, rest)))}."
        " Next: pass `sections` with ids, or a larger `tokenBudget`."
    ]


def _entry(ask: Ask, hit: SectionHit) -> str:
    section = ask.section(hit)
    size = f", {section.tokens} tokens" if section.tokens else ""
    return f"{_short(section.heading or section.id)} (`{_short(section.id)}`{size})"


def _left_out(ask: Ask, packed: Sequence[Packed]) -> int:
    """Return how many sections are not shown at all."""
    return len(ask.hits) + len(ask.further) - len({one.place for one in packed})


def _first(ask: Ask, packed: Sequence[Packed], named: int) -> Iterator[SectionHit]:
    """Return the first of the sections that are not shown."""
    shown = {one.place for one in packed}
    left = (hit for place, hit in enumerate(ask.hits) if place not in shown)
    return islice(chain(left, ask.further), named)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}\u2026"
