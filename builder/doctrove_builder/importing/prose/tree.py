"""The tree of a document between what it was written in (HTML, reStructuredText) and Markdown.

    HTML, reStructuredText --read--> blocks --write_blocks--> Markdown lines

Values are frozen; a reader makes them, the writer takes them apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text; white space is collapsed by the writer."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Code within a line."""

    text: str


@dataclass(frozen=True, slots=True)
class Styled:
    """Text in a style: `*`, `**`, `~~`, `sub`, `sup`, `kbd`."""

    style: str
    inside: Inlines


@dataclass(frozen=True, slots=True)
class Link:
    """A link whose address is known."""

    href: str
    inside: Inlines


@dataclass(frozen=True, slots=True)
class Reference:
    """A link to something by its name, to be looked up in the whole documentation."""

    role: str
    """`ref`, `doc`, `py:func` ..."""

    target: str
    inside: Inlines
    """Empty where the target's own title is to be shown."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture."""

    source: str
    alt: str


@dataclass(frozen=True, slots=True)
class Break:
    """The end of a line that is kept."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The number of a footnote in the text."""

    label: str


Inline: TypeAlias = Text | Code | Styled | Link | Reference | Image | Break | Mark
Inlines: TypeAlias = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    inside: Inlines


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Code, exact to the byte."""

    text: str
    language: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list; numbered when it has a start."""

    items: tuple[Blocks, ...]
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """Indented or quoted text."""

    inside: Blocks


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `head` may be empty."""

    head: tuple[Blocks, ...]
    rows: tuple[tuple[Blocks, ...], ...]
    caption: Inlines = ()


@dataclass(frozen=True, slots=True)
class Admonition:
    """A note, a warning."""

    kind: str
    title: str
    """Empty: that of the kind."""

    inside: Blocks


@dataclass(frozen=True, slots=True)
class Definitions:
    """Terms, each with what it means."""

    items: tuple[tuple[Inlines, Blocks], ...]


@dataclass(frozen=True, slots=True)
class Tabs:
    """Alternatives of which one is shown."""

    items: tuple[tuple[str, Blocks], ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote's text."""

    label: str
    inside: Blocks


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place within a text that links point at."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Markdown as it is to be written."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a heading stands in its source."""

    file: str
    line: int
    last: int = 0
    """Last line of what is below it, where that is known."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what is below it."""

    title: Inlines
    anchors: tuple[str, ...]
    """The first is its own, the others lead to it too."""

    inside: Blocks
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Described:
    """An object of a program: its signatures and what is said of it."""

    name: str
    """As it is called: `Context.invoke`."""

    anchors: tuple[str, ...]
    signatures: tuple[str, ...]
    language: str
    symbols: tuple[str, ...]
    inside: Blocks
    place: Place | None = None


Block: TypeAlias = (
    Paragraph
    | CodeBlock
    | Listing
    | Quote
    | Table
    | Admonition
    | Definitions
    | Tabs
    | Note
    | Rule
    | Target
    | Lines
    | Section
    | Described
)
Blocks: TypeAlias = tuple[Block, ...]
