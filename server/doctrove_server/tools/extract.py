"""`doc_extract`: the sections of one version of a library that answer a focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_schema.versions import VersionUnavailable, select
from doctrove_server.desk import found
from doctrove_server.errors import NoSuchVersion
from doctrove_server.ranking.sections import SectionHit
from doctrove_server.tools import schemas
from doctrove_server.tools.answer import Answer, answered
from doctrove_server.tools.budget import (
    DEFAULT_SECTIONS,
    ExtractArgs,
    Found,
    budgeted,
    under_ceiling,
)
from doctrove_server.tools.extracted import (
    ExtractResult,
    Pick,
    extract_text,
    omitted,
    ranked_section,
)
from doctrove_server.tools.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_schema.model import Volume
    from doctrove_schema.versions import Selection
    from doctrove_server.catalog.catalog import Catalog, Holding
    from doctrove_server.desk import Desk
    from doctrove_server.tools.parameters import Value

NAME = "doc_extract"
TITLE = "Read a library's documentation"
DESCRIPTION = (
    "Read the documentation of one library in one version: the sections that answer a focus, best"
    " first, each with its source. Call this before writing code against an API instead of"
    ' recalling it. Use one concept for each call, for instance focus "route parameters"; split'
    " a question about several concepts into several calls. version takes an exact version, a"
    ' prefix ("4", "4.x", "4.21"), or nothing for the latest stable one; a version that is not'
    " documented is refused, with the nearest ones named."
)
NAMED_OMISSIONS = 20
PARAMETERS = (
    Parameter(
        name="id",
        kind="string",
        description="Library id, alias or name, as catalog_lookup returns it.",
        example="express",
        is_library=True,
        required=True,
    ),
    Parameter(
        name="version",
        kind="string",
        description="Exact version, prefix, or latest (default).",
        example="5.1",
    ),
    Parameter(
        name="focus",
        kind="string",
        description="One concept; without it the first sections come in their own order.",
        example="route parameters",
    ),
    Parameter(
        name="maxSections",
        kind="integer",
        description="How many sections to return at most.",
        example=6,
        maximum=12,
        default=DEFAULT_SECTIONS,
    ),
    Parameter(
        name="tokenBudget",
        kind="integer",
        description=(
            "Tokens (o200k_base) that the answer may have: the best sections whole, of the rest"
            " what answers the focus, and a list of what is left out."
        ),
        example=1_500,
        minimum=100,
        maximum=20_000,
    ),
    Parameter(
        name="detail",
        kind="string",
        description="auto (default), full, summary, facts or gist.",
        example="auto",
        choices=("auto", "full", "summary", "facts", "gist"),
    ),
    Parameter(
        name="sections",
        kind="strings",
        description="Ids of sections to read, as they stand in omitted.",
        example=("routing/route-parameters",),
    ),
)
OUTPUT = schemas.output(
    {
        "id": schemas.TEXT,
        "name": schemas.TEXT,
        "version": schemas.text("The version that was given."),
        "requested": schemas.text("The version that was asked for."),
        "releaseKind": schemas.text("Why that one: latest, exact or prefix."),
        "releaseNote": schemas.TEXT,
        "versions": schemas.texts("All documented versions."),
        "volumeSummary": schemas.TEXT,
        "sections": schemas.array(
            {
                "id": schemas.TEXT,
                "heading": schemas.TEXT,
                "path": schemas.text("Where people read it."),
                "body": schemas.text("Markdown."),
                "score": schemas.NUMBER,
                "matches": schemas.texts("Why it was found."),
                "trail": schemas.texts("Headings above this one."),
                "symbols": schemas.texts(),
                "since": schemas.TEXT,
                "page": schemas.TEXT,
                "tokens": schemas.INTEGER,
                "sha256": schemas.text("Of the body."),
                "source": {"type": "object", "description": "File and lines upstream."},
                "uri": schemas.TEXT,
                "level": schemas.text("full, or how the body was shortened."),
                "originalTokens": schemas.INTEGER,
                "ratio": schemas.NUMBER,
                "retention": schemas.NUMBER,
            },
            "Best first.",
        ),
        "total": {**schemas.INTEGER, "description": "How many sections matched."},
        "omitted": schemas.array(
            {
                "id": schemas.TEXT,
                "heading": schemas.TEXT,
                "score": schemas.NUMBER,
                "tokens": schemas.INTEGER,
                "uri": schemas.text("Where to read a section that is above any budget."),
            },
            "What matched and is not among the sections, best first.",
        ),
        "omittedUnnamed": {**schemas.INTEGER, "description": "Omitted too, not named for room."},
        "next": schemas.text("What to call for what is left out, under a budget."),
        "tokenBudget": {**schemas.INTEGER, "description": "What this answer was held to."},
        "estimated": {"type": "boolean", "description": "Tokens are bounded, not counted."},
        "source": schemas.TEXT,
    }
)


async def run(desk: Desk, catalog: Catalog, given: Mapping[str, Value]) -> Answer:
    """Answer a call whose arguments were checked."""
    args = msgspec.convert(given, ExtractArgs)
    holding = found(catalog, args.id)
    selection = selected(holding, args.version)
    volume = await desk.volume(holding, selection.version)
    hits = await desk.rank(volume, args.focus) if args.focus.strip() else _all(volume)
    pick = Pick(holding=holding, selection=selection, volume=volume)
    call = Found(pick=pick, hits=hits, args=args, notices=catalog.notes)
    if args.has_budget:
        return await budgeted(desk, call)
    result = extract(pick, hits, args=args, notices=catalog.notes)
    answer = answered(extract_text(result, volume, focus=args.focus.strip()), result)
    return await under_ceiling(desk, call, answer)


def selected(holding: Holding, version: str) -> Selection:
    """Return the version that a request selects; raises `NoSuchVersion`."""
    try:
        return select(version, holding.entry.versions, holding.scheme)
    except VersionUnavailable as error:
        raise NoSuchVersion(f"{holding.entry.name} (`{holding.entry.id}`): {error}") from None


def extract(
    pick: Pick, hits: tuple[SectionHit, ...], *, args: ExtractArgs, notices: tuple[str, ...]
) -> ExtractResult:
    """Return the best sections whole, and what else there is."""
    entry = pick.holding.entry
    shown, rest = hits[: args.max_sections], hits[args.max_sections :]
    return ExtractResult(
        id=entry.id,
        name=entry.name,
        version=pick.selection.version,
        requested=args.version.strip() or "latest",
        release_kind=pick.selection.kind,
        release_note=pick.selection.note,
        versions=entry.versions,
        volume_summary=pick.volume.summary,
        sections=tuple(ranked_section(pick, hit) for hit in shown),
        total=len(hits),
        omitted=tuple(omitted(pick, hit) for hit in rest[:NAMED_OMISSIONS]),
        source=pick.holding.source,
        notices=notices or msgspec.UNSET,
    )


def _all(volume: Volume) -> tuple[SectionHit, ...]:
    return tuple(
        SectionHit(section=number, score=0, matches=()) for number in range(len(volume.sections))
    )
