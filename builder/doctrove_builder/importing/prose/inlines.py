"""What stands within a line, as Markdown: escaped as much as needed and no more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from doctrove_builder.importing.prose.tree import (
    Break,
    Code,
    Image,
    Inlines,
    Link,
    Mark,
    Reference,
    Styled,
    Text,
)

if TYPE_CHECKING:
    from doctrove_builder.importing.prose.tree import Inline

_SPECIAL = re.compile(
    r"""
    \\(?=[!-/:-@\[-`{-~\n]|\Z)        # a backslash that would escape
    | `
    | \*(?=\S) | (?<=\S)\*
    | (?<![^\W_])_ | _(?![^\W_])
    | <(?=[A-Za-z/!?])
    | &(?=\#?\w{1,32};)
    | ~(?=~)
    | \[(?=\^ | [^\[\]\n]*\][(\[])
    """,
    re.VERBOSE,
)
_LINE_START = re.compile(
    r"""
    ^(?: [ \t]* (?=
        \#{1,6}(?:\s|$) | > | [-+*](?:\s|$) | =+\s*$ | -+\s*$ | (?:-\s*){3,}$
        | :::+ | :\s | ~~~ | \[[^\[\]\n]+\]: | !!!\s | \?\?\?\+?\s | ===!?\s" | \|
    ) | (?P<number>[ \t]*\d{1,9})(?=[.)](?:\s|$)))
    """,
    re.VERBOSE | re.MULTILINE,
)
_TAG_NAME = re.compile("[A-Za-z/!?]")
_OPEN = re.compile(r"(?<!\\)<\Z")
_SPACES = re.compile(r"[ \t\f\v\u00a0]*\n[ \t\f\v\u00a0]*|[ \t\f\v]+")
_EDGES = re.compile(r"(\s*)(.*?)(\s*)", re.DOTALL)
_HTML_STYLES = frozenset({"sub", "sup", "kbd"})
_PLAIN_ADDRESS = re.compile(r"https?://[^\s<>]+")
_QUOTED_ADDRESS = re.compile(r"<(<https?:[^\s<>]+>)>")
_HEADING_END = re.compile(r"(?:#+|\{[^{}]*\})$")


class Resolver(Protocol):
    """Knows where links lead in the documentation that is being written."""

    def link(self, href: str) -> str:
        """Return the address to write for an address as read; empty: the text alone stays."""
        ...

    def reference(self, reference: Reference) -> tuple[str, Inlines]:
        """Return the address of something named, empty if unknown, and the text to show."""
        ...


class Unresolved:
    """Leaves addresses as they are and knows no names."""

    def link(self, href: str) -> str:
        """Return the address itself."""
        return href

    def reference(self, reference: Reference) -> tuple[str, Inlines]:
        """Return the text of a reference, or its target."""
        return "", reference.inside or (Code(reference.target),)


UNRESOLVED = Unresolved()


def write_inlines(inlines: Inlines, resolver: Resolver = UNRESOLVED) -> str:
    """Return Markdown of one paragraph; line ends of its texts stay."""
    text = _QUOTED_ADDRESS.sub(r"\1", _written(inlines, resolver).strip())
    return _LINE_START.sub(_escape_start, text)


def write_line(inlines: Inlines, resolver: Resolver = UNRESOLVED) -> str:
    """Return the same on one line, as table cells and titles need it."""
    return " ".join(_written(inlines, resolver).split())


def write_heading(inlines: Inlines, resolver: Resolver = UNRESOLVED) -> str:
    """Return a heading's text, without links: an anchor may follow it."""
    line = write_line(without_links(inlines), resolver)
    end = _HEADING_END.search(line)
    return f"{line[: end.start()]}\\{line[end.start() :]}" if end else line


def plain_text(inlines: Inlines) -> str:
    """Return the text alone, on one line."""
    return " ".join("".join(_plain(inlines)).split())


def without_links(inlines: Inlines) -> Inlines:
    """Return what is shown of links and references in their place."""
    shown: list[Inline] = []
    for one in inlines:
        if isinstance(one, Link | Reference):
            shown += without_links(one.inside)
        elif isinstance(one, Styled):
            shown.append(Styled(one.style, without_links(one.inside)))
        elif not isinstance(one, Image | Mark):
            shown.append(one)
    return tuple(shown)


def footnote_label(label: str) -> str:
    """Return a footnote's label as Markdown can have it."""
    return re.sub(r"[^\w-]+", "-", label).strip("-") or "note"


def escape(text: str) -> str:
    """Escape a text so that Markdown shows it as it is, within a line."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def code_span(text: str) -> str:
    """Return code within a line; backticks in it are kept."""
    line = " ".join(text.split()) if "\n" in text else text
    if not line.strip():
        return ""
    runs = {len(run) for run in re.findall("`+", line)}
    fence = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    padded = line[0] == "`" or line[-1] == "`" or (line[0] == " " == line[-1])
    return f"{fence} {line} {fence}" if padded else f"{fence}{line}{fence}"


def _written(inlines: Inlines, resolver: Resolver) -> str:
    parts: list[str] = []
    for one in _merged(inlines):
        part = _one(one, resolver)
        if part[:1] == "[" and parts and parts[-1].endswith("!"):
            parts[-1] = f"{parts[-1][:-1]}\\!"
        elif part[:1] == "`" and parts and parts[-1].endswith("`"):
            part = f"<!-- -->{part}"  # two code spans side by side would be one
        elif _TAG_NAME.match(part) and parts and _OPEN.search(parts[-1]):
            parts[-1] = f"{parts[-1][:-1]}\\<"  # together they would be a tag
        parts.append(part)
    return "".join(parts)


def _one(one: Inline, resolver: Resolver) -> str:  # noqa: PLR0911 - one a kind
    match one:
        case Text(text):
            return escape(_SPACES.sub(_space, text))
        case Code(text):
            return code_span(text)
        case Styled(style, inside):
            return _styled(style, _written(inside, resolver))
        case Link(href, inside):
            return _link(resolver.link(href), inside, resolver)
        case Reference():
            href, inside = resolver.reference(one)
            return _link(href, inside, resolver)
        case Image(source, alt):
            address = resolver.link(source)
            return f"![{escape(alt)}]({_address(address)})" if address else escape(alt)
        case Mark(label):
            return f"[^{footnote_label(label)}]"
        case Break():
            return "\\\n"


def _merged(inlines: Inlines) -> Inlines:
    """Join neighbouring texts, so that what they make together is seen."""
    merged: list[Inline] = []
    for one in inlines:
        last = merged[-1] if merged else None
        if isinstance(one, Text) and isinstance(last, Text):
            merged[-1] = Text(last.text + one.text)
        elif isinstance(one, Code) and isinstance(last, Code):
            merged[-1] = Code(last.text + one.text)
        elif not (isinstance(one, Text) and not one.text):
            merged.append(one)
    return tuple(merged)


def _styled(style: str, inside: str) -> str:
    edges = _EDGES.fullmatch(inside)
    assert edges is not None  # it matches every text
    before, text, after = edges.groups()
    if not text:
        return before or after
    if style in _HTML_STYLES:
        return f"{before}<{style}>{text}</{style}>{after}"
    return f"{before}{style}{text}{style}{after}"


def _link(href: str, inside: Inlines, resolver: Resolver) -> str:
    text = _written(inside, resolver).strip("\n")
    if not href:
        return text
    plain = plain_text(inside)
    if plain == href and _PLAIN_ADDRESS.fullmatch(href):
        return f"<{href}>"
    if not text.strip():
        return ""
    edges = _EDGES.fullmatch(text)
    assert edges is not None  # it matches every text
    return f"{edges[1]}[{edges[2]}]({_address(href)}){edges[3]}"


def _address(href: str) -> str:
    """Write an address so that it ends where it should."""
    if re.search(r"[\s<>()\\]", href):
        safe = re.sub(r"[<>\s]", _percent, href)
        return f"<{safe}>"
    return href


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def _space(found: re.Match[str]) -> str:
    return "\n" if "\n" in found[0] else " "


def _escape_start(found: re.Match[str]) -> str:
    return f"{found['number']}\\" if found["number"] else "\\"


def _plain(inlines: Inlines) -> list[str]:
    parts: list[str] = []
    for one in inlines:
        if isinstance(one, Text | Code):
            parts.append(one.text)
        elif isinstance(one, Styled | Link | Reference):
            parts += _plain(one.inside)
        elif isinstance(one, Break):
            parts.append(" ")
    return parts
