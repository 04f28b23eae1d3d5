"""Where the links of a page lead: pages, pictures, files of the repository, or nowhere."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown.atlas import anchor_of, page_url, route_of
from doctrove_builder.importing.markdown.link_text import folded
from doctrove_builder.importing.markdown.pictures import relative
from doctrove_builder.importing.markdown.roles import LABEL, OBJECT
from doctrove_builder.importing.materialise import page_file
from doctrove_builder.importing.python.names import relative as relative_page

if TYPE_CHECKING:
    from doctrove_builder.importing.markdown.atlas import Atlas
    from doctrove_builder.importing.markdown.draft import Draft
    from doctrove_builder.importing.markdown.pictures import Pictures

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_SAFE = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(?:mdx?|markdown|html?|rst)$", re.IGNORECASE)
_MYST = re.compile(r"(?P<scheme>project|path|inv|myst):(?P<rest>.*)")
_OBJECT = re.compile(r"[A-Za-z_][\w]*(?:\.\w+)+")


class Linker:
    """Rewrites the links of one page; counts and notes what it finds."""

    def __init__(
        self, atlas: Atlas, draft: Draft, pictures: Pictures, *, defined: frozenset[str]
    ) -> None:
        """Stand on a page; `defined` are the labels that it defines itself."""
        self._atlas = atlas
        self._draft = draft
        self._pictures = pictures
        self._defined = defined
        self.line = 0
        self.notes: list[Note] = []
        self.internal = 0

    def target(self, address: str, image: bool) -> str | None:
        """Return the address to write; None where the link cannot stand and its text stays."""
        if image:
            return self._picture(address)
        if address.startswith(LABEL):
            return self._label(unquote(address.removeprefix(LABEL)))
        if address.startswith(OBJECT):
            return self._object(address.removeprefix(OBJECT))
        if myst := _MYST.fullmatch(address):
            return self._relative(myst["rest"]) if myst["scheme"] in {"path", "project"} else None
        if _SCHEME.match(address):
            return self._absolute(address)
        return self._relative(address)

    def _relative(self, address: str) -> str | None:
        path, _, fragment = address.partition("#")
        path = path.partition("?")[0]
        if not path:
            return self._within(fragment)
        page = self._atlas.find(unquote(path), self._draft)
        if page is not None:
            self.internal += 1
            return self._to_page(page, unquote(fragment))
        if self._atlas.labels and (known := self._atlas.labelled(unquote(address))):
            return self._to(*known)
        return self._object(unquote(address)) or self._elsewhere(address, path)

    def name(self, address: str) -> str:
        """Return the heading that a link without a text leads to."""
        if myst := _MYST.fullmatch(address):
            address = myst["rest"]
            if myst["scheme"] == "inv":
                return f"`{unquote(address).rpartition('#')[2]}`"
        if address.startswith(LABEL):
            known = self._atlas.labelled(unquote(address.removeprefix(LABEL)))
            return self._heading(*known) if known else unquote(address.removeprefix(LABEL))
        path, _, fragment = address.partition("#")
        page = self._atlas.find(unquote(path), self._draft) if path else self._draft.path
        if page is not None:
            anchor = anchor_of(unquote(fragment), self._atlas.drafts[page])
            if anchor is not None:
                return self._heading(page, anchor)
        named = unquote(fragment if not path else address)
        if known := self._atlas.labelled(named):
            return self._heading(*known)
        return f"`{named}`" if _OBJECT.fullmatch(named) else unquote(address)

    def reference(self, label: str) -> str | None:
        """Return where `[text][label]` leads whose label the page does not define (autorefs)."""
        if not self._atlas.references or folded(label) in self._defined:
            return None
        page = self._atlas.anchors.get(label)
        if page is not None:
            self.internal += 1
            return self._to_page(page, label)
        return "" if _OBJECT.fullmatch(label) else None

    def _heading(self, page: str, anchor: str) -> str:
        draft = self._atlas.drafts[page]
        return draft.headings.get(anchor, "") or draft.title

    def _absolute(self, address: str) -> str | None:
        site = self._atlas.site_url
        if site and address.startswith(site):
            path, _, fragment = address[len(site) :].partition("#")
            page = self._atlas.by_route.get(route_of(path.partition("?")[0]))
            known = page is not None and (
                not fragment
                or fragment in self._atlas.drafts[page].anchors
                or fragment in self._atlas.drafts[page].places
            )
            if page is not None and known:
                self.internal += 1
                return self._to_page(page, fragment)
        return address if _SAFE.match(address) or address.startswith("//") else None

    def _within(self, fragment: str) -> str | None:
        if not fragment or fragment in {"top", "_top"}:
            return None
        anchor = anchor_of(unquote(fragment), self._draft)
        if anchor is None:
            if known := self._atlas.labelled(unquote(fragment)) if self._atlas.labels else None:
                return self._to(*known)
            if address := self._object(unquote(fragment)):
                return address
            self._note("link-anchor-missing", f"#{fragment} is no heading of the page")
            return None
        self.internal += 1
        return f"#{anchor}" if anchor else None

    def _label(self, label: str) -> str | None:
        found = self._atlas.labelled(label)
        if found is None:
            self._note("link-nowhere", f"the label {label!r} is not there")
            return None
        return self._to(*found)

    def _object(self, name: str) -> str | None:
        """Return where an API object is described; None where nowhere, and its name stays."""
        found = self._atlas.described(name)
        if found is None or found == (self._draft.path, ""):
            return None
        if found[0] in self._atlas.drafts:
            return self._to(*found)
        self.internal += 1
        return relative_page(self._draft.path, *found)

    def _to(self, page: str, anchor: str) -> str:
        self.internal += 1
        return f"#{anchor}" if page == self._draft.path and anchor else self._to_page(page, anchor)

    def _to_page(self, page: str, fragment: str) -> str:
        draft = self._atlas.drafts[page]
        anchor = ""
        if fragment:
            known = anchor_of(fragment, draft)
            if known is None:
                self._note("link-anchor-missing", f"#{fragment} is no heading of {draft.file}")
            anchor = known or ""
        if page == self._draft.path and anchor:
            return f"#{anchor}"
        here = posixpath.dirname(page_file(self._draft.path))
        path = posixpath.relpath(page_file(page), here or ".")
        return quote(path, safe="/@~!$&'*+,;=-._") + (f"#{anchor}" if anchor else "")

    def _elsewhere(self, address: str, path: str) -> str | None:
        """Return the address of a file that is no page, in the repository or on the site."""
        atlas = self._atlas
        rooted = path.startswith("/")
        folder = atlas.docs if rooted else posixpath.dirname(self._draft.file)
        file = posixpath.normpath(posixpath.join(folder, unquote(path).lstrip("/")))
        if file in atlas.tree or any(atlas.tree.under(file)):
            if atlas.repository and not rooted:
                reference = atlas.commit or "HEAD"
                return f"{atlas.repository.rstrip('/')}/blob/{reference}/{quote(file)}"
            if atlas.site_url:
                return self._published(address)
        self._note("link-nowhere", f"{address} leads to no page of the source")
        return None

    def _published(self, address: str) -> str | None:
        base = page_url(self._atlas.site_url, self._draft.path, self._atlas.directory_urls)
        if address.startswith("/"):
            joined = urljoin(self._atlas.site_url, address)
        else:
            joined = urljoin(base, _SUFFIX.sub("", address.partition("#")[0]))
        return joined if joined.startswith(("https://", "http://")) else None

    def _picture(self, address: str) -> str | None:
        atlas, draft = self._atlas, self._draft
        folder = posixpath.dirname(draft.path) or "index"
        url = page_url(atlas.site_url, folder, directory_urls=True)
        shown = self._pictures.show(address, file=draft.file, url=url)
        if shown.address:
            if not shown.kept:
                return shown.address
            return relative(shown.address, page_file=page_file(draft.path))
        if shown.why:
            self._note("picture-dropped", f"{address} {shown.why}; its description stays")
        return None

    def _note(self, kind: str, message: str) -> None:
        place = f"{self._draft.file}:{self.line}"
        self.notes.append(Note(kind=kind, place=place, message=message))
