"""TypeScript declarations as a syntax tree with their text, comments apart; nothing is executed."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import tree_sitter
import tree_sitter_typescript

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

MAX_ARGUMENTS = 20_000
"""Bytes of type arguments."""

_BRACKETS = re.compile(rb"=>|[<>()\[\]{}]")
_STATEMENT_END = re.compile(r"[;,\s]+\Z")


@dataclass(frozen=True, slots=True)
class Parsed:
    """One file."""

    path: str
    data: bytes
    root: Node
    comments: tuple[tuple[int, int], ...]
    """First byte and the one after the last of each comment, in order."""

    def text(self, node: Node) -> str:
        """Return a node's text as it stands."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def code(
        self,
        node: Node,
        *,
        end: int | None = None,
        name: str = "",
        without: Iterable[tuple[int, int]] = (),
    ) -> str:
        """Return a declaration's code without comments, its lines moved to the margin.

        It ends before the byte `end`; `name` stands for the name that it declares, and the ranges
        of bytes in `without` are left out.
        """
        first = node.start_byte
        last = self._whole_end(node) if end is None else end
        gone = sorted((*self._comments_in(first, last), *without))
        cuts = [(low, high, b"") for low, high in self._whole_lines(gone, first, last)]
        own = node.child_by_field_name("name")
        if name and own is not None and first <= own.start_byte < last:
            cuts.append((own.start_byte, own.end_byte, name.encode()))
        pieces: list[bytes] = []
        at = first
        for low, high, put in sorted(cuts):
            pieces += [self.data[at:low], put]
            at = high
        pieces.append(self.data[at:last])
        text = b"".join(pieces).decode("utf-8", "replace")
        return _STATEMENT_END.sub("", _at_margin(text, self._indent(first)))

    def first_broken(self) -> Node | None:
        """Return the first statement that cannot be parsed; None when all can be.

        Type arguments of `import("x").Name` are no fault of the file: see `_whole_end`.
        """
        for node in (self.root, *self.root.children):
            before = node.prev_sibling
            goes_on = before is not None and before.end_byte == node.start_byte
            arguments = goes_on and self.data[node.start_byte : node.start_byte + 1] == b"<"
            if node.type == "ERROR" and not arguments:
                return node
        return None

    def last_line(self, node: Node) -> int:
        """Return the last line of a declaration, counted from 1."""
        end = self._whole_end(node)
        return node.end_point.row + 1 + self.data.count(b"\n", node.end_byte, end)

    def doc_before(self, node: Node) -> str:
        """Return the documentation comment that stands directly before a node; empty if none.

        Comments on lines next to each other are one: a tag is often put into one of its own.
        """
        found = ""
        below = node
        before = node.prev_sibling
        while before is not None and before.type == "comment":
            text = self.text(before)
            if text.startswith("/**") and len(text) > 4:
                if found and before.end_point.row + 1 != below.start_point.row:
                    break
                found = f"{text[:-2]}\n{found[3:]}" if found else text
                below = before
            elif found:
                break
            before = before.prev_sibling
        return found

    def _comments_in(self, first: int, last: int) -> tuple[tuple[int, int], ...]:
        low = bisect_left(self.comments, (first, 0))
        return self.comments[low : bisect_left(self.comments, (last, 0))]

    def _whole_lines(
        self, gone: Iterable[tuple[int, int]], first: int, last: int
    ) -> Iterator[tuple[int, int]]:
        """Yield what to cut: a whole line where nothing else stands on it."""
        done = first
        for begin, end in gone:
            low, high = begin, end
            while low > first and self.data[low - 1 : low] in {b" ", b"\t"}:
                low -= 1
            line_end = self.data.find(b"\n", high, last)
            starts_line = low == first or self.data[low - 1 : low] == b"\n"
            if starts_line and line_end >= 0 and not self.data[high:line_end].strip():
                high = line_end + 1
            low = max(low, done)
            if low < high:
                yield low, high
                done = high

    def _whole_end(self, node: Node) -> int:
        """Return where a declaration ends: the grammar knows no `import("x").Name<Arguments>`."""
        at = node.end_byte
        if self.data[at : at + 1] != b"<":
            return at
        depth = 0
        for found in _BRACKETS.finditer(self.data, at, at + MAX_ARGUMENTS):
            sign = found[0]
            depth += (sign in {b"<", b"(", b"[", b"{"}) - (sign in {b">", b")", b"]", b"}"})
            if depth == 0 and sign == b">":
                return found.end()
        return at

    def _indent(self, at: int) -> int:
        line = self.data.rfind(b"\n", 0, at) + 1
        text = self.data[line:at]
        return len(text) - len(text.lstrip(b" \t"))


def parse_declarations(path: str, text: str) -> Parsed:
    """Parse a file of declarations; what cannot be read becomes error nodes of the tree."""
    data = text.encode()
    root = tree_sitter.Parser(_language()).parse(data).root_node
    found = tree_sitter.QueryCursor(_comments()).captures(root).get("comment", [])
    spans = sorted((node.start_byte, node.end_byte) for node in found)
    return Parsed(path=path, data=data, root=root, comments=tuple(spans))


@cache
def _language() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_typescript.language_typescript())


@cache
def _comments() -> tree_sitter.Query:
    return tree_sitter.Query(_language(), "(comment) @comment")


def _at_margin(text: str, indent: int) -> str:
    if not indent:
        return text
    first, *rest = text.split("\n")
    moved = (
        line[min(indent, len(line) - len(line.lstrip(" \t"))) :].rstrip() if line.strip() else ""
        for line in rest
    )
    return "\n".join((first, *moved))
