"""The files at the root of the site for crawlers, feed readers and agents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from doctrove_builder.layout import volume_folder
from doctrove_builder.render.machine import link_line, plain
from doctrove_builder.render.urls import absolute, href

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_builder.site import Site, SiteLibrary, SiteVolume

ENTRIES = 50
"""So many releases the feed holds, newest first."""

SITEMAP_URLS = 50_000
"""The most one sitemap may hold (sitemaps.org, protocol 0.9)."""

_SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def llms_text(site: Site, *, files: Iterable[str]) -> str:
    """Return `llms.txt` (llmstxt.org): newest volumes first, older ones under `Optional`.

    Its links lead to the Markdown of each volume's front page, which lists the volume's pages.
    """
    newest = [(lib, v) for lib in site.libraries for v in lib.volumes if v.version == lib.latest]
    older = [(lib, v) for lib in site.libraries for v in lib.volumes if v.version != lib.latest]
    parts = [f"# {plain(site.title)}"]
    if site.description:
        parts.append(f"> {plain(site.description)}")
    parts.append("Every page is also there as Markdown (`index.md`) and as JSON (`index.json`).")
    for title, volumes in (("Libraries", newest), ("Optional", older)):
        if volumes:
            parts.append(f"## {title}")
            parts.append("\n".join(_volume_line(site, lib, volume) for lib, volume in volumes))
    if listed := [link_line(name, _address(site, name)) for name in files]:
        parts += ["## Data", "\n".join(listed)]
    return "\n\n".join(parts) + "\n"


def robots_text(site: Site) -> str:
    """Return `robots.txt`: everything may be read; the sitemap where its address is known."""
    sitemap = f"Sitemap: {absolute(site.base_url, 'sitemap.xml')}\n" if site.base_url else ""
    return f"User-agent: *\nAllow: /\n{sitemap}"


def sitemaps(site: Site, pages: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield name and text of the sitemap of `pages` (absolute address, date or nothing).

    Past 50,000 addresses `sitemap.xml` lists the parts that hold them.
    """
    entries = [_located("url", address, date) for address, date in pages]
    parts = [entries[at : at + SITEMAP_URLS] for at in range(0, len(entries), SITEMAP_URLS)]
    if len(parts) == 1:
        yield "sitemap.xml", _set("urlset", parts[0])
        return
    names = [f"sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
    located = [_located("sitemap", absolute(site.base_url, name), "") for name in names]
    yield "sitemap.xml", _set("sitemapindex", located)
    for name, part in zip(names, parts, strict=True):
        yield name, _set("urlset", part)


def feed_text(site: Site) -> str:
    """Return the Atom feed (RFC 4287) of dated releases; empty when there is none."""
    dated = [
        (volume.released, library, volume)
        for library in site.libraries
        for volume in library.volumes
        if is_date(volume.released)
    ]
    if not dated:
        return ""
    dated.sort(key=lambda release: release[0], reverse=True)
    home = absolute(site.base_url, "")
    lines = [
        f'{_XML}<feed {_ATOM} xml:lang="{_text(site.language)}">',
        f"<title>{_text(site.title)}</title>",
        f"<id>{_text(home)}</id>",
        f'<link href="{_text(home)}"/>',
        f'<link rel="self" href="{_text(absolute(site.base_url, "feed.xml"))}"/>',
        f"<updated>{dated[0][0]}T00:00:00Z</updated>",
        f"<author><name>{_text(site.title)}</name></author>",
        *(_entry(site, *release) for release in dated[:ENTRIES]),
        "</feed>",
    ]
    return "\n".join(lines) + "\n"


def is_date(text: str) -> bool:
    """Whether a text is an ISO 8601 day."""
    return _DATE.fullmatch(text) is not None


def _volume_line(site: Site, library: SiteLibrary, volume: SiteVolume) -> str:
    path = f"{volume_folder(library.id, volume.version)}index.md"
    return link_line(
        f"{library.name} {volume.version}",
        _address(site, path),
        volume.summary or library.summary,
    )


def _address(site: Site, path: str) -> str:
    return absolute(site.base_url, path) or href(path)


def _entry(site: Site, released: str, library: SiteLibrary, volume: SiteVolume) -> str:
    address = _text(absolute(site.base_url, volume_folder(library.id, volume.version)))
    summary = _text(volume.summary or library.summary)
    return "\n".join(
        [
            "<entry>",
            f"<title>{_text(library.name)} {_text(volume.version)}</title>",
            f"<id>{address}</id>",
            f'<link href="{address}"/>',
            f"<updated>{released}T00:00:00Z</updated>",
            *([f"<summary>{summary}</summary>"] if summary else []),
            f'<category term="{_text(library.id)}"/>',
            "</entry>",
        ]
    )


def _set(name: str, entries: list[str]) -> str:
    return "\n".join([f"{_XML}<{name} {_SITEMAPS}>", *entries, f"</{name}>"]) + "\n"


def _located(name: str, address: str, date: str) -> str:
    modified = f"<lastmod>{date}</lastmod>" if date else ""
    return f"<{name}><loc>{_text(address)}</loc>{modified}</{name}>"


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("", text), {'"': "&quot;"})
