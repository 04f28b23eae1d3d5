"""`catalog_lookup`: which libraries there are for a name or a purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_server.ranking.entries import EntryHit, ranked_entries
from doctrove_server.tools import schemas
from doctrove_server.tools.answer import Answer, Result, answered, notes, number, plural
from doctrove_server.tools.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_server.catalog.catalog import Catalog
    from doctrove_server.desk import Desk
    from doctrove_server.tools.parameters import Value

NAME = "catalog_lookup"
TITLE = "Find a library's documentation"
DESCRIPTION = (
    "Search the catalogue of versioned library documentation by name, alias or purpose. Call this"
    " first when you are not sure of a library's id; then pass the id to doc_extract. Results are"
    " ranked by a score from 0 to 1 and say why they matched, which versions are documented and"
    " which one is the latest."
)
DEFAULT_LIMIT = 8
PARAMETERS = (
    Parameter(
        name="query",
        kind="string",
        description='Name, alias or purpose, for instance "express" or "date library".',
        example="express",
        is_library=True,
        required=True,
    ),
    Parameter(
        name="limit",
        kind="integer",
        description="How many results to return at most.",
        example=5,
        maximum=20,
        default=DEFAULT_LIMIT,
    ),
)
OUTPUT = schemas.output(
    {
        "results": schemas.array(
            {
                "id": schemas.text("Pass this to doc_extract and catalog_releases."),
                "name": schemas.TEXT,
                "summary": schemas.TEXT,
                "popularity": schemas.NUMBER,
                "versions": schemas.texts("Documented versions."),
                "latest": schemas.text("The version that is used when none is asked for."),
                "score": schemas.NUMBER,
                "matches": schemas.texts("Why it was found."),
                "source": schemas.TEXT,
                "uri": schemas.TEXT,
                "supersededBy": schemas.text("The library to use instead."),
            },
            "Best first.",
        ),
        "total": {**schemas.INTEGER, "description": "How many matched, before the limit."},
        "sources": schemas.texts("Where the results come from."),
        "nearest": schemas.text("When nothing matched: the id that was most likely meant."),
    }
)


class LookupArgs(msgspec.Struct, frozen=True, kw_only=True):
    """Arguments of `catalog_lookup`."""

    query: str
    limit: int = DEFAULT_LIMIT


class LookupHit(Result, frozen=True, kw_only=True, rename="camel"):
    """One library found."""

    id: str
    name: str
    summary: str
    popularity: float
    versions: tuple[str, ...]
    latest: str
    score: float
    matches: tuple[str, ...]
    source: str
    uri: str
    superseded_by: str | msgspec.UnsetType = msgspec.UNSET


class LookupResult(Result, frozen=True, kw_only=True, rename="camel"):
    """The libraries that a query finds."""

    results: tuple[LookupHit, ...]
    total: int
    sources: tuple[str, ...]
    nearest: str | msgspec.UnsetType = msgspec.UNSET
    notices: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET


async def run(_desk: Desk, catalog: Catalog, given: Mapping[str, Value]) -> Answer:
    """Answer a call whose arguments were checked."""
    args = msgspec.convert(given, LookupArgs)
    result = lookup(catalog, args)
    return answered(lookup_text(result, args), result)


def lookup(catalog: Catalog, args: LookupArgs) -> LookupResult:
    """Return the libraries that a query finds, best first."""
    hits = ranked_entries(catalog.maps, args.query)
    results = tuple(_hit(catalog, hit) for hit in hits[: args.limit])
    near = "" if hits else catalog.nearest(args.query)
    return LookupResult(
        results=results,
        total=len(hits),
        sources=tuple(dict.fromkeys(holding.source for holding in catalog.holdings)),
        nearest=near or msgspec.UNSET,
        notices=catalog.notes or msgspec.UNSET,
    )


def lookup_text(result: LookupResult, args: LookupArgs) -> str:
    """Say a result in Markdown."""
    sources = f"Sources: {', '.join(result.sources) or 'none'}."
    notices = notes(result.notices or ())
    if not args.query.strip():
        return (
            "query is blank: give a library's name, another word for it, or what it is for."
            f"\n{sources}{notices}"
        )
    if not result.results:
        near = f' Did you mean "{result.nearest}"?' if result.nearest else ""
        return (
            f'No library matches "{args.query.strip()[:100]}".{near} Try its name, another word'
            f" for it, or what it is for.\n{sources}{notices}"
        )
    shown = len(result.results)
    cut = f", the best {shown} shown" if shown < result.total else ""
    match = "matches" if result.total == 1 else "match"
    head = f'{plural(result.total, "library", "libraries")} {match} "{args.query.strip()}"{cut}.'
    items = "\n".join(_item(place, hit) for place, hit in enumerate(result.results, 1))
    return (
        f"{head}\n\n{items}\n\n{sources} Next: doc_extract with an id, and one concept as focus."
        f"{notices}"
    )


def _hit(catalog: Catalog, hit: EntryHit) -> LookupHit:
    holding = catalog.holdings[hit.entry]
    entry = holding.entry
    return LookupHit(
        id=entry.id,
        name=entry.name,
        summary=entry.summary,
        popularity=entry.popularity,
        versions=entry.versions,
        latest=holding.latest,
        score=hit.score,
        matches=(hit.match,),
        source=holding.source,
        uri=holding.uri,
        superseded_by=entry.superseded_by or msgspec.UNSET,
    )


def _item(place: int, hit: LookupHit) -> str:
    more = f" and {len(hit.versions) - 6} more" if len(hit.versions) > 6 else ""
    instead = f"\n   superseded by `{hit.superseded_by}`" if hit.superseded_by else ""
    summary = f"\n   {hit.summary}" if hit.summary else ""
    return (
        f"{place}. {hit.name}, id `{hit.id}`, latest {hit.latest}{summary}{instead}\n"
        f"   score {number(hit.score)} ({'; '.join(hit.matches)});"
        f" versions {', '.join(hit.versions[:6])}{more}; source {hit.source}"
    )
