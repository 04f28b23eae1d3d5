"""Where everything of a documentation is: its pages, labels and objects, and the links to them."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.prose.inlines import plain_text
from doctrove_builder.importing.prose.tree import Code, Described, Reference, Section, Text
from doctrove_builder.importing.python.names import relative

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from doctrove_builder.importing.prose.outline import Part, Written
    from doctrove_builder.importing.prose.tree import Inlines

_OBJECT_ROLES = frozenset({"any", "term", "option", "envvar", "confval"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlined:
    """A page in parts, before its links are known."""

    path: str
    """Page path."""

    document: str
    """Name of the document: its file below the documentation's folder, without suffix."""

    file: str
    base: str
    """Folder of the documentation that its links begin at."""

    title: Inlines
    title_names: tuple[str, ...]
    parts: tuple[Part, ...]
    labels: Mapping[str, str]
    objects: Mapping[str, str] = field(default_factory=dict[str, str])
    """Anchors of the objects that it describes and its parts do not say, by dotted name."""

    @property
    def shown_title(self) -> str:
        """The title as plain text; the name of the page where it has none."""
        return plain_text(self.title) or posixpath.basename(self.path)


@dataclass(slots=True, kw_only=True)
class Atlas:
    """All pages of a documentation by what links call them."""

    pages: dict[str, Outlined] = field(default_factory=dict[str, Outlined])
    """By document."""

    labels: dict[str, tuple[str, str, Inlines]] = field(
        default_factory=dict[str, tuple[str, str, "Inlines"]]
    )
    """By label in lower case: page path, anchor, title of the section it stands before."""

    objects: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    anchors: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """By page path and any name in the page: the anchor of the section that holds it."""

    def add(self, page: Outlined) -> None:
        """Record a page."""
        self.pages.setdefault(page.document, page)
        for name in page.title_names:
            self.anchors.setdefault((page.path, name), "")
        titles: dict[str, Inlines] = dict.fromkeys(page.title_names, page.title)
        for part in page.parts:
            for name in part.names:
                self.anchors.setdefault((page.path, name), part.anchor)
            if isinstance(part.head, Described):
                for symbol in part.head.symbols:
                    self.objects.setdefault(symbol, (page.path, part.anchor))
            elif isinstance(part.head, Section):
                titles |= dict.fromkeys(part.head.anchors, part.head.title)
        for symbol, anchor in page.objects.items():
            self.objects.setdefault(symbol, (page.path, anchor))
        for label, name in page.labels.items():
            anchor = self.anchors.get((page.path, name), "")
            self.labels.setdefault(label.lower(), (page.path, anchor, titles.get(name, ())))


class PageLinks:
    """Resolves the links of one page; what leads nowhere keeps its text and is noted."""

    def __init__(self, atlas: Atlas, page: Outlined, *, pictures: Mapping[str, str]) -> None:
        """Take the page; `pictures` are the places of pictures in the volume by their file."""
        self._atlas = atlas
        self._page = page
        self._pictures = pictures
        self.missing: Counter[str] = Counter()
        self.found = 0

    def link(self, href: str) -> str:
        """Return the address to write for an address as read."""
        if "://" in href or href.startswith("mailto:"):
            return href
        path, _, fragment = href.partition("#")
        path = unquote(path)
        if not path:
            return self._inside(self._page.path, unquote(fragment), href)
        folder = posixpath.dirname(self._page.file)
        file = posixpath.normpath(posixpath.join(folder, path))
        if picture := self._pictures.get(path) or self._pictures.get(file):
            return posixpath.relpath(picture, posixpath.dirname(self._page.path) or ".")
        if page := self._atlas.pages.get(self._document_of(path)):
            return self._inside(page.path, unquote(fragment), href)
        return self._nowhere(href)

    def reference(self, reference: Reference) -> tuple[str, Inlines]:
        """Return the address of something named, and the text to show."""
        role, target, inside = reference.role, reference.target, reference.inside
        if role == "doc":
            return self._document(target, inside)
        if role in {"ref", "numref", "name", "any"} and (
            known := self._atlas.labels.get(" ".join(target.lower().split()))
        ):
            path, anchor, title = known
            return self._written(path, anchor), inside or title or (Text(target),)
        if role.startswith("py:") or role in _OBJECT_ROLES:
            shown = inside or (Code(target),)
            address = self._object(target)
            self.found += bool(address)
            return address, shown
        if role in {"ref", "numref", "name", "download"}:
            return self._nowhere(f"{role}: {target}"), inside or (Text(target),)
        return "", inside or (Text(target),)

    def notes(self, written: Written) -> Iterable[Note]:
        """Yield a note for each target that leads nowhere, and for a text that was too deep."""
        if written.flat:
            message = "blocks are nested too deep for a build; the text of the inner ones stays"
            yield Note(kind="nesting-dropped", place=self._page.file, message=message)
        for target in self.missing:
            message = f"the link to {target!r} leads nowhere; its text is kept"
            yield Note(kind="link-missing", place=self._page.file, message=message)

    def _document_of(self, path: str) -> str:
        """Return the document that a relative address means, as pages are known."""
        where = posixpath.normpath(posixpath.join(self._page.base, path))
        where = "index" if where == "." else where
        plain = re.sub(r"\.(?:html|rst|md|txt)$", "", where)
        if plain in self._atlas.pages:
            return plain
        return plain.removesuffix("/index") if "/" in plain else plain

    def _document(self, target: str, inside: Inlines) -> tuple[str, Inlines]:
        folder = self._page.base
        name = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
        page = self._atlas.pages.get(posixpath.normpath(name))
        if page is None:
            return self._nowhere(f"doc: {target}"), inside or (Text(target),)
        return self._written(page.path, ""), inside or page.title or (Text(target),)

    def _object(self, target: str) -> str:
        """Find an object by its full name, or by one below a module or class that has it."""
        name = target.lstrip(".")
        objects = self._atlas.objects
        found = objects.get(name)
        if found is None and self._page.parts:
            for scope in self._scopes():
                if found := objects.get(f"{scope}.{name}"):
                    break
        return relative(self._page.path, *found) if found else ""

    def _scopes(self) -> Iterable[str]:
        """Return the top packages whose objects are described: names are often given below them."""
        return dict.fromkeys(name.split(".")[0] for name in self._atlas.objects if "." in name)

    def _inside(self, path: str, fragment: str, href: str) -> str:
        if not fragment:
            return self._written(path, "")
        anchor = self._atlas.anchors.get((path, fragment))
        if anchor is None:
            self.missing[href] += 1
            return self._written(path, "") if path != self._page.path else ""
        return self._written(path, anchor)

    def _written(self, path: str, anchor: str) -> str:
        self.found += 1
        return relative(self._page.path, path, anchor)

    def _nowhere(self, target: str) -> str:
        self.missing[target] += 1
        return ""
