"""Pages of a package's API: one for an entry, or one for each module of a large one."""

from __future__ import annotations

import posixpath
from functools import partial
from typing import TYPE_CHECKING

from doctrove_builder.importing.imported import ImportedPage
from doctrove_builder.importing.materialise import page_file
from doctrove_builder.importing.npm.jsdoc import read_doc
from doctrove_builder.importing.npm.package import DECLARED
from doctrove_builder.importing.prose.inlines import code_span
from doctrove_builder.importing.prose.outline import outline, write_parts
from doctrove_builder.importing.prose.tree import Described, Lines
from doctrove_schema.model import Origin
from doctrove_schema.sections import slug

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from doctrove_builder.importing.npm.describing import Describer
    from doctrove_builder.importing.npm.exposure import Entry, Exposed
    from doctrove_builder.importing.npm.resolving import Modules
    from doctrove_builder.importing.prose.tree import Blocks

FOLDER = "api"
SPLIT_LEVEL = 3
LARGE = 60
"""Objects of an entry from which on each of its modules has a page of its own."""


class Plan:
    """Which page describes what."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """Place everything that the entries export."""
        self.pages: dict[str, tuple[str, list[Exposed]]] = {}
        """Title and objects by page path."""

        self.entry_page: dict[str, str] = {}
        """Name of an entry by the page that stands for it."""

        self._main = next(iter(entries), None)
        self._place: dict[int, tuple[str, str]] = {}
        self._by_name: dict[str, tuple[str, str]] = {}
        for entry in entries:
            self._add(entry)
        for path, (_, ones) in self.pages.items():
            for one in ones:
                self._place[id(one)] = (path, one.name)
                for name in one.symbols:
                    self._by_name.setdefault(name, (path, one.name))

    def address(self, here: str, name: str) -> str:
        """Return the link from a page to what a name means; empty when it has no section."""
        bare = name.removesuffix("()").replace("#", ".").replace("~", ".").strip(".")
        found = self._by_name.get(bare)
        owner, dot, _ = bare.rpartition(".")
        if found is None and dot and (above := self._by_name.get(owner)):
            found = (above[0], above[1])
        return self._link(here, *found) if found else ""

    def place(self, one: Exposed, here: str) -> str:
        """Return the link from a page to an object."""
        found = self._place.get(id(one))
        return self._link(here, *found) if found else ""

    def _link(self, here: str, path: str, anchor: str) -> str:
        anchor = "".join(c if c.isalnum() or c in "_.-" else "-" for c in anchor).strip("-")
        if path == here:
            return f"#{anchor}"
        start = posixpath.dirname(page_file(here)) or "."
        return f"{posixpath.relpath(page_file(path), start)}#{anchor}"

    def _add(self, entry: Entry) -> None:
        files = {one.declarations[0].parsed.path for one in entry.exposed}
        if len(entry.exposed) <= LARGE or len(files) < 3:
            self._page(entry, entry.name, entry.exposed)
            return
        shared = posixpath.commonpath([posixpath.dirname(file) or "." for file in files])
        groups: dict[str, list[Exposed]] = {}
        for one in entry.exposed:
            groups.setdefault(one.declarations[0].parsed.path, []).append(one)
        self._page(entry, entry.name, groups.pop(entry.file, []))
        for file, ones in groups.items():
            module = _module_name(file, shared)
            single = ones[0].name if len(ones) == 1 else ""
            title = (
                single if single and entry is self._main else f"{single or module} ({entry.name})"
            )
            self._page(entry, f"{entry.name}/{module}", ones, title=title)

    def _page(self, entry: Entry, name: str, ones: list[Exposed], *, title: str = "") -> None:
        # a file whose name begins with `_` would be none of the volume's pages
        parts = (slug(part).strip("-_") or "module" for part in name.split("/"))
        plain = "/".join((FOLDER, *parts))
        path, count = plain, 1
        while path in self.pages:
            count += 1
            path = f"{plain}-{count}"
        self.pages[path] = (title or name, ones)
        if name == entry.name:
            self.entry_page[path] = entry.name


def api_pages(
    modules: Modules, entries: Sequence[Entry], describer: Describer
) -> Iterator[ImportedPage]:
    """Yield the pages that describe something."""
    plan = Plan(entries)
    by_name = {entry.name: entry for entry in entries}
    for path, (title, ones) in plan.pages.items():
        describer.comments.find = partial(plan.address, path)
        entry = by_name.get(plan.entry_page.get(path, ""))
        lead = list(_lead(modules, entry, describer)) if entry else []
        described = [
            made
            for one in ones
            if (made := describer.described(one.name, one.declarations, tuple(one.symbols)))
        ]
        if not described and not lead:
            continue
        again = _elsewhere(entry, plan, path) if entry and described else []
        lines = (*lead, *(["", *again] if lead and again else again))
        yield _page(path, title, (*((Lines(lines),) if lines else ()), *described))


def _lead(modules: Modules, entry: Entry, describer: Describer) -> Sequence[str]:
    scope = modules.module(entry.file)
    return describer.comments.text(read_doc(scope.lead)) if scope is not None and scope.lead else ()


def _elsewhere(entry: Entry, plan: Plan, here: str) -> list[str]:
    """Name what this entry exports too."""
    links: list[str] = []
    for name, one in entry.elsewhere:
        address = plan.place(one, here)
        shown = code_span(name)
        if address:
            links.append(f"[{shown}]({address})")
    return [f"Also exported: {', '.join(links)}."] if links else []


def _page(path: str, title: str, blocks: Blocks) -> ImportedPage:
    parts = outline(blocks, objects_down_to=SPLIT_LEVEL)
    written = write_parts(parts)
    spans = [
        (first, last, Origin(file=place.file, lines=(place.line, max(place.line, place.last))))
        for part, (first, last) in zip(parts, written.lines, strict=True)
        if (place := part.place) is not None
    ]
    symbols = {part.anchor: part.head.symbols for part in parts if isinstance(part.head, Described)}
    return ImportedPage(
        path=path, title=title, markdown=written.markdown, origins=tuple(spans), symbols=symbols
    )


def _module_name(file: str, shared: str) -> str:
    inside = file[len(shared) + 1 :] if shared and shared != "." else file
    for suffix in DECLARED:
        inside = inside.removesuffix(suffix)
    return inside.removesuffix("/index") or "index"
