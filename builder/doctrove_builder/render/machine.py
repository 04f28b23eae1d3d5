"""The files beside each page that programs read: its sections as JSON, and itself as Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.layout import FRONT_PAGES, volume_folder
from doctrove_builder.render.machine_views import (
    JsonView,
    MarkdownView,
    PageDocument,
    PageEntry,
    Step,
)
from doctrove_builder.render.urls import href, page_place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.site import SiteLibrary, SitePage, SiteVolume

PAGE_FORMAT = "doctrove-page@1"

_SIGN = re.compile(r"([\\`*_\[\]<>])")


def plan_machine_pages(
    library: SiteLibrary, volume: SiteVolume
) -> Iterator[JsonView | MarkdownView]:
    """Yield `index.json` and `index.md` for each page of a volume, its front page always."""
    front = next((page for page in volume.pages if page.path in FRONT_PAGES), None)
    others = [page for page in volume.pages if page.path not in FRONT_PAGES]
    yield from _both(library, volume, front, _entries(others))
    for page in others:
        yield from _both(library, volume, page, ())


def page_json(view: JsonView) -> bytes:
    """Write the JSON of a page."""
    return msgspec.json.encode(view.document) + b"\n"


def page_markdown(view: MarkdownView) -> str:
    """Write a page as one Markdown document; a front page lists the pages of its volume."""
    document = view.document
    said = plain(f"{document.name} {document.version}. {document.description}".strip())
    parts = [f"# {plain(document.title)}", f"> {said}"]
    for step in view.outline:
        if step.level:
            parts.append(f"{'#' * step.level} {' '.join(step.text.split())}")
        if step.number is not None:
            parts.append(document.sections[step.number].body)
    if document.pages:
        listed = (
            link_line(entry.title, f"{entry.href}index.md", entry.description)
            for entry in document.pages
        )
        parts += ["## Pages", "\n".join(listed)]
    return "\n\n".join(parts) + "\n"


def link_line(text: str, address: str, said: str = "") -> str:
    """Return a Markdown list item that is a link and what is said of it."""
    return f"- [{plain(text)}]({address})" + (f": {plain(said)}" if said else "")


def plain(text: str) -> str:
    """Write text on one line of Markdown so that none of it is markup."""
    return _SIGN.sub(r"\\\1", " ".join(text.split()))


def _both(
    library: SiteLibrary,
    volume: SiteVolume,
    page: SitePage | None,
    pages: tuple[PageEntry, ...],
) -> Iterator[JsonView | MarkdownView]:
    document = PageDocument(
        format=PAGE_FORMAT,
        library=library.id,
        name=library.name,
        version=volume.version,
        page=page.path if page else "",
        title=(page.title if page else "") or f"{library.name} {volume.version}",
        description=(page.description if page else "") or ("" if page else volume.summary),
        sections=tuple(s.published for s in page.sections if s.published) if page else (),
        pages=pages,
    )
    folder = volume_folder(library.id, volume.version) + (page_place(page.path) if page else "")
    yield JsonView(path=f"{folder}index.json", document=document)
    outline = tuple(_steps(page)) if page else ()
    yield MarkdownView(path=f"{folder}index.md", document=document, outline=outline)


def _entries(pages: list[SitePage]) -> tuple[PageEntry, ...]:
    return tuple(
        PageEntry(
            page=page.path,
            title=page.title,
            href=href(page_place(page.path)),
            description=page.description,
        )
        for page in pages
    )


def _steps(page: SitePage) -> Iterator[Step]:
    number = 0
    for section in page.sections:
        heading = section.heading
        yield Step(
            level=max(2, heading.level) if heading.anchor else 0,
            text=heading.text,
            number=number if section.published else None,
        )
        number += section.published is not None
