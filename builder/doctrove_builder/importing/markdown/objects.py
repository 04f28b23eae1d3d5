"""`::: package.object` blocks of mkdocstrings and mkautodoc: found, and resolved by whoever can."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from textwrap import dedent
from typing import NamedTuple

from doctrove_builder.importing.markdown.frontmatter import load_yaml
from doctrove_builder.importing.markdown.lines import Line, Role, roles
from doctrove_builder.importing.markdown.plain import mapping_of, texts_of
from doctrove_builder.markdown.kinds import CONTAINERS

_OBJECT = re.compile(r"(?P<indent>[ \t]*):::[ \t]+(?P<name>[A-Za-z_][\w.]*(?::[\w.]+)?)[ \t]*")
_MEMBERS = re.compile(r"[ \t]*:members:[ \t]*(.*)")
_HEADING = re.compile(r"(#{1,6})[ \t]")
_ANCHOR = re.compile(r"^#{1,6} .*\{#([\w.-]+)\}$", re.MULTILINE)

Resolver = Callable[[str, int, Collection[str] | None], str | None]
"""Gives the Markdown of an object by its dotted name, headings from a level on, and its members.

Of the members those that are named; None wants all. None comes back for an unknown object.
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


def with_objects(lines: Sequence[Line], *, resolve: Resolver | None, indented: bool) -> Resolved:
    """Replace each block by what is known of its object.

    Where nothing is, its name stays as code, with the members that the page lists.
    """
    made: list[Line] = []
    symbols: dict[str, tuple[str, ...]] = {}
    missing: list[tuple[str, int]] = []
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
        members = _members(lines[at + 1 : end])
        name = found["name"].replace(":", ".")
        text = resolve(name, min(level + 1, 6), members) if resolve else None
        if text is None:
            missing.append((name, line.number))
            text = _named(name, members or ())
            symbols[anchor] = (*symbols.get(anchor, ()), name)
        else:
            found_count += 1
            symbols[name] = (name,)  # the anchor of an object's own heading
            anchors.update(_ANCHOR.findall(text))
        made += [line.with_text(one) for one in ["", *text.strip("\n").split("\n"), ""]]
        at = end
    return Resolved(made, symbols, frozenset(anchors), found_count, tuple(missing))


def _options_end(lines: Sequence[Line], at: int, indent: str) -> int:
    end = at + 1
    while end < len(lines) and (
        lines[end].text.startswith(f"{indent}    ") or not lines[end].text.strip()
    ):
        end += 1
    return end


def _members(options: Sequence[Line]) -> tuple[str, ...] | None:
    """Return the members that a block asks for; None for all of them.

    mkautodoc writes `:members: a b`; mkdocstrings YAML with `options: {members: [a, b]}`.
    """
    texts = [line.text for line in options]
    for text in texts:
        if found := _MEMBERS.fullmatch(text):
            return tuple(filter(str.isidentifier, found[1].split())) or None
    if any(text.strip() == ":docstring:" for text in texts):
        return ()
    loaded = load_yaml(dedent("\n".join(texts)))
    for key in ("options", "selection"):
        given = mapping_of(loaded.get(key)).get("members")
        if given is False:
            return ()
        if names := texts_of(given):
            return tuple(names)
    return None


def _named(name: str, members: Sequence[str]) -> str:
    """Return an object's name, and the members that its block lists, as code."""
    listed = [f"- `{name}.{member}`" for member in members if member.isidentifier()]
    return "\n".join([f"`{name}`", *([""] if listed else []), *listed])
