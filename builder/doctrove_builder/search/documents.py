"""The documents that the engine indexes: one small HTML page for each page of the site.

A document holds what is searched and nothing else: title, headings with their anchors, text, and
the volume (its folder) to filter by, where there are several. One filter and no more: the engine
writes several in an order that changes from run to run. Its path is the page's, so that a result
leads there.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from doctrove_builder.render.urls import href
from doctrove_builder.search.text import spaced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from doctrove_builder.search.scope import SearchedPage, SearchedVolume
    from doctrove_builder.search.text import SectionText

_FILTER = ' data-pagefind-filter="volume[data-volume]" data-volume="{volume}"'
_DOCUMENT = (
    '<!DOCTYPE html>\n<html lang="{language}">\n<head><meta charset="utf-8">'
    "<title>{title}</title></head>\n"
    "<body data-pagefind-body{filter}>\n<h1>{title}</h1>\n{sections}</body>\n"
    "</html>\n"
)


def documents(
    volumes: Sequence[SearchedVolume], texts: Mapping[str, SectionText], *, language: str
) -> Iterator[tuple[str, str]]:
    """Yield path and HTML for each page of the volumes whose text is indexed."""
    whole = [volume for volume in volumes if volume.whole]
    for volume in whole:
        folder = escape(href(volume.folder))
        within = _FILTER.format(volume=folder) if len(whole) > 1 else ""
        for page in volume.pages:
            yield f"{page.folder}index.html", _document(page, texts, language, within)


def _document(
    page: SearchedPage, texts: Mapping[str, SectionText], language: str, within: str
) -> str:
    sections: list[str] = []
    for section in page.sections:
        if section.anchor:
            heading = escape(spaced(section.heading), quote=False)
            sections.append(f'<h2 id="{escape(section.anchor)}">{heading}</h2>\n')
        sections.append(texts[section.body].html)
    return _DOCUMENT.format(
        language=escape(language),
        title=escape(spaced(page.title)),
        filter=within,
        sections="".join(sections),
    )
