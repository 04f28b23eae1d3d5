"""The links and pictures in a run of text, found by their Markdown and rewritten in place."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from doctrove_builder.importing.markdown.lines import masked

MAX_BRACKETS = 20_000
MAX_ADDRESS = 2_000

Target = Callable[[str, bool], str | None]


class Rewriting(Protocol):
    """What says where links lead."""

    def target(self, address: str, image: bool, /) -> str | None:
        """Return the address to write for one as written; None drops it, its text stays."""
        ...

    def name(self, address: str, /) -> str:
        """Return the text for a link that has none; empty for none."""
        ...

    def reference(self, label: str, /) -> str | None:
        """Return the address for a label that the page does not define.

        Empty: the text alone stays; None: all stays as it is written.
        """
        ...


_DEFINITION = re.compile(
    r"^(?P<head>[ ]{0,3}\[(?P<label>[^\]\n]+)\]:[ \t]*)(?P<address><[^<>\n]*>|\S+)(?P<rest>.*)$",
    re.MULTILINE,
)
_RAW = re.compile(r"""(?P<head><(?P<name>a|img)\b[^<>]*?\b(?:href|src)=")(?P<address>[^"]*)(?=")""")
_TITLE = re.compile(r"""[ \t\n]+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))""")
_SPACE = re.compile(r"[ \t]*\n?[ \t]*")
_LABEL = re.compile(r"\[(?P<label>[^\[\]\n]{0,300})\]")


class _Span(NamedTuple):
    start: int
    """Of `[` or `!`."""

    label: tuple[int, int]
    address: tuple[int, int]
    """With its angle brackets."""

    end: int
    image: bool


def rewritten(text: str, links: Rewriting) -> str:
    """Return a run of text with other addresses; the number of its lines stays."""
    if "[" not in text and "<a" not in text and "<img" not in text:
        return text
    mask = masked(text)
    edits: list[tuple[int, int, str]] = []
    spans, references = _spans(text, mask)
    for span in spans:
        edits += _edits(text, span, links)
    for reference in references:
        edits += _reference_edits(text, reference, links)
    edits += _definition_edits(text, mask, links.target)
    edits += _raw_edits(text, mask, links.target)
    for start, end, new in sorted(edits, reverse=True):
        lost = text.count("\n", start, end) - new.count("\n")
        text = text[:start] + new + "\n" * max(lost, 0) + text[end:]
    return text


def defined_labels(text: str) -> frozenset[str]:
    """Return the labels that a page defines addresses for, folded as they are compared."""
    return frozenset(folded(found["label"]) for found in _DEFINITION.finditer(text))


def folded(label: str) -> str:
    """Return a label as it is compared with others (CommonMark 4.7)."""
    return " ".join(label.casefold().split())


def _edits(text: str, span: _Span, links: Rewriting) -> list[tuple[int, int, str]]:
    written = text[span.address[0] : span.address[1]]
    bare = html.unescape(written.strip("<>")) if written.startswith("<") else written
    new = links.target(bare, span.image)
    start, end = span.label
    named = "" if span.image or text[start:end].strip() else " ".join(links.name(bare).split())
    added = [(start, end, named)] if named else []
    if new is None:
        return [(span.start, start, ""), *added, (end, span.end, "")]
    return added if new == bare else [*added, (span.address[0], span.address[1], _quoted(new))]


def _reference_edits(text: str, span: _Span, links: Rewriting) -> list[tuple[int, int, str]]:
    start, end = span.label
    label = text[span.address[0] : span.address[1]] or text[start:end].strip("`")
    new = links.reference(label)
    if new is None:
        return []
    if not new:
        return [(span.start, start, ""), (end, span.end, "")]
    return [(end, span.end, f"]({_quoted(new)})")]


def _definition_edits(text: str, mask: str, target: Target) -> list[tuple[int, int, str]]:
    edits: list[tuple[int, int, str]] = []
    for found in _DEFINITION.finditer(text):
        if mask[found.start("head")] == "\0" or found["label"].startswith("^"):
            continue
        bare = found["address"].strip("<>")
        new = target(bare, False)
        if new is not None and new != bare:
            edits.append((found.start("address"), found.end("address"), _quoted(new)))
    return edits


def _raw_edits(text: str, mask: str, target: Target) -> list[tuple[int, int, str]]:
    edits: list[tuple[int, int, str]] = []
    for found in _RAW.finditer(text):
        if mask[found.start()] == "\0":
            continue
        bare = html.unescape(found["address"])
        new = target(bare, found["name"] == "img")
        if new != bare:
            address = html.escape(new or "", quote=True)
            edits.append((found.start("address"), found.end("address"), address))
    return edits


def _spans(text: str, mask: str) -> tuple[list[_Span], list[_Span]]:
    """Return the links with an address, and those with a label in its place."""
    spans: list[_Span] = []
    references: list[_Span] = []
    opened: list[int] = []
    failed = 0
    for found in re.finditer(r"\\.|[\[\]]|\n[ \t]*\n", mask, re.DOTALL):
        at = found.start()
        if found[0] == "[":
            opened.append(at)
        elif found[0] == "]" and opened:
            start = opened.pop()
            read = _destination(text, at + 2) if text[at + 1 : at + 2] == "(" else None
            failed += text[at + 1 : at + 2] == "(" and read is None
            image = start > 0 and text[start - 1] == "!"
            if labelled := _LABEL.match(text, at + 1):
                place = labelled.span("label")
                if not image:
                    references.append(_Span(start, (start + 1, at), place, labelled.end(), False))
            if read is not None:
                spans.append(_Span(start - image, (start + 1, at), read[0], read[1], image))
        elif found[0].startswith("\n"):
            opened.clear()
        if len(spans) + len(references) > MAX_BRACKETS or failed > MAX_BRACKETS // 10:
            break
    return spans, references


def _destination(text: str, at: int) -> tuple[tuple[int, int], int] | None:
    """Read `address "title")` and return where the address stands and where all ends."""
    begun = _SPACE.match(text, at)
    at = begun.end() if begun else at
    start = at
    if text[at : at + 1] == "<":
        at = text.find(">", at) + 1
        if at <= 0 or "\n" in text[start:at]:
            return None
    else:
        depth = 0
        limit = min(len(text), at + MAX_ADDRESS)
        while at < limit and text[at] not in " \t\n":
            if text[at] == "\\":
                at += 1
            elif text[at] == "(":
                depth += 1
            elif text[at] == ")":
                if depth == 0:
                    break
                depth -= 1
            at += 1
    end = at
    if titled := _TITLE.match(text, at):
        at = titled.end()
    closing = _SPACE.match(text, at)
    at = closing.end() if closing else at
    return ((start, end), at + 1) if text[at : at + 1] == ")" else None


def _quoted(address: str) -> str:
    return f"<{address}>" if re.search(r"[\s()<>]", address) else address
