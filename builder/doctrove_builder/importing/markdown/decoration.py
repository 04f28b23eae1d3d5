"""Paragraphs that are no documentation: rows of badges, tables of contents, rows of links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.lines import Line, Role, roles
from doctrove_builder.importing.markdown.roles import OBJECT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PICTURE = r"!\[[^\]]*\]\((?:<[^<>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)"
_LINKED = rf"\[\s*{_PICTURE}\s*\]\((?:<[^<>]*>|[^()\s]*)(?:\s+\"[^\"]*\")?\)"
_REFERENCED = (
    r"\[!\[[^\]]*\](?:\[[^\]]*\]|\([^)]*\))\](?:\[[^\]]*\]|\([^)]*\))|!\[[^\]]*\]\[[^\]]*\]"
)
_PICTURES = re.compile(rf"(?:{_LINKED}|{_PICTURE}|{_REFERENCED})")
_BADGE = re.compile(
    r"shields\.io|badge|badgen|codecov|coveralls|travis-ci|circleci|/workflows/|star-history|"
    r"contrib\.rocks|opencollective\.com/[\w-]+/(?:backers|sponsors|tiers)|gitpod\.io/button|"
    r"deploy(?:ed)?-?button|fury\.io|snyk\.io|readthedocs\.org/projects/.*version=|deepwiki",
    re.IGNORECASE,
)
_BETWEEN_PICTURES = re.compile(r"&nbsp;|<br>|[\s|]")
_CONTENTS = re.compile(
    r"(?:[ \t]*(?:[-*+]|\d+[.)])[ \t]+(?:\[[^\n]*\]\(#[^()\s]*\)|[^\n]{0,60})[ \t]*(?:\n|\Z))+"
)
_CONTENTS_TITLE = re.compile(r"\A\W*(?:table of )?contents\W*\n", re.IGNORECASE)
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_LINK = re.compile(r"\[[^\[\]]*\]\([^()\s]*\)")
_BETWEEN = re.compile(r"(?:&nbsp;|&middot;|&bull;|[\s|•·\u2013\u2014\-/,*_⚡🔗:]|<br>|\\)*")


def without_decoration(lines: Sequence[Line], *, indented: bool) -> tuple[list[Line], list[int]]:
    """Leave out rows of badges, tables of contents, and rows of links above the first section.

    Returns the lines and the numbers of those that were left out.
    """
    made: list[Line] = []
    dropped: list[int] = []
    in_head = True
    for is_text, paragraph in _paragraphs(lines, indented=indented):
        text = "\n".join(line.text for line in paragraph)
        in_head = in_head and not text.lstrip().startswith("## ")
        if is_text and (_is_badges(text) or _is_contents(text) or (in_head and _is_link_row(text))):
            dropped.append(paragraph[0].number)
            continue
        made += paragraph
    return made, dropped


def is_pictures(text: str) -> bool:
    """Say whether a paragraph is pictures and nothing else."""
    return bool(_PICTURES.search(text)) and not _BETWEEN_PICTURES.sub("", _PICTURES.sub("", text))


def shows_picture(text: str) -> bool:
    """Say whether there is a picture in a paragraph."""
    return bool(_PICTURES.search(text))


def _is_badges(text: str) -> bool:
    pictures = _PICTURES.findall(text)
    if not pictures or _BETWEEN.fullmatch(_PICTURES.sub("", text)) is None:
        return False
    badges = sum(bool(_BADGE.search(picture)) for picture in pictures)
    referenced = sum(picture.endswith("]") for picture in pictures)
    return badges * 2 >= len(pictures) or (referenced == len(pictures) and len(pictures) > 1)


def _is_link_row(text: str) -> bool:
    if text.lstrip().startswith(("-", "*", "+", "|", ">", "#")) and "\n" in text:
        return False
    if f"]({OBJECT}" in text:
        return False
    links = _LINK.findall(text)
    return len(links) >= 3 and _BETWEEN.fullmatch(_LINK.sub("", text)) is not None


def _is_contents(text: str) -> bool:
    """Say whether a list is a table of contents: links to the page's own headings."""
    text = _CONTENTS_TITLE.sub("", text)
    if "](#" not in text or _CONTENTS.fullmatch(text) is None:
        return False
    items = [line for line in text.split("\n") if line.strip()]
    inside = sum("](#" in item for item in items)
    return inside >= 4 and inside * 10 >= len(items) * 9


def _paragraphs(lines: Sequence[Line], *, indented: bool) -> Iterator[tuple[bool, list[Line]]]:
    kinds = roles(lines, indented=indented)
    start = 0
    for end in range(1, len(lines) + 1):
        blank = not lines[start].text.strip()
        is_text = kinds[start] is Role.TEXT
        if (
            end == len(lines)
            or (kinds[end] is Role.TEXT) != is_text
            or (is_text and (not lines[end].text.strip()) != blank)
            or (is_text and _HEADING.match(lines[end - 1].text) is not None)
        ):
            yield is_text and not blank, list(lines[start:end])
            start = end
