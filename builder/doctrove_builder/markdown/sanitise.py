"""What HTML may stand in a page; everything an author wrote passes through here (nh3).

Ids and picture addresses are not on the list: those that the renderer makes itself travel under a
secret mark and are put in afterwards, so that an author's HTML can neither take an id of the page
nor make a reader's browser fetch anything.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import nh3

from doctrove_builder.markdown.kinds import STYLE_OF

if TYPE_CHECKING:
    from collections.abc import Mapping

INLINE_TAGS = frozenset(
    [
        "abbr",
        "b",
        "bdi",
        "bdo",
        "br",
        "cite",
        "code",
        "del",
        "dfn",
        "em",
        "i",
        "ins",
        "kbd",
        "mark",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "var",
        "wbr",
    ]
)
_BLOCK_TAGS = frozenset(
    [
        "a",
        "blockquote",
        "caption",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "figcaption",
        "figure",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "img",
        "li",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
TAGS = INLINE_TAGS | _BLOCK_TAGS

DROPPED_WITH_CONTENT = frozenset({"script", "style"})

_CLASSES: Mapping[str, frozenset[str]] = {
    "a": frozenset({"external", "footnote-back", "permalink"}),
    "details": frozenset({"admonition", *STYLE_OF.values()}),
    "div": frozenset({"admonition", "footnotes", "tab", "table", "tabs", *STYLE_OF.values()}),
    "li": frozenset({"task"}),
    "p": frozenset({"admonition-title"}),
    "span": frozenset({"math"}),
    "summary": frozenset({"admonition-title"}),
    "sup": frozenset({"footnote-ref"}),
    "td": frozenset({"align-center", "align-left", "align-right"}),
    "th": frozenset({"align-center", "align-left", "align-right"}),
}

_ATTRIBUTES: Mapping[str, frozenset[str]] = {
    "*": frozenset({"dir", "lang", "title"}),
    "a": frozenset({"aria-label", "href", "rel"}),
    "details": frozenset({"open"}),
    "div": frozenset({"aria-label"}),
    "img": frozenset({"alt", "height", "width"}),
    "ol": frozenset({"reversed", "start"}),
    "td": frozenset({"colspan", "rowspan"}),
    "th": frozenset({"colspan", "rowspan", "scope"}),
    "time": frozenset({"datetime"}),
}
_VALUES: Mapping[str, Mapping[str, frozenset[str]]] = {
    "div": {"role": frozenset({"group", "note"}), "tabindex": frozenset({"0"})},
    "img": {"decoding": frozenset({"async"}), "loading": frozenset({"lazy"})},
}
_LOOK = frozenset({"align", "class", "decoding", "loading", "markdown", "rel", "target", "valign"})
"""Attributes that go without a word: they say how something looks or opens."""

_TREATED = {"a": {"href", "id", "name"}, "img": {"src"}}
_EMPTY_VALUE = re.compile(r"""<[a-z][^<>]*=""[^<>]*>""")
MARK_ID, MARK_SOURCE, MARK_PIECE = "data-i", "data-s", "data-p"


def is_kept(tag: str, attribute: str = "") -> bool:
    """Tell whether an author's tag, or what an attribute of it says, reaches the page."""
    if not attribute:
        return tag in TAGS
    if attribute in _LOOK:
        return True
    return (
        attribute in _ATTRIBUTES["*"]
        or attribute in _ATTRIBUTES.get(tag, ())
        or attribute in _TREATED.get(tag, ())
    )


def clean_body(html: str) -> str:
    """Return HTML of blocks with everything removed that is not on the list."""
    return _EMPTY_VALUE.sub(_shortened, _body_cleaner().clean(html))


def clean_inline(html: str) -> str:
    """Return HTML of a heading: inline tags alone, no links, no classes."""
    return _inline_cleaner().clean(html)


def _shortened(tag: re.Match[str]) -> str:
    bare = tag[0].replace(' class=""', "")
    return bare.replace(' open=""', " open").replace(' reversed=""', " reversed")


@lru_cache(maxsize=1)
def _body_cleaner() -> nh3.Cleaner:
    marks = {tag: {MARK_ID} for tag in ("a", "h2", "h3", "h4", "h5", "h6", "li")}
    marks |= {"img": {MARK_SOURCE}, "figure": {MARK_PIECE}, "wbr": {MARK_PIECE}}
    names = _ATTRIBUTES.keys() | marks.keys()
    return nh3.Cleaner(
        tags=set(TAGS),
        clean_content_tags=set(DROPPED_WITH_CONTENT),
        attributes={name: {*_ATTRIBUTES.get(name, ()), *marks.get(name, ())} for name in names},
        tag_attribute_values={
            tag: {name: set(values) for name, values in allowed.items()}
            for tag, allowed in _VALUES.items()
        },
        allowed_classes={tag: set(names) for tag, names in _CLASSES.items()},
        url_schemes={"http", "https", "mailto"},
        link_rel=None,
        strip_comments=True,
    )


@lru_cache(maxsize=1)
def _inline_cleaner() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(INLINE_TAGS),
        clean_content_tags=set(DROPPED_WITH_CONTENT),
        attributes={"*": {"dir", "lang", "title"}},
        link_rel=None,
        strip_comments=True,
    )
