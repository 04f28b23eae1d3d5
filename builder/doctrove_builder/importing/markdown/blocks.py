"""Blocks of other dialects, rewritten as those that authors of volumes write.

MyST directives in fences of backticks or colons; PyMdown blocks (`/// tab | Python`); containers of
VitePress and Docusaurus that only style.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown.directives import Directive, Directives, fence_depth
from doctrove_builder.importing.markdown.lines import Line, Role, closes, fence_of, roles
from doctrove_builder.markdown.kinds import CONTAINERS

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_DEPTH = 20
MAX_LOOKED = 300_000
"""Lines of a page that are looked at for the ends of its containers, again for each of them."""

_DIRECTIVE = re.compile(r"\{(?P<name>[\w:.+-]+)\}[ \t]*(?P<argument>.*)")
_COLON_DIRECTIVE = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>:{3,})[ \t]*\{(?P<name>[\w:.+-]+)\}[ \t]*(?P<argument>.*)"
)
_CONTAINER = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>:{3,})[ \t]*(?P<word>[A-Za-z][\w-]*)(?P<rest>.*)"
)
_SLASHES = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>/{3,})[ \t]*(?P<word>[A-Za-z][\w-]*)[ \t]*"
    r"(?:\|[ \t]*(?P<title>.*))?"
)
_OPEN_MARK = re.compile(r"[ \t]*\{[ \t]*open[ \t]*\}[ \t]*$")
_YAML_OPTION = re.compile(r"(?: {4}|\t)([\w-]+):[ \t]*(.*)")


class Blocks:
    """The conversion of one page's blocks."""

    def __init__(self, page: str, *, mdx: bool) -> None:
        """Note what is dropped under the page's file."""
        self._page = page
        self._mdx = mdx
        self._looked = 0
        self._directives = Directives(page, self.convert)
        self.notes = self._directives.notes

    def convert(self, lines: Sequence[Line], depth: int = 0) -> list[Line]:
        """Return the lines with every block that is known rewritten."""
        if depth > MAX_DEPTH:
            return list(lines)
        made: list[Line] = []
        kinds = roles(lines, indented=not self._mdx)
        at, changed = 0, False
        while at < len(lines):
            taken, found = self._block(lines, kinds, at, depth)
            some = [lines[at]] if found is None else found
            if made and some and (found is not None or changed) and _run_on(made[-1], some[0]):
                made.append(some[0].with_text(""))
            made += some
            changed = found is not None if some else changed
            at += taken
        return made

    def _block(
        self, lines: Sequence[Line], kinds: Sequence[Role], at: int, depth: int
    ) -> tuple[int, list[Line] | None]:
        line = lines[at]
        if kinds[at] is Role.OPEN:
            fence = fence_of(line.text)
            found = _DIRECTIVE.fullmatch(fence.info.strip()) if fence else None
            if fence is None or found is None or _is_attribute_list(fence.info):
                end = _role_end(kinds, at)
                return end - at, list(lines[at:end])
            end = next(
                (i for i in range(at + 1, len(lines)) if closes(lines[i].text, fence.mark)),
                len(lines),
            )
            body = lines[at + 1 : end]
            made = self._directives.write(
                Directive(found["name"], found["argument"], line, fence.prefix, body, depth)
            )
            return min(end + 1, len(lines)) - at, made
        if kinds[at] is not Role.TEXT:
            return 1, None
        text = line.text
        if ":::" in text:
            return self._colons(lines, kinds, at, depth)
        if text.lstrip().startswith("///"):
            return self._slashes(lines, kinds, at, depth)
        return 1, None

    def _colons(
        self, lines: Sequence[Line], kinds: Sequence[Role], at: int, depth: int
    ) -> tuple[int, list[Line] | None]:
        line = lines[at]
        found = _COLON_DIRECTIVE.fullmatch(line.text)
        other = None if found else _CONTAINER.fullmatch(line.text)
        if found is None and other is None:
            return 1, None
        mark = found["mark"] if found else other["mark"] if other else ":::"
        end = self._closing(lines, kinds, at, mark)
        if end is None:
            return self._open(lines, kinds, at, depth) if other else (1, None)
        body = lines[at + 1 : end]
        if found is not None:
            made = self._directives.write(
                Directive(found["name"], found["argument"], line, found["indent"], body, depth)
            )
            return end - at + 1, made
        assert other is not None  # one of the two matched
        if other["word"].lower() in CONTAINERS:
            inner = self.convert(body, depth + 1)
            longest = 2 + fence_depth(inner)
            if len(mark) <= longest and longest > 2:
                mark = ":" * (longest + 1)
            opening = _OPEN_MARK.sub("", line.text.replace(other["mark"], mark, 1))
            closing = f"{other['indent']}{mark}"
            return end - at + 1, [line.with_text(opening), *inner, lines[end].with_text(closing)]
        title = _title_of(other["rest"])
        head = (
            [line.with_text(f"{other['indent']}**{title}**"), line.with_text("")] if title else []
        )
        self._note("container-dropped", line, f"the container {other['word']!r} is only its text")
        return end - at + 1, [*head, *self.convert(body, depth + 1)]

    def _open(
        self, lines: Sequence[Line], kinds: Sequence[Role], at: int, depth: int
    ) -> tuple[int, list[Line] | None]:
        """Close a container that its author left open: with the one around it, or its section."""
        found = _CONTAINER.fullmatch(lines[at].text)
        if found is None or found["word"].lower() not in CONTAINERS or found["rest"][:1] == ".":
            return 1, None
        end = at + 1
        while end < len(lines) and not (
            depth == 0 and kinds[end] is Role.TEXT and lines[end].text.startswith("#")
        ):
            end += 1
        self._note("container-closed", lines[at], f"the container {found['word']!r} is left open")
        filled = end
        while not lines[filled - 1].text.strip():
            filled -= 1
        inner = self.convert(lines[at + 1 : filled], depth + 1)
        mark = ":" * max(len(found["mark"]), 3 + fence_depth(inner))
        opening = _OPEN_MARK.sub("", lines[at].text.replace(found["mark"], mark, 1))
        return end - at, [
            lines[at].with_text(opening),
            *inner,
            lines[filled - 1].with_text(f"{found['indent']}{mark}"),
            *lines[filled:end],
        ]

    def _slashes(
        self, lines: Sequence[Line], kinds: Sequence[Role], at: int, depth: int
    ) -> tuple[int, list[Line] | None]:
        line = lines[at]
        found = _SLASHES.fullmatch(line.text)
        if found is None:
            return 1, None
        end = self._closing(lines, kinds, at, found["mark"])
        if end is None:
            return 1, None
        body = list(lines[at + 1 : end])
        options: dict[str, str] = {}
        while body and (option := _YAML_OPTION.fullmatch(body[0].text)):
            options[option[1]] = option[2]
            body = body[1:]
        word, title = found["word"].lower(), (found["title"] or "").strip()
        indent = found["indent"]
        inner = self.convert(body, depth + 1)
        if word in {"tab", "caption", "figure-caption", "define", "html"}:
            head = (
                [line.with_text(f"{indent}**{title}**"), line.with_text("")]
                if title and word == "tab"
                else []
            )
            return end - at + 1, [*head, *inner]
        if word == "admonition":
            word = options.get("type", "note")
        kind = word if word in CONTAINERS else "note"
        name = title or ("" if kind == word else word.capitalize())
        opening = f"{indent}{found['mark']} {kind}{f' | {name}' if name else ''}"
        return end - at + 1, [
            line.with_text(opening),
            *inner,
            lines[end].with_text(f"{indent}{found['mark']}"),
        ]

    def _closing(
        self, lines: Sequence[Line], kinds: Sequence[Role], at: int, mark: str
    ) -> int | None:
        """Return the line that closes a block of colons or slashes; None when none does.

        Where blocks of the same length in it are not all closed, the first line that can close it
        does, as markdown-it reads it.
        """
        first = None
        opened: list[int] = []
        pattern = re.compile(rf"[ \t]*({re.escape(mark[0])}{{3,}})(.*)")
        for end in range(at + 1, len(lines)):
            self._looked += 1
            if self._looked > MAX_LOOKED:
                return None
            found = pattern.fullmatch(lines[end].text) if kinds[end] is Role.TEXT else None
            if found is None or len(found[1]) < len(mark):
                continue
            length = len(found[1])
            if found[2].strip():
                opened += [length] if _opens(found[2]) else []
            elif not opened:
                return end
            else:
                first = first or (end if length == len(mark) else None)
                while length in opened and opened.pop() != length:
                    pass
        return first

    def _note(self, kind: str, line: Line, message: str) -> None:
        self.notes.append(Note(kind=kind, place=f"{self._page}:{line.number}", message=message))


def _is_attribute_list(info: str) -> bool:
    """Say whether braces after a fence hold attributes (`{.python title="x"}`) or lines."""
    return bool(re.match(r"\s*\{\s*(?:[.#]|[\d,\s-]+\}|\w+\s*=)", info))


def _run_on(above: Line, below: Line) -> bool:
    """Say whether two lines of text would be read as one paragraph."""
    texts = above.text.strip(), below.text.strip()
    return all(texts) and not any(
        text.startswith((">", ":::", "///", "```", "~~~")) for text in texts
    )


def _role_end(kinds: Sequence[Role], at: int) -> int:
    """Return the end of the code block that opens here."""
    end = at + 1
    while end < len(kinds) and kinds[end] is Role.CODE:
        end += 1
    return end + 1 if end < len(kinds) and kinds[end] is Role.CLOSE else end


def _opens(rest: str) -> bool:
    """Say whether a line of colons with a word opens a container, and not an API object."""
    return re.match(r"\s*\{?[A-Za-z][\w-]*\}?(?![\w.])", rest) is not None


def _title_of(rest: str) -> str:
    title = rest.strip()
    if title.startswith("{"):
        return ""
    return title[1:-1] if title.startswith("[") and title.endswith("]") else title
