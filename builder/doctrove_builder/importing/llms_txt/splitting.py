"""One long text to the pages that it was put together from, each with its lines and address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.markdown.lines import Line, Role, roles

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_PAGES = 20_000

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_META = re.compile(
    r"\s*(?:>\s*)?[*_]*(?:source|url|page|link|path|permalink|canonical)(?: url)?[*_]*:[*_]*\s*"
    r"[<`(]?(?:\[[^\]]*\]\()?(?P<url>https?://[^\s>`)]+|/[^\s>`)]*)[>`)]*\s*$",
    re.IGNORECASE,
)
_IMPORT = re.compile(r"""import\s+(?:[\w$*{},\s]+\s+from\s+)?["'][^"']+["'];?\s*""")
_IN_TITLE = re.compile(r"^(?P<title>.*?)\s*\((?P<url>https?://[^\s()]+|/[^\s()]*)\)$")
_ADDRESS = re.compile(r"https?://\S+")
_TAG = re.compile(
    r"\s*</?(?:system|docs?|documents?|document_content|pages?|page_content|content|source|title)\b"
    r"(?P<attributes>[^<>]*)>\s*$",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"(\w+)=\"([^\"]*)\"")
_SYSTEM = re.compile(r"\s*<system>.*</system>\s*$", re.IGNORECASE)
_RULE = re.compile(r"\s*(?:-{3,}|={3,}|\*{3,}|[═━─]{3,})\s*$")
_LABELLED = re.compile(r"\s*[A-Za-z][\w ]{0,30}: \S.*$")
_MATTER = re.compile(r"(?P<key>[A-Za-z][\w-]*):\s*(?P<value>.*)$")
_NEAR = 8
"""Lines below a heading in which the page's address may stand."""

_URL_KEYS = ("url", "source", "permalink", "path", "link")


class Part(NamedTuple):
    """One page of the text."""

    title: str
    url: str
    """As written: absolute, or from the root of the site; empty when it is not said."""

    first: int
    """Line of the whole text, from 1, that `lines` begins with."""

    lines: tuple[str, ...]
    """The title as `# Title` on its line; what else says where the page is from is blank."""


class _Start(NamedTuple):
    line: int
    title: str
    url: str
    level: int
    drop: frozenset[int]
    """Lines that say nothing but what is said here."""

    title_line: int


def split_pages(text: str) -> list[Part]:
    """Return the pages: where addresses are written; else at the highest headings there are."""
    rows = text.split("\n")
    kinds = roles([Line(row, at) for at, row in enumerate(rows)], indented=False)
    plain = [kind is Role.TEXT for kind in kinds]
    starts = _addressed(rows, plain)
    if not starts:
        starts = _headed(rows, plain)
    if not starts or _has_text(rows[: starts[0].line]):
        starts.insert(0, _front(rows, plain, starts))
    ends = [start.line for start in starts[1:]] + [len(rows)]
    pairs = list(zip(starts, ends, strict=True))[:MAX_PAGES]
    return [_part(rows, plain, start, end) for start, end in pairs]


def _addressed(rows: Sequence[str], plain: Sequence[bool]) -> list[_Start]:
    """Find headings that an address follows, front matter that has one, and tags around pages."""
    starts: list[_Start] = []
    at = 0
    while at < len(rows):
        start = _start_at(rows, plain, at) if plain[at] else None
        if start is not None:
            starts.append(start)
            at = max(start.title_line, *start.drop, at) if start.drop else max(start.title_line, at)
        at += 1
    return starts


def _start_at(rows: Sequence[str], plain: Sequence[bool], at: int) -> _Start | None:
    row = rows[at].strip()
    if row == "---":
        return _matter(rows, at)
    if row.startswith("<"):
        return _tagged(row, at)
    heading = _HEADING.match(rows[at]) if row.startswith("#") else None
    if heading is None or len(heading[1]) > 2:
        return None
    return _titled(rows, plain, at, heading)


def _tagged(row: str, at: int) -> _Start | None:
    tag = _TAG.match(row)
    named = dict(_ATTRIBUTE.findall(tag["attributes"])) if tag else {}
    url = next((named[key] for key in ("url", "href", "source", "path") if key in named), "")
    if not url and "title" not in named:
        return None
    return _Start(at, named.get("title", ""), url, 1, frozenset({at}), at)


def _titled(
    rows: Sequence[str], plain: Sequence[bool], at: int, heading: re.Match[str]
) -> _Start | None:
    level, title = len(heading[1]), heading[2]
    if _ADDRESS.fullmatch(title):
        return _Start(at, "", title, level, frozenset({at}), at)
    if found := _IN_TITLE.match(title):
        return _Start(at, found["title"], found["url"], level, frozenset(), at)
    for below in range(at + 1, min(at + 1 + _NEAR, len(rows))):
        if not plain[below] or _HEADING.match(rows[below]):
            break
        if found := _META.match(rows[below]):
            return _Start(at, title, found["url"], level, frozenset({below}), at)
    return None


def _matter(rows: Sequence[str], at: int) -> _Start | None:
    """Read front matter in the middle of the text that says where a page is from."""
    keys: dict[str, str] = {}
    for end in range(at + 1, min(at + 40, len(rows))):
        if rows[end].strip() == "---":
            break
        if found := _MATTER.match(rows[end]):
            keys[found["key"].lower()] = found["value"].strip().strip("\"'")
        elif rows[end].strip() and not rows[end].startswith((" ", "-")):
            return None
    else:
        return None
    url = next((keys[key] for key in _URL_KEYS if keys.get(key)), "")
    if not url and "title" not in keys:
        return None
    return _Start(at, keys.get("title", ""), url, 1, frozenset(range(at, end + 1)), at)


def _headed(rows: Sequence[str], plain: Sequence[bool]) -> list[_Start]:
    """Find the headings that begin pages: those after a rule, else the highest of several."""
    found = [
        (at, len(heading[1]), heading[2])
        for at, row in enumerate(rows)
        if plain[at] and row.lstrip().startswith("#") and (heading := _HEADING.match(row))
    ]
    for ruled in (True, False):
        for level in (1, 2):
            same = [(at, title) for at, height, title in found if height == level]
            if ruled:
                first = same[:1] if level > 1 else []
                same = [one for one in same if one in first or _is_ruled(rows, one[0])]
            if len(same) > (2 if ruled else 1):
                return [_Start(at, title, "", level, frozenset(), at) for at, title in same]
    return []


def _is_ruled(rows: Sequence[str], at: int) -> bool:
    """Say whether the last thing before a line is a rule."""
    before = next((row for row in reversed(rows[max(0, at - 4) : at]) if row.strip()), "")
    return _RULE.match(before) is not None


def _front(rows: Sequence[str], plain: Sequence[bool], starts: Sequence[_Start]) -> _Start:
    """Return the start of what stands before the first page."""
    end = starts[0].line if starts else len(rows)
    for at in range(end):
        if plain[at] and (heading := _HEADING.match(rows[at])):
            return _Start(0, heading[2], "", 1, frozenset(), at)
    return _Start(0, "", "", 1, frozenset({0}) if not _has_text(rows[:1]) else frozenset(), -1)


def _part(rows: Sequence[str], plain: Sequence[bool], start: _Start, end: int) -> Part:
    lines = list(rows[start.line : end])
    levels: list[int] = []
    for at in range(start.line, end):
        row = rows[at]
        if at in start.drop or (plain[at] and (_SYSTEM.match(row) or _is_frame(row))):
            lines[at - start.line] = ""
        elif plain[at] and at != start.title_line and (heading := _HEADING.match(row)):
            levels.append(len(heading[1]))
    title = start.title
    _drop_beginning(lines, start.title_line - start.line, title)
    first_own = next((line for line in lines if line.strip()), "")
    if not title and (heading := _HEADING.match(first_own)):
        title = heading[2]
    elif start.title_line >= 0 and title and not _same_title(first_own, title):
        lines[start.title_line - start.line] = f"# {title}"
    raised = min(levels, default=2) - 2
    if raised > 0:
        for at in range(start.line, end):
            if plain[at] and at != start.title_line and _HEADING.match(rows[at]):
                lines[at - start.line] = lines[at - start.line].lstrip()[raised:]
    elif start.title_line >= 0 and start.level > 1 and title:
        lines[start.title_line - start.line] = f"# {title}"
    _drop_end(lines)
    return Part(title, start.url, start.line + 1, tuple(lines))


def _drop_beginning(lines: list[str], title_line: int, title: str) -> None:
    """Take off what MDX imports above the text, and a heading that says the title again."""
    for at, line in enumerate(lines):
        if at == title_line or not line.strip():
            continue
        again = 0 <= title_line < at and _same_title(line, title)
        if not again and not _IMPORT.fullmatch(line):
            return
        lines[at] = ""


def _drop_end(lines: list[str]) -> None:
    """Take rules off the end, and the banner that says of the next page where it is from."""
    is_banner = False
    while lines:
        if _RULE.match(lines[-1]):
            is_banner = any(map(_RULE.match, lines[-5:-1]))
        elif lines[-1].strip() and not (is_banner and _LABELLED.match(lines[-1])):
            return
        lines.pop()


def _same_title(line: str, title: str) -> bool:
    heading = _HEADING.match(line)
    return heading is not None and len(heading[1]) == 1 and heading[2] == title


def _is_frame(row: str) -> bool:
    return row.lstrip().startswith("<") and _TAG.match(row) is not None


def _has_text(rows: Sequence[str]) -> bool:
    return any(row.strip() and not _RULE.match(row) and not _SYSTEM.match(row) for row in rows)
