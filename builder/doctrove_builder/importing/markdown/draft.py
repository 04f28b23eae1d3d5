"""One page on its way: its file to lines in the Markdown of volumes, links still as written."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown.blocks import Blocks
from doctrove_builder.importing.markdown.decoration import without_decoration
from doctrove_builder.importing.markdown.headings import title_text, with_ids
from doctrove_builder.importing.markdown.hidden import without_hidden
from doctrove_builder.importing.markdown.includes import Includer
from doctrove_builder.importing.markdown.inline import shortcodes, tidied, wiki_links
from doctrove_builder.importing.markdown.lines import (
    SOFT_BREAK,
    Line,
    map_text,
)
from doctrove_builder.importing.markdown.markup import without_markup
from doctrove_builder.importing.markdown.nesting import MAX_NESTED, without_deep
from doctrove_builder.importing.markdown.objects import Resolver, with_objects
from doctrove_builder.importing.markdown.partials import with_partials
from doctrove_builder.importing.markdown.roles import AUTOLINK, with_autolinks, with_roles
from doctrove_builder.importing.markdown.settling import (
    closed_blocks,
    settled,
    tabs_expanded,
    without_magic,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_builder.importing.markdown.files import Files
    from doctrove_builder.importing.markdown.frontmatter import Front
    from doctrove_builder.importing.markdown.site import Site

_JSX = re.compile(r"^import\s+\w|^\s*<[A-Z]\w*|\{/\*", re.MULTILINE)
_MYST = re.compile(r"^(?:`{3,}|:{3,})\{[a-z][\w:-]*\}|^\([\w.:/ -]+\)=$", re.MULTILINE)


class Draft(NamedTuple):
    """A page whose links are not resolved."""

    file: str
    path: str
    """Page path."""

    title: str
    title_anchor: str
    lines: list[Line]
    anchors: frozenset[str]
    headings: Mapping[str, str]
    """Text of each heading by its anchor."""

    labels: Mapping[str, str]
    places: Mapping[str, str]
    """Anchors by names of places that are in their section."""

    symbols: Mapping[str, tuple[str, ...]]
    front: Front
    used: frozenset[str]
    """Files that it includes."""

    counts: Mapping[str, int]
    notes: tuple[Note, ...]


class Setting(NamedTuple):
    """What holds for every page of a source."""

    files: Files
    site: Site
    style: str
    resolve: Resolver | None
    object_options: Mapping[str, object] | None
    """What the site's settings say of API objects; None where they say nothing."""


def draft_page(  # noqa: PLR0913 - a page's file and what is known of it
    file: str, text: str, front: Front, *, path: str, title: str, setting: Setting
) -> Draft:
    """Convert a page's file; `title` is the one that the navigation gives."""
    site = setting.site
    mdx = is_mdx(file, text, site)
    indented = not mdx
    includer = Includer(setting.files, file)
    notes: list[Note] = []
    rows = text.replace(SOFT_BREAK, "").split("\n")[front.lines :]
    lines = [Line(row, number) for number, row in enumerate(rows, front.lines + 1)]
    lines = includer.expand(tabs_expanded(lines))
    hidden = without_hidden(lines, mdx=mdx, myst=is_myst(text, site))
    lines = with_partials(hidden.lines, hidden.imported, includer)
    lines = closed_blocks(lines, file, notes)
    if site.generator in {"plain", "wiki", "hugo", "jekyll", "gitbook", "fumadocs"} or "{%" in text:
        lines = map_text(lines, shortcodes, indented=indented)
    if site.generator == "wiki":
        lines = map_text(lines, wiki_links, indented=indented)
    if site.generator == "docusaurus" or mdx:
        lines = without_magic(lines)
    blocks = Blocks(file, mdx=mdx)
    lines = blocks.convert(lines)
    notes += blocks.notes
    if "}`" in text:
        lines = map_text(
            lines, lambda run: with_roles(run, extlinks=site.extlinks), indented=indented
        )
    if AUTOLINK.search(text):
        lines = map_text(lines, with_autolinks, indented=indented)
    lines, dropped_markup = without_markup(lines, page=file, mdx=mdx, vue=site.vue)
    notes += dropped_markup
    lines = map_text(lines, tidied, indented=indented)
    lines, dropped = without_decoration(lines, indented=indented)
    notes += [
        Note(
            kind="decoration-dropped", place=f"{file}:{number}", message="badges or a row of links"
        )
        for number in dropped
    ]
    lines, flat = without_deep(lines, indented=indented)
    if flat:
        message = f"more than {MAX_NESTED} blocks in each other; the text of the inner ones stays"
        notes.append(Note(kind="nesting-dropped", place=f"{file}:{flat[0]}", message=message))
    headed = with_ids(lines, style=setting.style, indented=indented)
    resolved = with_objects(
        headed.lines, resolve=setting.resolve, indented=indented, site=setting.object_options
    )
    notes += _filters_refused(resolved.refused, file)
    notes += [
        Note(kind="object-unresolved", place=f"{file}:{line}", message=f"{name} is only named")
        for name, line in resolved.missing
    ]
    name = posixpath.basename(path).replace("-", " ").replace("_", " ")
    own = title_text(headed.title) or front.text("title")
    return Draft(
        file=file,
        path=path,
        title=own or title or front.text("sidebar_label") or name[:1].upper() + name[1:],
        title_anchor=headed.title_anchor,
        lines=settled(closed_blocks(resolved.lines, file, notes)),
        anchors=headed.anchors | resolved.anchors,
        headings=headed.headings,
        labels=headed.labels,
        places=headed.places,
        symbols=resolved.symbols,
        front=front,
        used=frozenset(includer.used),
        counts={
            "includes resolved": includer.resolved,
            "api objects resolved": resolved.found,
            "api objects only named": len(resolved.missing),
        },
        notes=(*includer.notes, *notes),
    )


def _filters_refused(refused: Sequence[tuple[str, int]], file: str) -> list[Note]:
    message = "the filter {!r} of members is not used: it is no pattern, or one that may not end"
    return [
        Note(kind="filter-refused", place=f"{file}:{line}", message=message.format(text))
        for text, line in refused
    ]


def is_mdx(file: str, text: str, site: Site) -> bool:
    """Say whether a page is read as MDX: by its suffix, or in Docusaurus by what it holds."""
    if file.lower().endswith(".mdx"):
        return True
    return site.generator in {"docusaurus", "fumadocs"} and _JSX.search(text) is not None


def is_myst(text: str, site: Site) -> bool:
    """Say whether a page is read as MyST: in a documentation of Sphinx, or by what it holds."""
    return site.generator == "sphinx" or _MYST.search(text) is not None
