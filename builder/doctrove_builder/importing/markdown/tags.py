"""Finding HTML, JSX and Vue tags in a page, code left alone, and pairing them."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.markdown.lines import Line, masked, runs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()  # noqa: SIM905
)
MAX_TAG = 10_000
"""Characters of one tag; a longer one is text."""

MAX_TAGS = 50_000
MAX_OPEN_BRACES = 100
"""Braces of a page that are not closed, after which no more are looked at."""

_NAME = re.compile(r"[A-Za-z][\w.-]*")
_ATTRIBUTE_NAME = re.compile(r"[^\s\"'<>/={}]+")


class Tag(NamedTuple):
    """One tag with its place in the text of a page."""

    start: int
    end: int
    name: str
    """As written; empty for a JSX fragment."""

    closing: bool
    alone: bool
    """`<br />`: closed by itself, or void."""

    attributes: Mapping[str, str]
    """Quoted values unescaped; JSX expressions with their braces."""

    def text(self, *names: str) -> str:
        """Return the first of the attributes whose value is a text."""
        for name in names:
            value = _string(self.attributes.get(name, ""))
            if value:
                return value
        return ""


class Element(NamedTuple):
    """An opening tag and its closing one; None where there is none."""

    opening: Tag
    closing: Tag | None
    parent: int
    """Number of the element around it; -1 for none."""


def page_mask(lines: Sequence[Line], *, indented: bool) -> str:
    r"""Return the page's text with code filled with `\\0`, each character in its place."""
    parts: list[str] = []
    for is_text, run in runs(lines, indented=indented):
        text = "\n".join(line.text for line in run)
        parts.append(masked(text) if is_text else re.sub(r"[^\n]", "\0", text))
    return "\n".join(parts)


def find_tags(text: str, mask: str) -> list[Tag]:
    """Return the tags of a text in order; `mask` says which of it is code."""
    tags: list[Tag] = []
    braces = Braces(text)
    at = mask.find("<")
    while at >= 0 and len(tags) < MAX_TAGS:
        tag = _tag(text, mask, at, braces)
        if tag is not None:
            tags.append(tag)
        at = mask.find("<", tag.end if tag else at + 1)
    return tags


def pair(tags: Sequence[Tag]) -> list[Element]:
    """Pair tags into elements in the order of their opening; stray closing tags stand alone."""
    elements: list[Element] = []
    opened: list[int] = []
    counts: dict[str, int] = {}
    for tag in tags:
        parent = opened[-1] if opened else -1
        if tag.alone:
            elements.append(Element(tag, None, parent))
        elif not tag.closing:
            opened.append(len(elements))
            counts[tag.name] = counts.get(tag.name, 0) + 1
            elements.append(Element(tag, None, parent))
        elif counts.get(tag.name, 0):
            while opened:
                number = opened.pop()
                name = elements[number].opening.name
                counts[name] -= 1
                if name == tag.name:
                    elements[number] = elements[number]._replace(closing=tag)
                    break
        else:
            elements.append(Element(tag, None, parent))
    return elements


def _tag(text: str, mask: str, start: int, braces: Braces) -> Tag | None:  # noqa: PLR0911 - one a dialect
    if text.endswith(("\\", "]("), max(start - 2, 0), start):
        return None  # escaped, or the address of a link
    at = start + 1
    closing = mask.startswith("/", at)
    at += closing
    if mask.startswith(">", at):  # a fragment
        return Tag(start, at + 1, "", closing, False, {})
    named = _NAME.match(mask, at)
    if named is None:
        return None
    at = named.end()
    if at < len(mask) and mask[at] not in " \t\n/>":
        return None
    attributes: dict[str, str] = {}
    limit = min(len(mask), start + MAX_TAG)
    while at < limit:
        if mask[at] in " \t\n":
            if mask.startswith("\n\n", at):
                return None
            at += 1
        elif mask[at] == ">":
            name = named[0]
            alone = name.lower() in VOID and not closing
            return Tag(start, at + 1, name, closing, alone, attributes)
        elif mask.startswith("/>", at):
            return Tag(start, at + 2, named[0], closing, True, attributes)
        else:
            end = _attribute(text, at, limit, attributes, braces)
            if end is None:
                return None
            at = end
    return None


def _attribute(  # noqa: PLR0911 - one a dialect
    text: str, at: int, limit: int, attributes: dict[str, str], braces: Braces
) -> int | None:
    """Read one attribute and return where it ends; None for what is no attribute."""
    if text[at] == "{":  # {...spread}
        return braces.end(at)
    named = _ATTRIBUTE_NAME.match(text, at)
    if named is None:
        return None
    at = named.end()
    after = at
    while after < limit and text[after] in " \t\n":
        after += 1
    if text[after : after + 1] != "=":
        attributes[named[0]] = ""
        return at
    at = after + 1
    while at < limit and text[at] in " \t\n":
        at += 1
    if at >= limit:
        return None
    if text[at] in "\"'":
        end = text.find(text[at], at + 1, limit)
        if end < 0:
            return None
        attributes[named[0]] = html.unescape(text[at + 1 : end])
        return end + 1
    if text[at] == "{":
        close = braces.end(at)
        if close is not None:
            attributes[named[0]] = text[at:close]
        return close
    bare = re.compile(r"[^\s\"'<>=`]+").match(text, at)
    if bare is None:
        return None
    value = bare[0].removesuffix("/") if text[bare.end() : bare.end() + 1] == ">" else bare[0]
    attributes[named[0]] = html.unescape(value)
    return at + len(value)


class Braces:
    """Finds where expressions in braces end; gives up on a text with too many that do not."""

    def __init__(self, text: str) -> None:
        """Look at nothing yet."""
        self._text = text
        self._open = 0

    def end(self, at: int) -> int | None:
        """Return where the expression ends that begins with the brace at `at`; None for none."""
        if self._open >= MAX_OPEN_BRACES:
            return None
        found = _braces_end(self._text, at, min(len(self._text), at + MAX_TAG))
        self._open += found is None
        return found


def _braces_end(text: str, at: int, limit: int) -> int | None:
    depth, quote = 0, ""
    while at < limit:
        character = text[at]
        if quote:
            if character == "\\":
                at += 1
            elif character == quote or (character == "\n" and quote != "`"):
                quote = ""
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2, limit)
            if end < 0:
                return None
            at = end + 1
        elif character in "\"'`":
            quote = character
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return None


_QUOTED = re.compile(r"""\{\s*(?:"([^"]*)"|'([^']*)'|`([^`$]*)`)\s*\}""")
_TAGS = re.compile(r"</?[A-Za-z][^<>]*>|</?>")


def _string(value: str) -> str:
    if not value.startswith("{"):
        return " ".join(value.split())
    if quoted := _QUOTED.fullmatch(value):
        return " ".join((quoted[1] or quoted[2] or quoted[3] or "").split())
    if value.startswith("{<"):
        plain = _TAGS.sub("", value[1:-1])
        return "" if "{" in plain else " ".join(plain.split())
    return ""
