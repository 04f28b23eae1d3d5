"""The two forms of a budgeted answer: Markdown, and JSON with the same in fields.

Each is made in three shapes: 0 rich, 1 medium, 2 lean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.asking import LARGEST_BUDGET
from doctrove_server.compression.ledger import LONGEST
from doctrove_server.compression.packing import Packed
from doctrove_server.ranking.sections import SectionHit
from doctrove_server.tools.answer import notes, number, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_server.compression.asking import Ask
    from doctrove_server.compression.ledger import Entry, Ledger

Data = dict[str, object]


class TextChannel:
    """The answer as a model reads it."""

    stretch = 1.0

    def show(self, ask: Ask, packed: Sequence[Packed], ledger: Ledger, *, shape: int) -> str:
        """Return the whole answer."""
        parts = [_head(ask, shape)]
        for one in packed:
            hit = ask.hits[one.place]
            parts.append(f"{self.frame(ask, hit, shape=shape, shown=one)}{one.text.strip()}")
        if not ask.hits:
            parts.append("No section matches. Try another word, or leave focus out.")
        return "\n\n".join([*parts, *_ledger(ledger, shape)]) + "\n"

    def frame(self, ask: Ask, hit: SectionHit, *, shape: int, shown: Packed | None = None) -> str:
        """Return the heading of a section and the line that says where it is from."""
        section = ask.section(hit)
        heading = _short(section.heading or section.id)
        part = shown or _LONGEST_PART
        whole = part.original_tokens
        cut = "" if part.level == "full" else f"{part.level}: {part.tokens} of {whole} tokens"
        score = number(hit.score if shown else _LONGEST_SCORE)
        if shape == 2:
            return f"## {heading} [`{_short(section.id)}`{' ' + cut if cut else ''}]\n"
        is_huge = cut and whole > LARGEST_BUDGET
        facts = [
            f"section `{_short(section.id)}`",
            cut,
            f"whole: {ask.pick.uri(section)[:600]}" if is_huge else "",
            f"score {score}" if hit.score and not shape else "",
            f"since {section.since}" if section.since else "",
            section.path[:400] if not shape else "",
        ]
        return f"## {heading}\n\n[{' · '.join(filter(None, facts))}]\n\n"

    def body(self, text: str) -> str:
        """Return a section's text as it stands in the answer."""
        return text

    def entry(self, entry: Entry) -> str:
        """Return what is said of a section that is left out, and what parts it from the next."""
        return f"{_entry(entry)}; "

    def write(self, made: str, /) -> str:
        """Return the text itself."""
        return made

    def nothing(self, ask: Ask) -> str:
        """Return the shortest answer."""
        return f"{len(ask.hits)} sections found; none fits. Use a larger tokenBudget."


class DataChannel:
    """The answer as a structure."""

    stretch = 1.05
    """Quotes, backslashes and line ends are escaped."""

    def show(self, ask: Ask, packed: Sequence[Packed], ledger: Ledger, *, shape: int) -> Data:
        """Return the whole answer."""
        entry, selection = ask.pick.holding.entry, ask.pick.selection
        data: Data = {"id": entry.id[:LONGEST], "version": selection.version[:LONGEST]}
        if shape < 2:
            data |= {"name": entry.name[:LONGEST], "requested": ask.requested[:LONGEST]}
            data |= {"releaseKind": selection.kind, "releaseNote": selection.note[:200]}
        if not shape:
            data |= {"versions": list(entry.versions[:20])}
            data |= {"volumeSummary": ask.pick.volume.summary[:600]}
        data["sections"] = [self._section(ask, one, shape) for one in packed]
        data["total"] = len(ask.hits) + len(ask.further)
        data["omitted"] = [self._omitted(entry) for entry in ledger.named]
        if ledger.unnamed:
            data["omittedUnnamed"] = ledger.unnamed
        if ledger.advice:
            advice = ledger.advice.replace("`", "")
            data["next"] = f"{advice[0].upper()}{advice[1:]}."
        if not shape:
            data["source"] = ask.pick.holding.source[:200]
        if shape < 2:
            data["tokenBudget"] = ask.budget
        if ask.estimated:
            data["estimated"] = True
        if ask.notices and not shape:
            data["notices"] = [notice[:300] for notice in ask.notices[:5]]
        return data

    def frame(self, ask: Ask, hit: SectionHit, *, shape: int) -> str:
        """Return a section's fields without its body."""
        hit = SectionHit(hit.section, _LONGEST_SCORE, ())
        return self.write(self._fields(ask, hit, "", shape, _shown(_LONGEST_PART, shape)))

    def body(self, text: str) -> str:
        """Return a section's text as it stands in the JSON."""
        return msgspec.json.encode(text).decode()[1:-1]

    def entry(self, entry: Entry) -> str:
        """Return the JSON of an entry of the ledger, and what parts it from the next."""
        return f"{self.write(self._omitted(entry))},"

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
        return self._fields(ask, ask.hits[one.place], one.text, shape, _shown(one, shape))

    def _fields(self, ask: Ask, hit: SectionHit, body: str, shape: int, shown: Data) -> Data:
        section = ask.section(hit)
        fields: Data = {"id": section.id}
        if shape < 2:
            fields["heading"] = section.heading[:LONGEST]
        if not shape and section.path:
            fields["path"] = section.path[:400]
        fields |= {"body": body, **shown}
        if not shape:
            fields["score"] = hit.score
        if not shape or (shape == 1 and _is_huge(shown)):
            fields["uri"] = ask.pick.uri(section)[:600]
        return fields

    def _omitted(self, entry: Entry) -> Data:
        fields: Data = {"id": entry.id, "heading": entry.heading, "tokens": entry.tokens}
        return fields | ({"uri": entry.uri} if entry.uri else {})


_LONGEST_SCORE = 0.1234
_LONGEST_PART = Packed(place=0, text="", level="units", tokens=9_999, original_tokens=8_888)
"""How much is shown of a section, in the values that take the most tokens."""


def _shown(part: Packed, shape: int) -> Data:
    if shape == 2:
        return {"level": part.level}
    return {
        "level": part.level,
        "tokens": part.tokens,
        "originalTokens": part.original_tokens,
        "ratio": part.ratio,
        "retention": part.retention,
    }


def _is_huge(shown: Data) -> bool:
    whole = shown.get("originalTokens")
    return isinstance(whole, int) and whole > LARGEST_BUDGET


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


def _ledger(ledger: Ledger, shape: int) -> list[str]:
    """Return the end of a text; the lean one is shortened to numbers first."""
    if not ledger.advice:
        return []
    said = [_entry(entry) for entry in ledger.named]
    if ledger.parts and shape < 2:
        said.insert(0, f"{ledger.rest} tokens of {plural(ledger.parts, 'section')} shown in part")
    if ledger.unnamed:
        said.append(f"{ledger.unnamed} more{', not named for room' if shape < 2 else ''}")
    left = f"Left out: {'; '.join(said)}. " if said else ""
    return [f"---\n{left}Next: {ledger.advice}."]


def _entry(entry: Entry) -> str:
    size = f", {entry.tokens} tokens" if entry.tokens else ""
    size += f": read {entry.uri}" if entry.uri else ""
    return f"{_short(entry.heading or entry.id)} (`{_short(entry.id)}`{size})"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}\u2026"
