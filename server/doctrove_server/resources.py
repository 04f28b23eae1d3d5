"""What can be read by address: the catalogue, a library, a version, a section; all as Markdown.

`doctrove://catalog`, `doctrove://{id}`, `doctrove://{id}/{version}` and
`doctrove://{id}/{version}/{section}`, each part percent-encoded. A version may be `latest` or a
prefix, as in `doc_extract`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

import msgspec

from doctrove_schema.names import nearest
from doctrove_server.desk import found, shown_text
from doctrove_server.errors import NotFound, ToolError, UnknownResource
from doctrove_server.tools.answer import notes, plural
from doctrove_server.tools.extract import selected
from doctrove_server.tools.releases import ReleasesArgs, releases, releases_text

if TYPE_CHECKING:
    from doctrove_schema.model import Section
    from doctrove_server.catalog.catalog import Catalog, Holding
    from doctrove_server.desk import Desk

CATALOG_URI = "doctrove://catalog"
MIME_TYPE = "text/markdown"
_SCHEME = "doctrove://"


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of address."""

    uri: str
    name: str
    title: str
    description: str


TEMPLATES = (
    Template(
        uri="doctrove://{id}",
        name="library",
        title="A library",
        description="Documented versions of a library and which one is the latest.",
    ),
    Template(
        uri="doctrove://{id}/{version}",
        name="volume",
        title="A version's contents",
        description="Every section of one version, with its address. Prefixes and latest work.",
    ),
    Template(
        uri="doctrove://{id}/{version}/{section}",
        name="section",
        title="A section",
        description="One section. Its id is percent-encoded: routing%2Froute-parameters.",
    ),
)


async def read(desk: Desk, uri: str) -> str:
    """Return the Markdown behind an address; raises `UnknownResource`."""
    parts = _parts(uri)
    catalog = await desk.catalog()
    try:
        if parts == ("catalog",):
            return _catalog(catalog)
        if len(parts) == 1:
            return releases_text(releases(catalog, ReleasesArgs(id=parts[0])))
        holding = found(catalog, parts[0])
        version = selected(holding, parts[1]).version
        volume = await desk.volume(holding, version)
        if len(parts) == 2:
            return _contents(holding, version, volume.sections) + notes(catalog.notes)
        return _section(holding, version, volume.sections, parts[2]) + notes(catalog.notes)
    except ToolError as error:
        raise UnknownResource(uri, str(error)) from None


def _parts(uri: str) -> tuple[str, ...]:
    """Cut an address into its decoded parts; a section may hold slashes of its own."""
    if not uri.startswith(_SCHEME):
        raise UnknownResource(uri, f"an address here begins with {_SCHEME}; read {CATALOG_URI}")
    parts = uri.removeprefix(_SCHEME).rstrip("/").split("/", 2)
    decoded = tuple(unquote(part) for part in parts)
    if not all(decoded):
        raise UnknownResource(uri, f"the address has an empty part; read {CATALOG_URI}")
    return decoded


def _catalog(catalog: Catalog) -> str:
    lines = "\n".join(_library(holding) for holding in catalog.holdings)
    count = plural(len(catalog.holdings), "library", "libraries")
    return f"# Documented libraries\n\n{count}.\n\n{lines}{notes(catalog.notes)}"


def _library(holding: Holding) -> str:
    entry = holding.entry
    summary = f": {entry.summary}" if entry.summary else ""
    return f"- [{entry.name}]({holding.uri}) (`{entry.id}`), latest {holding.latest}{summary}"


def _contents(holding: Holding, version: str, sections: tuple[Section, ...]) -> str:
    lines = "\n".join(
        f"- [{' > '.join((*section.trail, section.heading or section.id))}]"
        f"({holding.uri_of(version, section.id)})"
        for section in sections
    )
    count = plural(len(sections), "section")
    return f"# {holding.entry.name} {version}\n\n{count}. Source: {holding.source}.\n\n{lines}"


def _section(holding: Holding, version: str, sections: tuple[Section, ...], wanted: str) -> str:
    by_id = {section.id: section for section in sections}
    section = by_id.get(wanted)
    if section is None:
        near = nearest(wanted, by_id)
        meant = f' Did you mean "{near}"?' if near else ""
        raise NotFound(
            f'{holding.entry.name} {version} has no section "{shown_text(wanted)}".{meant}'
            f" Read {holding.uri_of(version)} for all of them",
        )
    link = f"\n\nOriginal: {section.path}" if section.path else ""
    trail = f"{' > '.join(section.trail)}\n\n" if section.trail else ""
    return (
        f"# {section.heading or section.id}\n\n{trail}"
        f"{holding.entry.name} {version}, section `{section.id}`, source {holding.source}.\n\n"
        f"{section.body.strip()}{link}\n"
    )
