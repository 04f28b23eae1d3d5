"""Page paths from file paths, and the order that pages are read in."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec

from doctrove_builder.authoring.fault import fault
from doctrove_builder.authoring.quoting import shown
from doctrove_builder.model import Document, PageSource
from doctrove_builder.rules import BuildRule
from doctrove_schema.names import fold, name_fault, nearest
from doctrove_schema.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.authoring.marked import Place

FRONT = "index"
"""Path of the page that stands on the volume's own front page."""

_FOLDER_PAGES = ("index", "readme")
RESERVED = ("index.html", "index.json", "index.md")
"""Files of a published page's folder; no page below it may take their place."""


class PageParser(Protocol):
    """Parses one Markdown page; `doctrove_builder.markdown.parse_page` is one."""

    def __call__(self, document: Document, *, path: str, split_level: int) -> Parsed:
        """Return the page and its problems."""
        ...


class PageRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One page to parse; small, and can be sent to another process."""

    document: Document
    path: str
    split_level: int


Parsed: TypeAlias = tuple[PageSource, tuple[Problem, ...]]
ParseOne: TypeAlias = Callable[[PageRequest], Parsed]
Each: TypeAlias = Callable[[ParseOne, Iterable[PageRequest]], Iterable[Parsed]]
"""Applies a function to every request and yields the results in their order, as `map` does."""


def page_path(relative: str) -> str:
    """Return the page path of a file below its volume's folder.

    `guide/routing.md` is `guide/routing`; `guide/index.md` and `guide/README.md` are `guide`; the
    volume's own are `index`.
    """
    path = posixpath.splitext(relative)[0]
    folder, name = posixpath.split(path)
    if name.lower() in _FOLDER_PAGES:
        return folder or FRONT
    return path


def page_requests(
    documents: Iterable[Document], *, folder: str, split_level: int
) -> tuple[tuple[PageRequest, ...], tuple[Problem, ...]]:
    """Return a request for each page of a volume's folder; two never have the same path."""
    requests: dict[str, PageRequest] = {}
    problems: list[Problem] = []
    for document in documents:
        path = page_path(document.path[len(folder) + 1 :])
        if problem := page_name_problem(path, source=document.path):
            problems.append(problem)
        elif other := requests.get(fold(path)):
            problems.append(_pages_collide(document.path, other.document.path, path))
        else:
            requests[fold(path)] = PageRequest(
                document=document, path=path, split_level=split_level
            )
    return tuple(requests.values()), tuple(problems)


def page_name_problem(path: str, *, source: str, at: Place | None = None) -> Problem | None:
    """Say what keeps a page path from being one."""
    for part in path.split("/"):
        if reason := _part_fault(part):
            message = f"{shown(part)} cannot be a page's name: it {reason}"
            return fault(BuildRule.PAGE_NAME, message, source=source, at=at, hint="rename it")
    return None


@lru_cache(maxsize=4096)
def _part_fault(part: str) -> str:
    if part.lower() in RESERVED:
        return "is the name of a file that each page has"
    return name_fault(part)


def in_reading_order(pages: Iterable[PageSource], order: Sequence[str]) -> tuple[PageSource, ...]:
    """Sort: the front page, as `order` names them, by front matter, as they stand."""
    named = {path: number for number, path in enumerate(order)}

    def place(page: PageSource) -> tuple[bool, int, bool, int]:
        number = named.get(page.path, len(named))
        return page.path not in {FRONT, ""}, number, page.order is None, page.order or 0

    return tuple(sorted(pages, key=place))


def order_problems(
    order: Iterable[tuple[str, Place]], *, pages: Iterable[str], source: str
) -> tuple[Problem, ...]:
    """Return a problem for each page that `order` names and that is not there."""
    known = list(pages)
    return tuple(
        fault(
            BuildRule.ORDER_UNKNOWN_PAGE,
            f"`order` names the page {shown(path)}, which is not there",
            source=source,
            at=at,
            hint=_page_hint(path, known),
        )
        for path, at in order
        if path not in known
    )


def _page_hint(path: str, known: list[str]) -> str:
    suffix = posixpath.splitext(path)[1]
    meant = path.removesuffix(suffix) if suffix in {".md", ".markdown"} else nearest(path, known)
    if meant in known:
        return f"do you mean `{meant}`?"
    return "write the file's path in the volume without its suffix"


def _pages_collide(path: str, other: str, page: str) -> Problem:
    return fault(
        BuildRule.PAGES_COLLIDE,
        f"`{path}` and `{other}` are both the page `{page}`",
        source=path,
        hint="rename one of them, or join them",
    )
