"""How much of a section a shorter text keeps; told by rules of its own, not by those measured."""

from __future__ import annotations

import re

from material import normal

_SPAN = re.compile(r"(?<!`)`([^`\n]{2,60})`(?!`)")
_NAME = re.compile(r"--?[\w-]+|@?[\w$]+(?:[.:/-]+[\w$]+)*(?:\(\))?")
_CODE_NAME = re.compile(
    r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+|[a-z]+[A-Z]\w+|[A-Za-z]\w*_\w+|[A-Za-z]\w+(?=\()"
)
_FENCE = re.compile(r"^( *)(`{3,}|~{3,})[^\n]*\n(.*?)^\s*\2[`~]*\s*$", re.MULTILINE | re.DOTALL)
_LABELLED = re.compile(r"^\s*[-*] \*\*(Type|Default):?\*\*:? *(\S[^\n]*)", re.MULTILINE)
_DEFINED = re.compile(
    r"^\s*[-*] \**`([^`\n]+)`\**\s*(?:\([^)\n]*\))?\s*[:\u2013\u2014-]\s*(\S[^\n]*)", re.MULTILINE
)
_DEFAULTS = re.compile(r"`([^`\n]+)`[^.\n`]{0,60}defaults? (?:to|is) (`[^`\n]+`|\d\w*)")
_ROW = re.compile(r"^\s*\|([^|\n]+)\|([^|\n]+)\|", re.MULTILINE)
_GAP = re.compile(r"^\s*(?:#|//|--|/\*|<!--)? ?\.\.\.(?: ?(?:\*/|-->))?$")


def identifiers(text: str) -> frozenset[str]:
    """Return the names in code spans, and those in code that have the form of an API's."""
    spans = {span for span in _SPAN.findall(_FENCE.sub("", text)) if _NAME.fullmatch(span)}
    names = {name for fence in _FENCE.findall(text) for name in _CODE_NAME.findall(fence[2])}
    return frozenset(spans | names)


def facts(text: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of strings that state something when they stand in one text."""
    prose = _FENCE.sub("", text)
    found = [(label, value) for label, value in _LABELLED.findall(prose)]
    found += [(name, _first_words(value)) for name, value in _DEFINED.findall(prose)]
    found += _DEFAULTS.findall(prose)
    found += [
        (name, value)
        for name, value in _ROW.findall(prose)
        if not set(name + value) <= set("-: |") and "`" in name
    ]
    return tuple(dict.fromkeys((normal(a), normal(b)) for a, b in found))


def kept_identifiers(names: frozenset[str], text: str) -> int:
    """Count the names that stand in a text as whole words."""
    return sum(
        re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) is not None for name in names
    )


def kept_facts(pairs: tuple[tuple[str, str], ...], text: str) -> int:
    """Count the pairs of which both sides stand in one block of a text."""
    lines = [normal(line) for line in text.split("\n")]
    return sum(
        any(b in line and (a in line or a in ("type", "default")) for line in lines)
        for a, b in pairs
    )


def broken_code(text: str, original: str) -> tuple[int, int]:
    """Count fences that hold what the original's do not, or never end; and all fences."""
    # The last fence of a page may never end.
    bodies = [_lines(fence[2]) for fence in _FENCE.findall(f"{original}\n```\n")]
    opened = len(re.findall(r"^\s*(?:`{3,}|~{3,})", text, re.MULTILINE))
    found = _FENCE.findall(text)
    broken = opened - 2 * len(found)
    broken += sum(not any(_is_of(_lines(shown[2]), body) for body in bodies) for shown in found)
    return max(0, broken), max(len(found), (opened + 1) // 2)


def _is_of(shown: list[str], body: list[str]) -> bool:
    """Tell whether lines are those of a block, with a marker wherever some are left out."""
    reached = {0}
    for line in shown:
        after = {at + 1 for at in reached if at < len(body) and body[at] == line}
        if _GAP.match(line):
            after |= set(range(min(reached, default=0), len(body) + 1)) if reached else set()
        reached = after
    return len(body) in reached


def _lines(body: str) -> list[str]:
    return [line for line in _dedented(body).split("\n") if line.strip()]


def _dedented(body: str) -> str:
    lines = body.split("\n")
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    cut = min(indents, default=0)
    return "\n".join(line[cut:].rstrip() for line in lines)


def _first_words(value: str) -> str:
    return " ".join(normal(value).split()[:4])
