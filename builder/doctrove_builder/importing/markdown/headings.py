"""The headings of a page: one written form with explicit ids, and the page's title."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.markdown.inline import outside_code
from doctrove_builder.importing.markdown.lines import Line, Role, roles
from doctrove_builder.importing.markdown.slugs import Anchors, plain_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ATX = re.compile(r"(?P<indent> {0,3})(?P<marks>#{1,6})(?:[ \t]+(?P<text>.*?))?(?:[ \t]+#+)?[ \t]*")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*")
_ID = re.compile(r"[ \t]*\{:?[ \t]*(?:#|id=[\"']?)(?P<id>[\w.:/-]+)[\"']?(?:[ \t][^{}]*)?\}$")
_CLASSES = re.compile(r"[ \t]*\{:?[ \t]*[.][^{}]*\}$")
_FUMADOCS_ID = re.compile(r"[ \t]*\[#(?P<id>[\w.-]+)\]$|[ \t]*\[(?:!?toc|step)\]$")
_PLACE = re.compile(
    r"<a\s+(?:id|name)=\"(?P<id>[\w.:-]+)\"(?:\s+(?!href)[\w-]+=\"[^\"<>]*\")*"
    r"\s*(?:/>|>\s*</a>)[ \t]*"
)
_PLACES = re.compile(r"<a\s+(?:id|name)=\"([\w.:-]+)\"")
_TARGET = re.compile(r"[ \t]*\((?P<id>[\w.:/ -]+)\)=[ \t]*")
_NOT_SETEXT = re.compile(r"[ \t]*(?:[-*+>#|]|\d+[.)][ \t]|:{3}|/{3}|!!!|$)")
_BADGE = re.compile(
    r"[ \t]*<(?:[A-Z][\w.-]*|badge|sup)\b[^<>]*/?>(?:[^<]*</[\w.-]+>)?", re.IGNORECASE
)


class Heading(NamedTuple):
    """One heading of a page, in place."""

    level: int
    text: str
    """Markdown without an id."""

    anchor: str
    at: int
    """Line in the list of lines."""


class Headed(NamedTuple):
    """A page whose headings have explicit ids."""

    title: str
    """Text of the `# Title` that begins it; empty where none does."""

    title_anchor: str
    lines: list[Line]
    """Without the title."""

    anchors: frozenset[str]
    headings: Mapping[str, str]
    """Text of each heading by its anchor."""

    labels: Mapping[str, str]
    """Anchors by the label (`(label)=`) that stands before them."""

    places: Mapping[str, str]
    """By the name of an empty `<a id="name"></a>`, which is left out: its section's anchor."""


def with_ids(lines: Sequence[Line], *, style: str, indented: bool) -> Headed:
    """Write every heading as `## Text {#id}` with the anchor that its site gives it.

    The first heading of level 1 is the title: before any text, or where it is the only one and no
    other heading stands above it.
    """
    anchors = Anchors(style)
    kinds = roles(lines, indented=indented)
    made: list[Line] = []
    labels, places = _Names(), _Names()
    headings: dict[str, str] = {}
    ids: set[str] = set()
    title = title_anchor = current = ""
    begun = deeper = False
    only = _first_level(lines, kinds) == 1
    at = 0
    while at < len(lines):
        line, is_text = lines[at], kinds[at] is Role.TEXT
        if is_text and "<a " in line.text:
            line = _without_places(line, places)
            ids.update(_PLACES.findall(line.text))
        found = _heading(lines, kinds, at, line.text) if is_text else None
        if found is None:
            if is_text and (target := _TARGET.fullmatch(line.text)):
                labels.waiting.append(target["id"].strip())
            elif line.text.strip() or line is lines[at]:
                made.append(line)
            if line.text.strip() and not (is_text and _TARGET.fullmatch(line.text)):
                begun = True
                labels.settle(current)
                places.settle(current)
            at += 1
            continue
        level, text, explicit, taken = found
        current = anchors.claim(text, explicit=explicit)
        labels.settle(current)
        places.settle(current)
        if level == 1 and not title and (not begun or (only and not deeper)):
            title, title_anchor = text, current
        else:
            begun = deeper = True
            headings[current] = text
            made.append(line.with_text(f"{'#' * level} {text} {{#{current}}}"))
        at += taken
    labels.settle(current)
    places.settle(current)
    found_anchors = frozenset(anchors.taken | ids)
    return Headed(title, title_anchor, made, found_anchors, headings, labels.found, places.found)


class _Names:
    """Names that wait for the section that they stand in, or for the heading that follows them."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.found: dict[str, str] = {}
        """Anchors by name."""

    def settle(self, anchor: str) -> None:
        """Let all that wait lead to an anchor."""
        self.found |= dict.fromkeys(self.waiting, anchor)
        self.waiting.clear()


def _without_places(line: Line, places: _Names) -> Line:
    """Take the empty anchors out of a line of text, and remember their names."""

    def take(found: re.Match[str]) -> str:
        places.waiting.append(found["id"])
        return ""

    return line.with_text(outside_code(line.text, _PLACE, take).rstrip())


def _first_level(lines: Sequence[Line], kinds: Sequence[Role]) -> int:
    """Return how many headings have the first level."""
    found = (
        _heading(lines, kinds, at, lines[at].text)
        for at in range(len(lines))
        if kinds[at] is Role.TEXT
    )
    return sum(1 for heading in found if heading and heading[0] == 1)


def _heading(
    lines: Sequence[Line], kinds: Sequence[Role], at: int, text: str
) -> tuple[int, str, str, int] | None:
    """Return level, text, explicit id and the number of lines of a heading; None for none.

    `text` is that of the line without its empty anchors.
    """
    atx = _ATX.fullmatch(text) if "#" in text else None
    if atx:
        content, explicit = _split_id((atx["text"] or "").strip())
        return (len(atx["marks"]), content, explicit, 1) if content else None
    if (
        at + 1 >= len(lines)
        or lines[at + 1].text.lstrip(" ")[:1] not in {"=", "-"}
        or not text.strip()
        or kinds[at + 1] is not Role.TEXT
        or text.startswith("    ")
        or _NOT_SETEXT.match(text)
        or (at and lines[at - 1].text.strip() and not lines[at - 1].text.lstrip().startswith("#"))
    ):
        return None
    under = _SETEXT.fullmatch(lines[at + 1].text)
    if under is None or (len(under[1]) < 2 and len(text.strip()) > 3):
        return None
    content, explicit = _split_id(text.strip())
    return (1 if under[1][0] == "=" else 2, content, explicit, 2) if content else None


def _split_id(text: str) -> tuple[str, str]:
    explicit = ""
    for pattern in (_ID, _FUMADOCS_ID):
        found = pattern.search(text)
        if found:
            text = text[: found.start()].rstrip()
            explicit = found["id"] or ""
            break
    text = _CLASSES.sub("", text).rstrip()
    return text.rstrip("#").rstrip() if text.endswith(" #") else text, explicit


def title_text(markdown: str) -> str:
    """Return a title as plain text."""
    return " ".join(plain_text(_BADGE.sub("", markdown)).split())
