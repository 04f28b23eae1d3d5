"""A documentation comment (JSDoc, TSDoc) as text and tags, and its text as Markdown lines."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from doctrove_builder.importing.prose.embedded import (
    embedded_lines,
    escaped_tags,
    fence_after,
    trimmed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Find: TypeAlias = "Callable[[str], str]"
"""Gives the address of the section that describes a name; empty when none does."""

MAX_CHARACTERS = 400_000
"""Of one comment."""

_STAR = re.compile(r"^[ \t]*\*(?:[ ]|(?=\t)|$)?", re.MULTILINE)
_TAG = re.compile(r"[ \t]*@([A-Za-z][\w-]*)(?:[ \t]+|$)(.*)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_LINK = re.compile(
    r"(?:\[(?P<before>[^\[\]\n]+)\])?\{@(?:link|linkcode|linkplain|see|tutorial)\s+(?P<inside>[^{}]+)\}"
)
_INLINE_TAG = re.compile(r"\{@(?:inheritDoc|label)[^{}]*\}", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+")
_HIDDEN = frozenset({"internal", "private", "hidden", "ignore", "exclude"})
_SPANS = re.compile(r"(`+)(?:(?!`).|`(?!\1))*?\1")


@dataclass(frozen=True, slots=True)
class Tag:
    """One block tag and the lines that belong to it."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Doc:
    """What a comment says."""

    lines: tuple[str, ...] = ()
    """The text before the first block tag."""

    tags: tuple[Tag, ...] = ()

    @property
    def hidden(self) -> bool:
        """Whether its author says that the thing is not for users."""
        return any(tag.name in _HIDDEN for tag in self.tags)

    def named(self, *names: str) -> tuple[Tag, ...]:
        """Return the tags of these names, as they stand."""
        return tuple(tag for tag in self.tags if tag.name in names)


def read_doc(comment: str) -> Doc:
    """Take a comment apart; tags within code blocks are code."""
    if len(comment) > MAX_CHARACTERS or not comment.startswith("/**"):
        return Doc()
    text = _STAR.sub("", comment[3:].removesuffix("*/").removesuffix("*"))
    text = text.removeprefix(" ")
    blocks: list[tuple[str, list[str]]] = [("", [])]
    fence = ""
    for line in text.split("\n"):
        found = None if fence else _TAG.match(line)
        if found:
            blocks.append((found[1], [found[2]] if found[2].strip() else []))
        else:
            blocks[-1][1].append(line)
        fence = fence_after(fence, line if found is None else found[2])
    tags = tuple(Tag(name, trimmed(lines)) for name, lines in blocks[1:])
    return Doc(lines=trimmed(blocks[0][1]), tags=tags)


def markdown_lines(lines: Iterable[str], find: Find) -> list[str]:
    """Return text as Markdown lines: links resolved, headings bold (they start no section)."""
    return embedded_lines(lines, lambda line: _with_links(line, find))


def example_lines(tag: Tag, find: Find, *, language: str = "ts") -> list[str]:
    """Return an example: as it is where it has fences of its own, else as code."""
    lines = list(tag.lines)
    caption = re.fullmatch(r"\s*<caption>(.*?)</caption>\s*", lines[0]) if lines else None
    title: list[str] = []
    if caption:
        title, lines = [caption[1]], lines[1:]
    if any(_FENCE.match(line) for line in lines):
        return [*title, *([""] if title else []), *markdown_lines(lines, find)]
    if not title and len(lines) > 1 and _is_prose(lines[0]):
        title, lines = [lines[0].strip()], lines[1:]
    code = trimmed(lines)
    if not code:
        return markdown_lines(title, find)
    if all(_is_prose(line) for line in code if line.strip()):
        return markdown_lines([*title, "", *code], find)
    mark = "```"
    while any(mark in line for line in code):
        mark += "`"
    said = markdown_lines(title, find)
    return [*said, *([""] if said else []), f"{mark}{language}", *code, mark]


def parameter(tag: Tag) -> tuple[str, tuple[str, ...]]:
    """Return the name and the text of `@param {type} [name=default] - text`."""
    first, *rest = tag.lines or ("",)
    if first.lstrip().startswith("{"):
        first = first[_brace_end(first) :].lstrip()
    found = re.match(r"(\[[^\]]*\]|[\w$.\[\]]+)(?:\s+-\s+|\s+|$)(.*)", first)
    if found is None:
        return "", _hanging(first, rest)
    name = found[1].strip("[]").partition("=")[0].strip() if found[1][0] == "[" else found[1]
    return name, _hanging(re.sub(r"^-\s+", "", found[2]), rest)


def untyped(tag: Tag) -> tuple[str, ...]:
    """Return the text of a tag without the type in braces before it."""
    first, *rest = tag.lines or ("",)
    if re.match(r"\s*\{(?!@)", first):
        first = first.lstrip()
        first = first[_brace_end(first) :].lstrip()
    return _hanging(re.sub(r"^-\s+", "", first), rest)


def _hanging(first: str, rest: list[str]) -> tuple[str, ...]:
    """Return a tag's text, its further lines moved to the margin."""
    return trimmed([first, *textwrap.dedent("\n".join(rest)).split("\n")])


def _with_links(line: str, find: Find) -> str:
    made: list[str] = []
    at = 0
    for span in _SPANS.finditer(line):
        made += [_linked(line[at : span.start()], find), span[0]]
        at = span.end()
    made.append(_linked(line[at:], find))
    return escaped_tags("".join(made))


def _linked(text: str, find: Find) -> str:
    return _LINK.sub(lambda found: _link(found, find), _INLINE_TAG.sub("", text))


def _link(found: re.Match[str], find: Find) -> str:
    inside = found["inside"].strip()
    target, bar, shown = inside.partition("|")
    if not bar:
        target, _, shown = inside.partition(" ")
    target, shown = target.strip(), (found["before"] or shown).strip()
    if _ADDRESS.fullmatch(target):
        return f"[{shown}]({target})" if shown else f"<{target}>"
    address = find(target)
    text = shown or f"`{target.removesuffix('()')}`"
    return f"[{text}]({address})" if address else text


def _is_prose(line: str) -> bool:
    """Say whether a line is words: it begins with one and has no code in it."""
    text = line.strip()
    return bool(re.match(r"[A-Z`*(][\w`*'-]*(?:[ :.]|$)", text)) and not re.search(
        r"[;{}=]|=>|\w\(|^(?:import|const|let|var|await|return)\b", re.sub(r"`[^`]*`", "", text)
    )


def _brace_end(text: str) -> int:
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return at + 1
    return len(text)
