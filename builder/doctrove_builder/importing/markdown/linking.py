"""Where the links of a source lead: pages, pictures, files of the repository, or nowhere."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown.includes import MARKDOWN
from doctrove_builder.importing.markdown.plain import texts_of
from doctrove_builder.importing.markdown.roles import LABEL
from doctrove_builder.importing.materialise import page_file
from doctrove_schema.sections import slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from doctrove_builder.importing.markdown.draft import Draft
    from doctrove_builder.importing.source_tree import SourceTree

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_SAFE = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(?:mdx?|markdown|html?|rst)$", re.IGNORECASE)
_INDEX = re.compile(r"(?:^|/)(?:index|readme|_index|home)$", re.IGNORECASE)
_NUMBER = re.compile(r"(?:^|(?<=/))\d+[-_.](?=\S)")


class Atlas(NamedTuple):
    """Everything that links can lead to."""

    tree: SourceTree
    docs: str
    site_url: str
    """Where the pages are published, ending in `/`; empty when not known."""

    directory_urls: bool
    """Whether a page's address ends in `/`: then links may be relative to that."""

    repository: str
    commit: str
    drafts: Mapping[str, Draft]
    """By page path."""

    by_file: Mapping[str, str]
    """Page path by file."""

    by_route: Mapping[str, str]
    """Page path by lower-case route: the path, or the address that a page gives itself."""

    labels: Mapping[str, tuple[str, str]]
    """Page path and anchor by label."""


class Linker:
    """Rewrites the links of one page; counts and notes what it finds."""

    def __init__(self, atlas: Atlas, draft: Draft) -> None:
        """Stand on a page."""
        self._atlas = atlas
        self._draft = draft
        self.line = 0
        self.notes: list[Note] = []
        self.internal = 0

    def target(self, address: str, image: bool) -> str | None:
        """Return the address to write; None where the link cannot stand and its text stays."""
        if image:
            return self._picture(address)
        if address.startswith(LABEL):
            return self._label(unquote(address.removeprefix(LABEL)))
        if _SCHEME.match(address):
            return self._absolute(address)
        path, _, fragment = address.partition("#")
        path = path.partition("?")[0]
        if not path:
            return self._within(fragment)
        page = self._page(unquote(path))
        if page is not None:
            self.internal += 1
            return self._to_page(page, unquote(fragment))
        return self._elsewhere(address, path)

    def _absolute(self, address: str) -> str | None:
        site = self._atlas.site_url
        if site and address.startswith(site):
            path, _, fragment = address[len(site) :].partition("#")
            page = self._atlas.by_route.get(_route(path.partition("?")[0]))
            known = page is not None and (
                not fragment or fragment in self._atlas.drafts[page].anchors
            )
            if page is not None and known:
                self.internal += 1
                return self._to_page(page, fragment)
        return address if _SAFE.match(address) or address.startswith("//") else None

    def _within(self, fragment: str) -> str | None:
        anchor = _anchor(unquote(fragment), self._draft)
        if anchor is None:
            if not fragment or fragment in {"top", "_top"}:
                return None
            self._note("link-anchor-missing", f"#{fragment} is no heading of the page")
            return None
        self.internal += 1
        return f"#{anchor}" if anchor else None

    def _label(self, label: str) -> str | None:
        found = self._atlas.labels.get(label.lower())
        if found is None:
            page = self._atlas.by_route.get(_route(label))
            if page is None:
                self._note("link-nowhere", f"the label {label!r} is not there")
                return None
            found = (page, "")
        self.internal += 1
        page, anchor = found
        if page == self._draft.path:
            return f"#{anchor}" if anchor else self._to_page(page, "")
        return self._to_page(page, anchor)

    def _to_page(self, page: str, fragment: str) -> str:
        draft = self._atlas.drafts[page]
        anchor = ""
        if fragment:
            known = _anchor(fragment, draft)
            if known is None:
                self._note("link-anchor-missing", f"#{fragment} is no heading of {draft.file}")
            anchor = known or ""
        if page == self._draft.path and anchor:
            return f"#{anchor}"
        here = posixpath.dirname(page_file(self._draft.path))
        path = posixpath.relpath(page_file(page), here or ".")
        return quote(path, safe="/@~!$&'*+,;=-._") + (f"#{anchor}" if anchor else "")

    def _page(self, path: str) -> str | None:
        """Find the page that a path means: as a file, as an address, as a route."""
        atlas, file = self._atlas, self._draft.file
        folder = posixpath.dirname(file)
        if path.startswith("/"):
            return self._rooted(path)
        joined = posixpath.normpath(posixpath.join(folder, path))
        for candidate in _files(joined):
            if candidate in atlas.by_file:
                return atlas.by_file[candidate]
        routes = [self._route_of(joined)]
        own = self._draft.path
        if atlas.directory_urls or path.endswith("/") or "." not in posixpath.basename(path):
            base = own if atlas.directory_urls else posixpath.dirname(own)
            routes.append(posixpath.normpath(posixpath.join(base, path)))
            routes.append(posixpath.normpath(posixpath.join(posixpath.dirname(own), path)))
        for route in routes:
            if route is not None and not route.startswith(".."):
                page = atlas.by_route.get(_route(route))
                if page is not None:
                    return page
        return None

    def _rooted(self, path: str) -> str | None:
        atlas = self._atlas
        bare = path.lstrip("/")
        for candidate in (*_files(posixpath.join(atlas.docs, bare)), *_files(bare)):
            if candidate in atlas.by_file:
                return atlas.by_file[candidate]
        routes = [bare]
        if atlas.site_url:
            base = urlsplit(atlas.site_url).path.strip("/")
            if base and f"{bare}/".startswith(f"{base}/"):
                routes.append(bare[len(base) :].lstrip("/"))
        routes += [bare.partition("/")[2]] if bare.startswith(("docs/", "en/")) else []
        return next(
            (found for route in routes if (found := atlas.by_route.get(_route(route)))), None
        )

    def _route_of(self, file: str) -> str | None:
        docs = self._atlas.docs
        if not docs:
            return file
        return file[len(docs) + 1 :] if file.startswith(f"{docs}/") else None

    def _elsewhere(self, address: str, path: str) -> str | None:
        """Return an address outside the pages: the repository's, or the published site's."""
        atlas = self._atlas
        if atlas.repository and not path.startswith("/"):
            folder = posixpath.dirname(self._draft.file)
            file = posixpath.normpath(posixpath.join(folder, unquote(path)))
            if file in atlas.tree or any(atlas.tree.under(file)):
                reference = atlas.commit or "HEAD"
                return f"{atlas.repository.rstrip('/')}/blob/{reference}/{quote(file)}"
        self._note("link-nowhere", f"{address} leads to no page of the source")
        if atlas.site_url:
            return self._published(address)
        return None

    def _published(self, address: str) -> str | None:
        base = page_url(self._atlas.site_url, self._draft.path, self._atlas.directory_urls)
        if address.startswith("/"):
            joined = urljoin(self._atlas.site_url, address)
        else:
            joined = urljoin(base, _SUFFIX.sub("", address.partition("#")[0]))
        return joined if joined.startswith(("https://", "http://")) else None

    def _picture(self, address: str) -> str | None:
        if address.startswith("//"):
            return f"https:{address}"
        if _SCHEME.match(address):
            return address if address.startswith(("https:", "http:")) else None
        if self._atlas.site_url:
            base = page_url(
                self._atlas.site_url,
                posixpath.dirname(self._draft.path) or "index",
                directory_urls=True,
            )
            joined = urljoin(self._atlas.site_url if address.startswith("/") else base, address)
            return joined if joined.startswith(("https://", "http://")) else None
        self._note("picture-dropped", f"{address} is not republished; its description stays")
        return None

    def _note(self, kind: str, message: str) -> None:
        place = f"{self._draft.file}:{self.line}"
        self.notes.append(Note(kind=kind, place=place, message=message))


def page_url(site_url: str, path: str, directory_urls: bool) -> str:
    """Return the address of a page on its published site."""
    bare = "" if path == "index" else path
    slash = "/" if directory_urls and bare else ""
    return f"{site_url}{quote(bare, safe='/@')}{slash}"


def routes_of(drafts: Iterable[Draft]) -> dict[str, str]:
    """Return page paths by every route that a link may name them by."""
    found: dict[str, str] = {}
    for draft in drafts:
        found.setdefault(_route(draft.path), draft.path)
    for draft in drafts:
        given = draft.front.text("slug", "permalink", "url", "id")
        if given:
            folder = posixpath.dirname(draft.path)
            route = given if given.startswith("/") else posixpath.join(folder, given)
            found.setdefault(_route(route), draft.path)
        for alias in texts_of(draft.front.values.get("aliases")):
            found.setdefault(_route(alias), draft.path)
    return found


def _route(path: str) -> str:
    bare = _SUFFIX.sub("", unquote(path).strip("/"))
    bare = _INDEX.sub("", bare)
    return _NUMBER.sub("", bare).lower() or "index"


def _files(path: str) -> tuple[str, ...]:
    """Return the files that a path may mean, the likeliest first."""
    bare = path.rstrip("/")
    if not bare or bare == ".":
        return tuple(f"{name}{suffix}" for name in ("index", "README") for suffix in MARKDOWN)
    stem = re.sub(r"\.html?$", "", bare)
    suffixed = tuple(f"{stem}{suffix}" for suffix in MARKDOWN)
    inside = tuple(
        f"{stem}/{name}{suffix}" for name in ("index", "README", "_index") for suffix in MARKDOWN
    )
    return (bare, *suffixed, *inside)


def _anchor(fragment: str, draft: Draft) -> str | None:
    """Return a page's anchor that a fragment means, however it is spelled; None for none."""
    if not fragment:
        return ""
    if fragment == draft.title_anchor and fragment not in draft.anchors - {draft.title_anchor}:
        return ""
    if fragment in draft.anchors:
        return fragment
    if fragment in draft.labels:
        return draft.labels[fragment]
    bare = re.sub(r"[^\w.-]", "-", fragment)
    wanted = {bare, bare.lower(), slug(fragment), bare.replace("_", "-").strip("-").lower()}
    squeezed = {re.sub(r"[^a-z0-9]+", "", one.lower()) for one in wanted} - {""}
    for anchor in sorted(draft.anchors):
        if anchor in wanted or re.sub(r"[^a-z0-9]+", "", anchor.lower()) in squeezed:
            return "" if anchor == draft.title_anchor else anchor
    return None
