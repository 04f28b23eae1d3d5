"""Every page of a source by what links may call it: its file, its address, a label, an anchor."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from doctrove_builder.importing.markdown.includes import MARKDOWN
from doctrove_builder.importing.markdown.page_files import is_version
from doctrove_builder.importing.markdown.plain import texts_of
from doctrove_schema.sections import slug

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from doctrove_builder.importing.markdown.draft import Draft
    from doctrove_builder.importing.source_tree import SourceTree

_SUFFIX = re.compile(r"\.(?:mdx?|markdown|html?|rst)$", re.IGNORECASE)
_INDEX = re.compile(r"(?:^|/)(?:index|readme|_index|home)$", re.IGNORECASE)
_NUMBER = re.compile(r"(?:^|(?<=/))\d+[-_.](?=\S)")


class Objects(NamedTuple):
    """The sections of API objects, by their dotted names."""

    names: Mapping[str, tuple[str, str]]
    """Page path and anchor."""

    canonical: Callable[[str], str] = str
    """Gives the name under which an object is defined; empty for an unknown one."""

    tops: tuple[str, ...] = ()
    """The top packages: names are often given below them."""

    def find(self, name: str) -> tuple[str, str] | None:
        """Find an object by its full name, or by one below a top package."""
        for candidate in (name, *(f"{top}.{name}" for top in self.tops)):
            found = self.names.get(candidate) or self.names.get(self.canonical(candidate))
            if found is not None:
                return found
        return None


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

    references: bool
    """Whether `[text][name]` may name an anchor of any page (mkdocs-autorefs)."""

    anchors: Mapping[str, str]
    """Page path by an anchor that no other page has: names of API objects."""

    objects: Objects

    def find(self, path: str, draft: Draft) -> str | None:
        """Find the page that a path on another page means: as a file, as an address, as a route."""
        folder = posixpath.dirname(draft.file)
        if path.startswith("/"):
            return self._rooted(path)
        joined = posixpath.normpath(posixpath.join(folder, path))
        for candidate in (*_files(joined), *_files(posixpath.join(self.docs, path))):
            if candidate in self.by_file:
                return self.by_file[candidate]
        routes = [self._route_of(joined)]
        own = draft.path
        if self.directory_urls or path.endswith("/") or "." not in posixpath.basename(path):
            base = own if self.directory_urls else posixpath.dirname(own)
            routes.append(posixpath.normpath(posixpath.join(base, path)))
            routes.append(posixpath.normpath(posixpath.join(posixpath.dirname(own), path)))
        for route in routes:
            if route is not None and not route.startswith(".."):
                page = self.by_route.get(route_of(route))
                if page is not None:
                    return page
        return None

    def labelled(self, label: str) -> tuple[str, str] | None:
        """Return the page and the anchor that a label of the documentation names."""
        found = self.labels.get(label.lower())
        if found is None:
            page = self.by_route.get(route_of(label))
            found = None if page is None else (page, "")
        return found

    def described(self, name: str) -> tuple[str, str] | None:
        """Return the page and the anchor of the section on an API object."""
        return self.objects.find(name)

    def _rooted(self, path: str) -> str | None:
        bare = path.lstrip("/")
        for candidate in (*_files(posixpath.join(self.docs, bare)), *_files(bare)):
            if candidate in self.by_file:
                return self.by_file[candidate]
        routes = [bare]
        if self.site_url:
            base = urlsplit(self.site_url).path.strip("/")
            if base and f"{bare}/".startswith(f"{base}/"):
                routes.append(bare[len(base) :].lstrip("/"))
        if bare.startswith(("docs/", "en/")):
            routes.append(inner := bare.partition("/")[2])
            version, _, rest = inner.partition("/")
            routes += [rest] if is_version(version) else []
        return next(
            (found for route in routes if (found := self.by_route.get(route_of(route)))), None
        )

    def _route_of(self, file: str) -> str | None:
        if not self.docs:
            return file
        return file[len(self.docs) + 1 :] if file.startswith(f"{self.docs}/") else None


NO_OBJECTS = Objects({})


def objects_of(drafts: Iterable[Draft], api: Objects) -> Objects:
    """Return where objects are described: on pages of the API, else where pages place them."""
    found = dict(api.names)
    for draft in drafts:
        for anchor, names in draft.symbols.items():
            at = anchor if anchor in draft.anchors and anchor != draft.title_anchor else ""
            for name in names:
                found.setdefault(name, (draft.path, at))
        for anchor in sorted(draft.anchors):
            if "." in anchor:  # no slug of a heading has a dot
                found.setdefault(anchor, (draft.path, anchor))
    tops = dict.fromkeys(name.split(".")[0] for name in found if "." in name)
    return Objects(found, api.canonical, tuple(tops))


def page_url(site_url: str, path: str, directory_urls: bool) -> str:
    """Return the address of a page on its published site."""
    bare = "" if path == "index" else path
    slash = "/" if directory_urls and bare else ""
    return f"{site_url}{quote(bare, safe='/@')}{slash}"


def routes_of(drafts: Iterable[Draft]) -> dict[str, str]:
    """Return page paths by every route that a link may name them by."""
    found: dict[str, str] = {}
    for draft in drafts:
        found.setdefault(route_of(draft.path), draft.path)
    for draft in drafts:
        given = draft.front.text("slug", "permalink", "url", "id")
        if given:
            folder = posixpath.dirname(draft.path)
            route = given if given.startswith("/") else posixpath.join(folder, given)
            found.setdefault(route_of(route), draft.path)
        for alias in texts_of(draft.front.values.get("aliases")):
            found.setdefault(route_of(alias), draft.path)
    return found


def route_of(path: str) -> str:
    """Return a route as it is compared with others."""
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


def anchor_of(fragment: str, draft: Draft) -> str | None:
    """Return a page's anchor that a fragment means, however it is spelled; None for none."""
    if not fragment:
        return ""
    if fragment == draft.title_anchor and fragment not in draft.anchors - {draft.title_anchor}:
        return ""
    if fragment in draft.anchors:
        return fragment
    known = draft.labels.get(fragment, draft.places.get(fragment))
    if known is not None:
        return "" if known == draft.title_anchor else known
    bare = re.sub(r"[^\w.-]", "-", fragment)
    wanted = {bare, bare.lower(), slug(fragment), bare.replace("_", "-").strip("-").lower()}
    squeezed = {re.sub(r"[^a-z0-9]+", "", one.lower()) for one in wanted} - {""}
    for anchor in sorted(draft.anchors):
        if anchor in wanted or re.sub(r"[^a-z0-9]+", "", anchor.lower()) in squeezed:
            return "" if anchor == draft.title_anchor else anchor
    return None
