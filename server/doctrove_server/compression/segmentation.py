"""A section's Markdown cut into units, through markdown-it's tokens.

Inline text is not parsed: what matters of it is found by patterns. A text above `LARGEST` is cut
at blank lines instead, so that no section costs more than its length.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from doctrove_server.compression.code_blocks import cut_code, is_signature
from doctrove_server.compression.containers import CLOSE, OPEN, label_of, opened
from doctrove_server.compression.markdown_text import plain
from doctrove_server.compression.sentences import sentences, with_what_it_leans_on
from doctrove_server.compression.units import Kind, Unit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LARGEST = 150_000
"""Characters of a text that are read as Markdown."""

_LONG_ITEM = 280
_SUBJECT = re.compile(r"\s*(\**`[^`\n]{1,80}`\**)(?=\s*(?:\([^()\n]{0,60}\)\s*)?[:\u2013\u2014-])")
"""What an item defines; each of its sentences is about it."""

_DEEPEST = 4
_ALERT = re.compile(r"\[!(\w+)\]\s*")
_DIRECTIVE = re.compile(r"\{([\w:-]+)\}")
_DIRECTIVES = """
note tip warning important caution danger hint attention seealso admonition deprecated
versionadded versionchanged removed
"""
_PROSE_DIRECTIVES = frozenset(_DIRECTIVES.split())
_INCLUDE = re.compile(
    r"\{[*!%{].{1,400}[*!%}]\}(?:\s*\{[^{}]{0,100}\})?|-{1,2}8<-{1,2}.{0,400}|<<<.{1,400}|\[\[?toc\]\]?",
    re.IGNORECASE,
)
"""A paragraph that a documentation tool replaces by something that is not here."""

_TAG = re.compile(r"<[^<>]{1,2000}>")
_TAG_LINE = re.compile(r"^\s*</?[a-zA-Z][^<>]{0,500}>\s*$", re.MULTILINE)
_DROPPED_HTML = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|template)\b.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_FENCED = re.compile(
    r"^(`{3,}|~{3,})([^\n`]*)\n(.*?)(?:\n\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)


def segment(markdown: str) -> tuple[Unit, ...]:
    """Return the units of a section in order; headings are units too."""
    writer = _Writer()
    if len(markdown) > LARGEST:
        _coarse(markdown, writer)
    else:
        _read(markdown, writer, depth=0)
    return tuple(writer.units)


class _Writer:
    """Units written so far, and what the next one stands under."""

    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.label = ""
        self._heading = -1
        self._group = 0

    def group(self) -> int:
        self._group += 1
        return self._group

    def heading(self, text: str, level: int) -> None:
        if text:
            self._add("heading", f"{'#' * level} {text}", self.group())
            self._heading = len(self.units) - 1

    def prose(self, text: str) -> None:
        group = self.group()
        for number, sentence in enumerate(with_what_it_leans_on(sentences(text))):
            if shown := " ".join(filter(None, map(plain, sentence))):
                self._add("sentence", shown, group, run_in=number > 0)

    def item(self, text: str, marker: str) -> None:
        group = self.group()
        parts = sentences(text) if len(text) > _LONG_ITEM else [text]
        subject = _SUBJECT.match(parts[0]) if len(parts) > 1 else None
        for number, part in enumerate(parts):
            if shown := plain(part):
                self._add(
                    "item",
                    shown,
                    group,
                    opener=marker,
                    subject=f"{plain(subject[1])}: " if subject and number else "",
                    run_in=number > 0,
                )

    def table(self, head: str, rows: list[str]) -> None:
        group = self.group()
        for row in rows:
            self._add("row", row, group, opener=head)

    def code(self, text: str, info: str) -> None:
        text = text.strip("\n")
        if not text.strip():
            return
        group = self.group()
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
        language = info.split(" ", maxsplit=1)[0].split("{", maxsplit=1)[0].lower()[:30]
        parts = cut_code(text)
        kind: Kind = "signature" if is_signature(text, language) else "code"
        for part in parts:
            self._add(
                kind,
                part,
                group,
                opener=f"{fence}{language}\n",
                closer=f"\n{fence}",
                language=language,
            )

    def html(self, content: str) -> None:
        text = plain(_TAG.sub(" ", _DROPPED_HTML.sub("", content)))
        if text:
            self._add("html", text, self.group())

    def _add(  # noqa: PLR0913 - the fields of a unit
        self,
        kind: Kind,
        text: str,
        group: int,
        *,
        opener: str = "",
        closer: str = "",
        subject: str = "",
        language: str = "",
        run_in: bool = False,
    ) -> None:
        self.units.append(
            Unit(
                kind=kind,
                text=text,
                group=group,
                opener=opener,
                closer=closer,
                subject=subject,
                label=self.label if kind != "heading" else "",
                heading=self._heading if kind != "heading" else -1,
                language=language,
                run_in=run_in,
            )
        )


def _read(markdown: str, writer: _Writer, *, depth: int) -> None:
    """Write the units of Markdown; directives hold Markdown of their own."""
    tokens = iter(_parser().parse(opened(markdown)))
    markers: list[str] = []
    counts: list[int] = []
    first_in_item = False
    for token in tokens:
        match token.type:
            case "heading_open":
                writer.heading(plain(_content(tokens)), int(token.tag[1]))
            case "bullet_list_open" | "ordered_list_open":
                markers.append("")
                counts.append(int(str(token.attrGet("start") or 1)))
            case "bullet_list_close" | "ordered_list_close":
                markers.pop()
                counts.pop()
            case "list_item_open":
                first_in_item = True
                sign = "-" if not token.info else f"{token.info}{token.markup}"
                markers[-1] = f"{'  ' * (len(markers) - 1)}{sign} "
            case "inline":
                _paragraph(token.content, writer, markers[-1] if first_in_item and markers else "")
                first_in_item = False
            case "table_open":
                _table(tokens, writer)
            case "fence":
                _fence(token, writer, depth)
            case "code_block":
                writer.code(token.content, "")
            case "html_block":
                _html(token.content, writer, depth)
            case _:
                pass


def _paragraph(content: str, writer: _Writer, marker: str) -> None:
    if content.startswith(OPEN):
        writer.label = content[1:].strip()
    elif content.startswith(CLOSE):
        writer.label = ""
    elif alert := _ALERT.match(content):
        before, writer.label = writer.label, label_of(alert[1])
        writer.prose(content[alert.end() :])
        writer.label = before
    elif _INCLUDE.fullmatch(content):
        pass
    elif marker:
        writer.item(content, marker)
    elif "\n: " in content:
        term, _, definition = content.partition("\n: ")
        writer.item(f"{term}: {definition}", "- ")
    else:
        writer.prose(content)


def _content(tokens: Iterator[Token]) -> str:
    """Return the text of the inline token that follows an opening one."""
    return next(tokens).content


def _table(tokens: Iterator[Token], writer: _Writer) -> None:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(plain(token.content).replace("|", "\\|"))
    if not rows:
        return
    head = _row(rows[0]) + "\n" + "|" + "-|" * len(rows[0]) + "\n"
    writer.table(head, [_row(cells) for cells in rows[1:] if any(cells)])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _fence(token: Token, writer: _Writer, depth: int) -> None:
    directive = _DIRECTIVE.match(token.info)
    if directive and directive[1].lower() in _PROSE_DIRECTIVES and depth < _DEEPEST:
        before, writer.label = writer.label, label_of(directive[1])
        if argument := token.info[directive.end() :].strip():
            writer.prose(argument)
        _read(token.content, writer, depth=depth + 1)
        writer.label = before
    else:
        writer.code(token.content, token.info)


def _html(content: str, writer: _Writer, depth: int) -> None:
    """Write what HTML says; Markdown may stand in it right below a tag."""
    if "```" in content and depth < _DEEPEST:
        _read(_TAG_LINE.sub("", content), writer, depth=depth + 1)
    else:
        writer.html(content)


def _coarse(markdown: str, writer: _Writer) -> None:
    """Write the units of a very long text: fences, and sentences between blank lines."""
    start = 0
    for fence in _FENCED.finditer(markdown):
        _coarse_prose(markdown[start : fence.start()], writer)
        writer.code(fence[3], fence[2].strip())
        start = fence.end()
    _coarse_prose(markdown[start:], writer)


def _coarse_prose(text: str, writer: _Writer) -> None:
    for block in re.split(r"\n\s*\n", text):
        heading = re.match(r"(#{1,6}) (.{1,300})", block)
        if heading:
            writer.heading(plain(heading[2]), len(heading[1]))
        rest = block[heading.end() :] if heading else block
        for at in range(0, len(rest), _COARSE_BLOCK):
            writer.prose(rest[at : at + _COARSE_BLOCK])


_COARSE_BLOCK = 20_000


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - only when something is first compressed

    return MarkdownIt("commonmark").enable("table").disable(["inline", "reference"])
