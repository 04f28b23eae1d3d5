"""The part of a built page that is its content, whatever theme it was built with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.importing.html.parsing import classes, found, tag

if TYPE_CHECKING:
    from doctrove_builder.importing.html.parsing import Element


def content_of(root: Element) -> Element | None:
    """Return the element that holds a page's content; the body where no theme's mark is found."""
    for one in root.iter():
        if isinstance(one.tag, str) and one.get("itemprop") == "articleBody":
            return one
    best: Element | None = None
    for one in root.iter():
        if not isinstance(one.tag, str):
            continue
        if one.get("role") == "main" or tag(one) in {"main", "article"}:
            best = one if best is None or _is_inner(one, best) else best
    if best is not None:
        return best
    for cls in ("body", "documentwrapper", "document", "content"):
        if (named := found(root, name="div", cls=cls)) is not None:
            return named
    return found(root, name="body")


def next_link(root: Element) -> str:
    """Return the address of the page that follows, as the page's head says it."""
    for one in root.iter("link"):
        if one.get("rel") == "next":
            return one.get("href") or ""
    return ""


def _is_inner(one: Element, outer: Element) -> bool:
    """Say whether an element is the article of the main part: an inner one has less around it."""
    if tag(one) != "article" and "bd-article" not in classes(one):
        return False
    parent = one.getparent()
    while parent is not None:
        if parent is outer:
            return True
        parent = parent.getparent()
    return False
