"""MyST roles in text: references become links, names of API objects become code."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

_ROLE = re.compile(r"\{(?P<name>[\w:+-]+)\}(?P<mark>`+)(?P<text>[^`]+?)(?P=mark)(?!`)")
_TARGET = re.compile(r"(?P<text>.*?)\s*<(?P<target>[^<>]+)>\s*", re.DOTALL)
_CODE = re.compile(r"(?<!`)(`+)(?!`)(?:.+?)(?<!`)\1(?!`)", re.DOTALL)
_PLAIN = frozenset({"abbr", "dfn", "guilabel", "kbd", "menuselection", "sub", "sup", "math"})

LABEL = "label:"
"""Before the target of a link that names a label of the documentation."""


def with_roles(text: str, *, extlinks: Mapping[str, str]) -> str:
    """Rewrite the roles of a run of text; `extlinks` are addresses with `%s` by role."""
    if "}`" not in text:
        return text
    parts: list[str] = []
    at = 0
    spans = [(one.start(), one.end()) for one in _CODE.finditer(text)]
    for found in _ROLE.finditer(text):
        before = bisect_left(spans, (found.start(), 0)) - 1
        inside = before >= 0 and found.start() < spans[before][1]
        if found.start() < at or inside:
            continue
        written = " ".join(_written(found, extlinks).split("\n"))
        parts += [text[at : found.start()], "\n" * found[0].count("\n"), written]
        at = found.end()
    parts.append(text[at:])
    return "".join(parts)


def _written(found: re.Match[str], extlinks: Mapping[str, str]) -> str:  # noqa: PLR0911 - one a dialect
    name = found["name"].rpartition(":")[2]
    content = found["text"]
    split = _TARGET.fullmatch(content)
    text, target = (split["text"].strip(), split["target"]) if split else ("", content.strip())
    if name in {"ref", "numref", "std-ref"}:
        return f"[{text}]({LABEL}{quote(target)})"
    if name == "doc":
        return f"[{text}]({quote(target)})"
    if name == "download":
        return f"[{text or target}]({quote(target)})"
    if name == "pep":
        number = target.partition("#")[0]
        return f"[{text or f'PEP {number}'}](https://peps.python.org/pep-{number.zfill(4)}/)"
    if name == "rfc":
        number = target.partition("#")[0]
        return f"[{text or f'RFC {number}'}](https://datatracker.ietf.org/doc/html/rfc{number})"
    if name in extlinks:
        return f"[{text or target}]({extlinks[name].replace('%s', target)})"
    if name in _PLAIN:
        tag = name if name in {"abbr", "dfn", "kbd", "sub", "sup"} else ""
        return f"<{tag}>{content}</{tag}>" if tag and name != "abbr" else content
    shown = text or target
    if shown.startswith("~"):
        shown = shown[1:].rpartition(".")[2]
    shown = shown.lstrip("!")
    if name in {"func", "function", "meth", "method"} and not text and not shown.endswith(")"):
        shown += "()"
    return f"`{shown}`"
