"""MyST roles in text: references become links, names of API objects links to their sections."""

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

OBJECT = "object:"
"""Before the target of a link that names an API object."""

AUTOLINK = re.compile(r"<((?:project|path|inv):[^<>\s()]+)>")

_CALLED = frozenset({"func", "function", "meth", "method"})
_OBJECTS = _CALLED | {
    *("attr", "attribute", "class", "const", "data", "deco", "decorator", "exc", "exception"),
    *("mod", "module", "obj", "prop", "property", "type"),
}
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")


def with_autolinks(text: str) -> str:
    """Rewrite links of MyST that are an address alone: `<project:#x>` is `[](project:#x)`."""
    if AUTOLINK.search(text) is None:
        return text
    spans = [(one.start(), one.end()) for one in _CODE.finditer(text)]

    def link(found: re.Match[str]) -> str:
        before = bisect_left(spans, (found.start(), 0)) - 1
        inside = before >= 0 and found.start() < spans[before][1]
        return found[0] if inside else f"[]({found[1]})"

    return AUTOLINK.sub(link, text)


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
        written = " ".join(_written(found, extlinks, bare=_is_within(text, found)).split("\n"))
        parts += [text[at : found.start()], "\n" * found[0].count("\n"), written]
        at = found.end()
    parts.append(text[at:])
    return "".join(parts)


def _is_within(text: str, found: re.Match[str]) -> bool:
    """Say whether a role stands in a heading or in the text of a link: it is no link there."""
    line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
    before = max(text.rfind("[", 0, found.start()), text.rfind("]", 0, found.start()))
    return line.startswith("#") or (before >= 0 and text[before] == "[")


def _written(  # noqa: PLR0911 - one a dialect
    found: re.Match[str], extlinks: Mapping[str, str], *, bare: bool
) -> str:
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
    if name in _CALLED and not text and not shown.endswith(")"):
        shown += "()"
    domain = found["name"].rpartition(":")[0]
    named = target.lstrip("~.").removesuffix("()")
    if bare or name not in _OBJECTS or domain not in {"", "py"} or not _DOTTED.fullmatch(named):
        return f"`{shown}`"
    return f"[`{shown}`]({OBJECT}{named})"
