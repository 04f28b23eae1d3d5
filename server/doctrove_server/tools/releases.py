"""`catalog_releases`: which versions of a library are documented."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_schema.versions import is_stable
from doctrove_server.desk import found
from doctrove_server.tools import schemas
from doctrove_server.tools.answer import Answer, Result, answered, notes, plural
from doctrove_server.tools.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_server.catalog.catalog import Catalog, Holding
    from doctrove_server.desk import Desk
    from doctrove_server.tools.parameters import Value

NAME = "catalog_releases"
TITLE = "List a library's documented versions"
DESCRIPTION = (
    "List the documented versions of one library and the recommended one. Call this before"
    " doc_extract when the project pins a version, to see whether that version is documented."
    " Takes an id, alias or name, in any letter case."
)
PARAMETERS = (
    Parameter(
        name="id",
        kind="string",
        description='Library id as catalog_lookup returns it, for instance "express".',
        example="express",
        is_library=True,
        required=True,
    ),
)
OUTPUT = schemas.output(
    {
        "id": schemas.TEXT,
        "name": schemas.TEXT,
        "latest": schemas.text("The recommended version."),
        "versions": schemas.texts("In the publisher's order."),
        "releases": schemas.array(
            {
                "version": schemas.TEXT,
                "stable": {"type": "boolean"},
                "released": schemas.text("Date, where it is known."),
                "sections": schemas.INTEGER,
                "summary": schemas.TEXT,
                "uri": schemas.TEXT,
            }
        ),
        "versionScheme": schemas.text("semver, pep440 or label."),
        "supersededBy": schemas.text("The library to use instead."),
        "source": schemas.TEXT,
    }
)


class ReleasesArgs(msgspec.Struct, frozen=True, kw_only=True):
    """Arguments of `catalog_releases`."""

    id: str


class Release(Result, frozen=True, kw_only=True, rename="camel"):
    """One documented version."""

    version: str
    stable: bool
    sections: int
    uri: str
    released: str | msgspec.UnsetType = msgspec.UNSET
    summary: str | msgspec.UnsetType = msgspec.UNSET


class ReleasesResult(Result, frozen=True, kw_only=True, rename="camel"):
    """The documented versions of a library."""

    id: str
    name: str
    latest: str
    versions: tuple[str, ...]
    releases: tuple[Release, ...]
    version_scheme: str
    source: str
    superseded_by: str | msgspec.UnsetType = msgspec.UNSET
    notices: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET


async def run(_desk: Desk, catalog: Catalog, given: Mapping[str, Value]) -> Answer:
    """Answer a call whose arguments were checked."""
    args = msgspec.convert(given, ReleasesArgs)
    result = releases(catalog, args)
    return answered(releases_text(result), result)


def releases(catalog: Catalog, args: ReleasesArgs) -> ReleasesResult:
    """Return a library's versions; raises `NotFound`."""
    holding = found(catalog, args.id)
    entry = holding.entry
    return ReleasesResult(
        id=entry.id,
        name=entry.name,
        latest=holding.latest,
        versions=entry.versions,
        releases=tuple(_release(holding, version) for version in entry.versions),
        version_scheme=holding.scheme.value,
        source=holding.source,
        superseded_by=entry.superseded_by or msgspec.UNSET,
        notices=catalog.notes or msgspec.UNSET,
    )


def releases_text(result: ReleasesResult) -> str:
    """Say a result in Markdown."""
    lines = "\n".join(_line(release, result.latest) for release in result.releases)
    instead = f"\nSuperseded by `{result.superseded_by}`." if result.superseded_by else ""
    count = plural(len(result.versions), "documented version")
    return (
        f"# {result.name} (`{result.id}`): {count}, latest {result.latest}\n\n{lines}\n{instead}"
        f"\nSource: {result.source}. Next: doc_extract with this id and a version as listed,"
        f' a prefix such as "{result.latest.split(".")[0]}", or none for the latest.'
        f"{notes(result.notices or ())}"
    )


def _release(holding: Holding, version: str) -> Release:
    volume = holding.entry.volumes[version]
    return Release(
        version=version,
        stable=is_stable(version, holding.scheme),
        sections=len(volume.sections),
        uri=holding.uri_of(version),
        released=volume.released or msgspec.UNSET,
        summary=volume.summary or msgspec.UNSET,
    )


def _line(release: Release, latest: str) -> str:
    facts = [plural(release.sections, "section")]
    if release.version == latest:
        facts.insert(0, "latest")
    if not release.stable:
        facts.insert(0, "prerelease")
    if release.released:
        facts.append(f"released {release.released}")
    summary = f": {release.summary}" if release.summary else ""
    return f"- {release.version} ({', '.join(facts)}){summary}"
