"""`::: package.object` blocks of mkdocstrings and mkautodoc: found, and resolved by whoever can."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from doctrove_builder.importing.markdown.lines import Line, Role, roles
from doctrove_builder.importing.markdown.object_options import asked_for
from doctrove_builder.importing.python.selection import Selection
from doctrove_builder.markdown.kinds import CONTAINERS

_OBJECT = re.compile(r"(?P<indent>[ \t]*):::[ \t]+(?P<name>[A-Za-z_][\w.]*(?::[\w.]+)?)[ \t]*")
_HEADING = re.compile(r"(#{1,6})[ \t]")
_ANCHOR = re.compile(r"^#{1,6} .*\{#([\w.-]+)\}$", re.MULTILINE)

Resolver = Callable[[str, int, Selection | None], str | None]
"""Gives the Markdown of an object by its dotted name, headings from a level on, and its members.

Of the members those that are selected; None wants all. None comes back for an unknown object.
"""


class Resolved(NamedTuple):
    """A page without `:::` blocks."""

    lines: list[Line]
    symbols: dict[str, tuple[str, ...]]
    """Names of objects by the anchor of the heading above."""

    anchors: frozenset[str]
    """Of the objects that were found, and of their members."""

    found: int
    missing: tuple[tuple[str, int], ...]
    """Names that could not be resolved, each with its line."""

    refused: tuple[tuple[str, int], ...]
    """Filters that cannot be used, each with the line of its block."""


def with_objects(
    lines: Sequence[Line],
    *,
    resolve: Resolver | None,
    indented: bool,
    site: Mapping[str, object] | None,
) -> Resolved:
    """Replace each block by what is known of its object; `site` are the options for all blocks.

    Where nothing is, its name stays as code, with the members that the page lists.
    """
    made: list[Line] = []
    symbols: dict[str, tuple[str, ...]] = {}
    missing: list[tuple[str, int]] = []
    refused: list[tuple[str, int]] = []
    kinds = roles(lines, indented=indented)
    anchors: set[str] = set()
    anchor, level, found_count = "", 1, 0
    at = 0
    while at < len(lines):
        line = lines[at]
        found = _OBJECT.fullmatch(line.text) if kinds[at] is Role.TEXT else None
        if found is None or found["name"].lower() in CONTAINERS:
            if kinds[at] is Role.TEXT and (heading := _HEADING.match(line.text)):
                level = len(heading[1])
                named = re.search(r"\{#([\w.-]+)\}$", line.text)
                anchor = named[1] if named else anchor
            made.append(line)
            at += 1
            continue
        end = _options_end(lines, at, found["indent"])
        asked = asked_for([one.text for one in lines[at + 1 : end]], site=site)
        refused += [(one, line.number) for one in asked.refused]
        name = found["name"].replace(":", ".")
        text = resolve(name, min(level + 1, 6), asked.selection) if resolve else None
        if text is None:
            missing.append((name, line.number))
            text = _named(name, asked.selection.names if asked.selection else ())
            symbols[anchor] = (*symbols.get(anchor, ()), name)
        else:
            found_count += 1
            symbols[name] = (name,)  # the anchor of an object's own heading
            anchors.update(_ANCHOR.findall(text))
        made += [line.with_text(one) for one in ["", *text.strip("\n").split("\n"), ""]]
        at = end
    return Resolved(made, symbols, frozenset(anchors), found_count, tuple(missing), tuple(refused))


def _options_end(lines: Sequence[Line], at: int, indent: str) -> int:
    end = at + 1
    while end < len(lines) and (
        lines[end].text.startswith(f"{indent}    ") or not lines[end].text.strip()
    ):
        end += 1
    return end


def _named(name: str, members: Sequence[str]) -> str:
    """Return an object's name, and the members that its block lists, as code."""
    listed = [f"- `{name}.{member}`" for member in members if member.isidentifier()]
    return "\n".join([f"`{name}`", *([""] if listed else []), *listed])
