"""The headings of a page: one written form with explicit ids, and the page's title."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.markdown.lines import Line, Role, roles
from doctrove_builder.importing.markdown.slugs import Anchors, plain_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ATX = re.compile(r"(?P<indent> {0,3})(?P<marks>#{1,6})(?:[ \t]+(?P<text>.*?))?(?:[ \t]+#+)?[ \t]*")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*")
_ID = re.compile(r"[ \t]*\{:?[ \t]*(?:#|id=[\"']?)(?P<id>[\w.:/-]+)[\"']?(?:[ \t][^{}]*)?\}$")
_CLASSES = re.compile(r"[ \t]*\{:?[ \t]*[.][^{}]*\}$")
_FUMADOCS_ID = re.compile(r"[ \t]*\[#(?P<id>[\w.-]+)\]$|[ \t]*\[(?:!?toc|step)\]$")
_PLACE = re.compile(r"[ \t]*<a\s+(?:id|name)=\"(?P<id>[\w.:-]+)\"[^<>]*>(?:</a>)?[ \t]*")
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


def with_ids(lines: Sequence[Line], *, style: str, indented: bool) -> Headed:
    """Write every heading as `## Text {#id}` with the anchor that its site gives it.

    The first heading of level 1 is the title: before any text, or where it is the only one and no
    other heading stands above it.
    """
    anchors = Anchors(style)
    kinds = roles(lines, indented=indented)
    made: list[Line] = []
    labels: dict[str, str] = {}
    headings: dict[str, str] = {}
    places: set[str] = set()
    waiting: list[str] = []
    title = title_anchor = ""
    begun = False
    deeper = False
    only = _first_level(lines, kinds) == 1
    at = 0
    while at < len(lines):
        line, role = lines[at], kinds[at]
        if role is Role.TEXT and "<a " in line.text:
            places.update(_PLACES.findall(line.text))
        found = _heading(lines, kinds, at) if role is Role.TEXT else None
        if found is None:
            target = _TARGET.fullmatch(line.text) if role is Role.TEXT else None
            if target:
                waiting.append(target["id"].strip())
            else:
                place = _PLACE.fullmatch(line.text) if role is Role.TEXT else None
                if place and _heading_follows(lines, kinds, at + 1):
                    places.add(place["id"])
                    waiting.append(place["id"])
                made.append(line)
                begun = begun or bool(line.text.strip() and not place)
                if line.text.strip() and not place:
                    _settle(waiting, "", labels)
            at += 1
            continue
        level, text, explicit, taken = found
        anchor = anchors.claim(text, explicit=explicit)
        _settle(waiting, anchor, labels)
        if level == 1 and not title and (not begun or (only and not deeper)):
            title, title_anchor = text, anchor
        else:
            begun = deeper = True
            headings[anchor] = text
            made.append(line.with_text(f"{'#' * level} {text} {{#{anchor}}}"))
        at += taken
    found_anchors = frozenset(anchors.taken | places)
    return Headed(title, title_anchor, made, found_anchors, headings, labels)


def _first_level(lines: Sequence[Line], kinds: Sequence[Role]) -> int:
    """Return how many headings have the first level."""
    found = (_heading(lines, kinds, at) for at in range(len(lines)) if kinds[at] is Role.TEXT)
    return sum(1 for heading in found if heading and heading[0] == 1)


def _settle(waiting: list[str], anchor: str, labels: dict[str, str]) -> None:
    for label in waiting:
        labels[label] = anchor
    waiting.clear()


def _heading(
    lines: Sequence[Line], kinds: Sequence[Role], at: int
) -> tuple[int, str, str, int] | None:
    """Return level, text, explicit id and the number of lines of a heading; None for none."""
    text = lines[at].text
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


def _heading_follows(lines: Sequence[Line], kinds: Sequence[Role], at: int) -> bool:
    while at < len(lines) and not lines[at].text.strip():
        at += 1
    return at < len(lines) and kinds[at] is Role.TEXT and lines[at].text.startswith("#")


def title_text(markdown: str) -> str:
    """Return a title as plain text."""
    return " ".join(plain_text(_BADGE.sub("", markdown)).split())
