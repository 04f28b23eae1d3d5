"""The result of `doc_extract`: its structure, and the Markdown that says the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_schema.model import Origin, Section, Volume
from doctrove_schema.sections import section_uri
from doctrove_schema.versions import Selection
from doctrove_server.catalog.catalog import Holding
from doctrove_server.tools.answer import Result, notes, number, plural

if TYPE_CHECKING:
    from doctrove_server.ranking.sections import SectionHit

_HEADINGS_SHOWN = 15
_VERSIONS_SHOWN = 8


class Pick(msgspec.Struct, frozen=True, kw_only=True):
    """The version of a library that a request selected."""

    holding: Holding
    selection: Selection
    volume: Volume

    def uri(self, section: Section) -> str:
        """Return the address of one of its sections."""
        return self.holding.uri_of(self.selection.version, section.id)


class Omitted(Result, frozen=True, kw_only=True, rename="camel"):
    """A section that matched and was left out."""

    id: str
    heading: str
    score: float


class ExtractResult(Result, frozen=True, kw_only=True, rename="camel"):
    """Sections of one version of a library."""

    id: str
    name: str
    version: str
    requested: str
    release_kind: str
    release_note: str
    versions: tuple[str, ...]
    volume_summary: str
    sections: tuple[dict[str, object], ...]
    """As in the index, with `score`, `matches` and `uri`."""

    total: int
    omitted: tuple[Omitted, ...]
    source: str
    notices: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET


def ranked_section(pick: Pick, hit: SectionHit) -> dict[str, object]:
    """Return a section as it stands in the index, with its rank and its address.

    Its summary is left out: the whole body is there.
    """
    section = pick.volume.sections[hit.section]
    whole = msgspec.structs.replace(section, summary="", summary_by="")
    fields: dict[str, object] = msgspec.to_builtins(whole)
    return {**fields, "score": hit.score, "matches": list(hit.matches), "uri": pick.uri(section)}


def omitted(pick: Pick, hit: SectionHit) -> Omitted:
    """Return what is said of a section that is left out."""
    section = pick.volume.sections[hit.section]
    return Omitted(id=section.id, heading=section.heading, score=hit.score)


def extract_text(result: ExtractResult, volume: Volume, *, focus: str) -> str:
    """Say a result in Markdown."""
    head = (
        f"# {result.name} (`{result.id}`) {result.version}\n\n"
        f"Version: asked for {result.requested}, given {result.version} ({result.release_note})."
        f" Documented: {_listed(result.versions)}. Source: {result.source}."
        f"{notes(result.notices or ())}"
    )
    summary = f"\n\n> {result.volume_summary}" if result.volume_summary else ""
    sections = msgspec.convert(result.sections, tuple[_Shown, ...])
    body = "".join(_section(section) for section in sections)
    return f"{head}{summary}{body or _nothing(volume, focus)}{_rest(result)}\n"


class _Shown(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a ranked section that its Markdown shows."""

    id: str
    heading: str
    body: str
    score: float
    matches: tuple[str, ...]
    path: str = ""
    trail: tuple[str, ...] = ()
    since: str = ""
    source: Origin | None = None


def _listed(versions: tuple[str, ...]) -> str:
    more = f" and {len(versions) - _VERSIONS_SHOWN} more" if len(versions) > _VERSIONS_SHOWN else ""
    return f"{', '.join(versions[:_VERSIONS_SHOWN])}{more}"


def _section(section: _Shown) -> str:
    score = f"score {number(section.score)} ({'; '.join(section.matches)})"
    facts = [
        f"section `{section.id}`",
        " > ".join(section.trail),
        score if section.score else "",
        f"since {section.since}" if section.since else "",
        section.path,
        _origin(section.source) if section.source else "",
    ]
    line = " · ".join(fact for fact in facts if fact)
    return f"\n\n## {section.heading or section.id}\n\n[{line}]\n\n{section.body.strip()}"


def _origin(origin: Origin) -> str:
    lines = f" lines {origin.lines[0]}-{origin.lines[1]}" if origin.lines else ""
    at = f" at {origin.commit[:12]}" if origin.commit else ""
    of = f" of {origin.repository}" if origin.repository else ""
    return f"from {origin.file}{lines}{of}{at}"


def _nothing(volume: Volume, focus: str) -> str:
    if not volume.sections:
        return "\n\nThis version has no sections; try another version."
    headings = "; ".join(s.heading for s in volume.sections[:_HEADINGS_SHOWN] if s.heading)
    more = "; ..." if len(volume.sections) > _HEADINGS_SHOWN else ""
    return (
        f'\n\nNo section matches "{focus[:200]}". Try another word for it, or leave focus out.'
        f" There are {plural(len(volume.sections), 'section')}: {headings}{more}"
    )


def _rest(result: ExtractResult) -> str:
    left = result.total - len(result.sections)
    if not left or not result.sections:
        return ""
    named = "; ".join(f"{o.heading or o.id} (`{o.id}`)" for o in result.omitted)
    more = "; ..." if left > len(result.omitted) else ""
    return (
        f"\n\n---\n{plural(left, 'more section')} not shown: {named}{more}\n"
        "Next: narrow focus, raise maxSections (12 at most), or read one by its address,"
        f" for instance {section_uri(result.id, result.version, result.omitted[0].id)}"
    )
