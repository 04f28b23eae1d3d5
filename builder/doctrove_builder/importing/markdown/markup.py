"""HTML, JSX and Vue components in a page to Markdown; what is decoration goes, its text stays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.component_elements import callout_heights, write_component
from doctrove_builder.importing.markdown.editing import Editing
from doctrove_builder.importing.markdown.expressions import drop_interpolations, drop_jsx
from doctrove_builder.importing.markdown.html_elements import (
    clean,
    drop,
    unwrap,
    write_code_block,
    write_heading,
    write_inline,
    write_quote,
)
from doctrove_builder.importing.markdown.lines import SOFT_BREAK, Line
from doctrove_builder.importing.markdown.tags import find_tags, pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.imported import Note
    from doctrove_builder.importing.markdown.tags import Element, Tag

MAX_AROUND = 40
"""Elements around one that are looked at."""

_words = str.split
KEPT = frozenset(
    _words("abbr bdi bdo cite del dfn ins kbd mark q rp rt ruby s samp sub sup var wbr")
)
RAW = frozenset(_words("table thead tbody tfoot tr td th caption dl dt dd ul ol li summary"))
"""Kept with all that is in them as HTML: no Markdown is read between such tags."""

KEPT_BLOCKS = RAW | {"details"}
UNWRAPPED = frozenset(
    _words(
        "address article aside base big body center div dir fieldset figcaption figure font footer"
        " header head hgroup html label legend link main meta nav nobr noscript object p param"
        " picture section slot small source span template tt title track u"
    )
)
DROPPED = frozenset(
    _words(
        "audio button canvas embed form iframe input math map progress script select style svg"
        " textarea video"
    )
)
INLINE = frozenset(_words("a b code em i img strong br"))
_HEADING = re.compile(r"h[1-6]\Z")
_VUE_LOGIC = ("v-for", "v-if", "v-else", "v-else-if", ":key")


def without_markup(
    lines: Sequence[Line], *, page: str, mdx: bool, vue: bool
) -> tuple[list[Line], list[Note]]:
    """Return a page's lines without the tags that are not Markdown, and notes of what went.

    `mdx` reads JSX and expressions, `vue` Vue's templates; HTML is read in every page.
    """
    if not lines:
        return [], []
    editing = Editing(lines, page=page, mdx=mdx)
    if "<" in editing.mask:
        elements = pair(find_tags(editing.text, editing.mask))
        heights = callout_heights(elements)
        for number, element in enumerate(elements):
            if editing.is_taken(element.opening.start):
                continue
            if vue and any(key in element.opening.attributes for key in _VUE_LOGIC):
                name = element.opening.name
                drop(editing, element, "component-dropped", f"<{name}> is made by a template")
            elif not _html(editing, elements, number):
                write_component(editing, elements, number, heights[number])
    if mdx:
        drop_jsx(editing)
    elif vue:
        drop_interpolations(editing)
    return editing.applied(), editing.notes


def _html(page: Editing, elements: Sequence[Element], number: int) -> bool:
    """Convert an element of HTML; false for one that is none."""
    element = elements[number]
    tag = element.opening
    lowered = tag.name.lower()
    plain = tag.name == lowered
    if plain and lowered in DROPPED:
        drop(page, element, "html-dropped", f"<{lowered}> is left out")
    elif not tag.name:
        unwrap(page, element)
    elif _is_kept(elements, number):
        clean(page, element)
    elif _HEADING.match(lowered):
        write_heading(page, element)
    elif plain and lowered in INLINE:
        write_inline(page, element)
    elif lowered == "pre":
        write_code_block(page, element)
    elif lowered == "blockquote":
        write_quote(page, element)
    elif lowered == "hr":
        _write_rule(page, tag)
    elif plain and lowered in UNWRAPPED:
        unwrap(page, element)
    else:
        return False
    return True


def _is_kept(elements: Sequence[Element], number: int) -> bool:
    name = elements[number].opening.name
    lowered = name.lower()
    if lowered in KEPT or name in KEPT_BLOCKS:
        return True
    return name in INLINE and _is_in_raw(elements, number)


def _is_in_raw(elements: Sequence[Element], number: int) -> bool:
    parent = elements[number].parent
    for _ in range(MAX_AROUND):
        if parent < 0:
            return False
        around = elements[parent]
        if around.opening.name.lower() in RAW and around.closing:
            return True
        parent = around.parent
    return False


def _write_rule(page: Editing, tag: Tag) -> None:
    page.edit(tag, "***" if page.own_line(tag) else f"{SOFT_BREAK}***{SOFT_BREAK}")
