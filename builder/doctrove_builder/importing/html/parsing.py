"""HTML to a tree of elements: bounded in depth, nothing fetched, comments and scripts gone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

Element = etree._Element  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - its only name

DROPPED = frozenset(
    """
    applet audio base button canvas embed form frame frameset head iframe input link map meta nav
    noscript object script select style svg template textarea title track video
    """.split()  # noqa: SIM905 - words
)
"""Elements without text of their own, or with what is no documentation."""

CHROME = frozenset(
    """
    headerlink anchor-link hash-link viewcode-link viewcode-back viewcode-block-link copybtn
    copy-button toctree-wrapper sphinxsidebar related breadcrumb breadcrumbs wy-breadcrumbs
    rst-footer-buttons prev-next-area prev-next-footer bottom-of-page related-pages toc-drawer
    back-to-top mobile-header sidebar-drawer content-icon-container edit-this-page linenos
    linenodiv clearer skip-link visually-hidden sr-only bd-toc bd-sidebar bd-header-article
    article-container-header sd-visually-hidden sphinx-tabs-hidden noprint searchbox
    sphinx-codeautolink-hidden
    """.split()  # noqa: SIM905 - words
)
"""Classes of what decorates a page."""

_PAGE = re.compile(r"<(?:html|body|head)[\s>]", re.IGNORECASE)


def parse_html(text: str) -> Element | None:
    """Return the root of a page or a fragment; None when there is no element in it."""
    parser = etree.HTMLParser(
        encoding="utf-8",
        recover=True,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        huge_tree=False,
    )
    whole = text if _PAGE.search(text[:4_000]) else f"<body>{text}</body>"
    data = whole.replace("\0", "").encode("utf-8", "replace")
    try:
        root: Element | None = etree.fromstring(data, parser)
    except etree.LxmlError:
        return None
    return root


def classes(element: Element) -> frozenset[str]:
    """Return the classes of an element."""
    return frozenset((element.get("class") or "").split())


def is_shown(element: Element) -> bool:
    """Say whether an element is part of the text."""
    if tag(element) in DROPPED or element.get("hidden") is not None:
        return False
    return not (CHROME & classes(element)) and element.get("aria-hidden") != "true"


def tag(element: Element) -> str:
    """Return an element's name; empty for what is none (a processing instruction)."""
    return element.tag if isinstance(element.tag, str) else ""


def pieces(element: Element) -> Iterator[str | Element]:
    """Yield the texts and shown elements within an element, in order."""
    if element.text:
        yield element.text
    for child in element:
        if tag(child) and is_shown(child):
            yield child
        if child.tail:
            yield child.tail


def text_of(element: Element) -> str:
    """Return the text within an element as it is written, decoration left out."""
    parts: list[str] = []
    stack: list[str | Element] = [element]
    first = True
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            parts.append(one)
        elif tag(one) == "br":
            parts.append("\n")
        elif first or is_shown(one):
            first = False
            stack += reversed(list(pieces(one)))
    return "".join(parts)


def found(element: Element, *, name: str = "", cls: str = "") -> Element | None:
    """Return the first element below with a name and a class; None when there is none."""
    for one in element.iter():
        named = isinstance(one.tag, str) and (not name or one.tag == name)
        if named and (not cls or cls in classes(one)):
            return one
    return None


def hide(element: Element) -> None:
    """Take an element out of the text."""
    element.set("hidden", "")


def whole_number(text: str | None, default: int) -> int:
    """Return an attribute's number, or the default where it is none."""
    written = text or ""
    return int(written) if written.isascii() and written.isdigit() and len(written) < 9 else default
