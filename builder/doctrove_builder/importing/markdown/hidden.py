"""What a page holds and never shows: comments, scripts and styles, imports of MDX."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.markdown.lines import Line, closes, fence_of, masked

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_STATEMENT = 40
"""Lines of one import or export that are looked at for its end."""

_COMMENT = ("<!--", "-->")
_MDX_COMMENT = ("{/*", "*/}")
_HIDDEN_TAG = re.compile(r"^\s*<(script|style)\b[^>]*>", re.IGNORECASE)
_SETTING = re.compile(
    r"(?P<marks>#{1,6})[ \t]+<!--[ \t]*md:\w+[ \t]+(?P<name>[\w.-]+)[ \t]*-->[ \t]*"
)
"""A heading that a hook of Material for MkDocs makes: `#### <!-- md:setting config.enabled -->`."""

_HEADING_ID = re.compile(r"\{/\*\s*#?([\w.-]+)\s*\*/\}\s*$")
_IMPORT = re.compile(
    r"import\s+(?:[\w$*{]|['\"])|export\s+(?:const|let|var|function|default|\{|\*)"
)
_IMPORTED = re.compile(r"""import\s+(\w+)\s+from\s+(["'])(?P<path>[^"']+)\2""")


class Hidden(NamedTuple):
    """A page without what it never shows."""

    lines: list[Line]
    imported: dict[str, str]
    """Paths by the name that an MDX page imports them under."""


def without_hidden(lines: Sequence[Line], *, mdx: bool, myst: bool = False) -> Hidden:
    """Take comments, scripts and styles out, and imports and exports out of MDX.

    In MyST a line that begins with `%` is a comment.

    They may hold code fences, so they go before code is looked for. Code itself stays.
    """
    made: list[Line] = []
    imported: dict[str, str] = {}
    mark = ending = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        text = line.text
        if ending:
            end = text.lower().find(ending)
            if end >= 0:
                rest = text[end + len(ending) :]
                ending = ""
                if rest.strip():
                    at -= 1
                    lines = [*lines[:at], line.with_text(rest), *lines[at + 1 :]]
            continue
        if mark:
            mark = "" if closes(text, mark) else mark
            made.append(line)
            continue
        if opened := fence_of(text):
            mark = opened.mark
            made.append(line)
            continue
        if myst and text.startswith("%"):
            continue
        if mdx and _IMPORT.match(text) and _follows_blank(lines, at - 1):
            taken = _statement(lines, at - 1)
            for one in _IMPORTED.finditer(
                "\n".join(o.text for o in lines[at - 1 : at - 1 + taken])
            ):
                imported[one[1]] = one["path"].replace("\\_", "_")
            at += taken - 1
            continue
        if found := _HIDDEN_TAG.match(text):
            ending = f"</{found[1].lower()}>"
            at -= 1
            lines = [*lines[:at], line.with_text(text[found.end() :]), *lines[at + 1 :]]
            continue
        shown, ending = _uncommented(text, mdx=mdx)
        if shown.strip() or not text.strip():
            made.append(line.with_text(shown))
    return Hidden(made, imported)


def _uncommented(text: str, *, mdx: bool) -> tuple[str, str]:
    """Return a line without its comments, and the end of one that goes on below."""
    if "<!--" not in text and not (mdx and "{/*" in text):
        return text, ""
    if setting := _SETTING.fullmatch(text):
        name = setting["name"]
        return f"{setting['marks']} `{name}` {{#{name}}}", ""
    kept_id = ""
    if mdx and text.lstrip().startswith("#") and (named := _HEADING_ID.search(text)):
        kept_id = f" {{#{named[1]}}}"
        text = text[: named.start()].rstrip()
    for start, end in (_COMMENT, _MDX_COMMENT) if mdx else (_COMMENT,):
        text, is_open = _cut_out(text, start, end)
        if is_open:
            return text.rstrip() + kept_id, end
    return (text.rstrip() if text.strip() else "") + kept_id, ""


def _cut_out(text: str, start: str, end: str) -> tuple[str, bool]:
    """Return a line without what stands between two marks, and whether the last is still open."""
    mask = masked(text)
    parts: list[str] = []
    at = 0
    while (found := mask.find(start, at)) >= 0:
        parts.append(text[at:found])
        stop = text.find(end, found + len(start))
        if stop < 0:
            return "".join(parts), True
        at = stop + len(end)
    return "".join((*parts, text[at:])), False


def _follows_blank(lines: Sequence[Line], at: int) -> bool:
    """Say whether MDX reads a statement here: at the start, after a blank line or another one."""
    before = lines[at - 1].text if at else ""
    return not before.strip() or bool(re.match(r"import\b|export\b|.*;\s*$|[}\])]", before))


def _statement(lines: Sequence[Line], at: int) -> int:
    """Return how many lines an import or export takes: until its brackets are closed."""
    depth = 0
    for end in range(at, min(len(lines), at + MAX_STATEMENT)):
        bare = re.sub(r"\"[^\"]*\"|'[^']*'|`[^`]*`|//.*$", "", lines[end].text)
        depth += sum(bare.count(c) for c in "([{") - sum(bare.count(c) for c in ")]}")
        following = lines[end + 1].text if end + 1 < len(lines) else ""
        if depth <= 0 and not re.match(r"\s+\S", following):
            return end - at + 1
    return 1
