"""Text and code that pages take from other files, put in the place of the line that asks for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown import slicing
from doctrove_builder.importing.markdown.frontmatter import split_front
from doctrove_builder.importing.markdown.include_syntax import (
    SNIPPET_BLOCK,
    Include,
    directive_option,
    read_fence_include,
    read_include,
    read_text_include,
    shown_snippet,
    snippet,
)
from doctrove_builder.importing.markdown.languages import language_of
from doctrove_builder.importing.markdown.lines import (
    SOFT_BREAK,
    Line,
    Role,
    closes,
    fence_of,
    roles,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.markdown.files import Files
    from doctrove_builder.importing.markdown.slicing import Numbered

MAX_DEPTH = 10
MAX_LINES = 60_000
"""Of one page with all that it includes."""

MAX_CHARACTERS = 40_000_000
"""Of the files that the includes of one page are looked for in, again for each of them."""

MARKDOWN = (".md", ".markdown", ".mdx")


class Includer:
    """Replaces the includes of one page; counts what it found and notes what it did not."""

    def __init__(self, files: Files, page: str) -> None:
        """`page` is the page's own file."""
        self.files = files
        self.page = page
        self.notes: list[Note] = []
        self.resolved = 0
        self.used: set[str] = set()
        self._lines = 0
        self._characters = 0
        self._full = False
        self._read_before: dict[str, tuple[Numbered, int]] = {}

    def expand(self, lines: Sequence[Line], *, stack: tuple[str, ...] = ()) -> list[Line]:
        """Return the lines with every include in its place.

        `stack` names the files that they are included through, the one they stand in last.
        """
        stack = stack or (self.page,)
        made: list[Line] = []
        kinds = roles(lines)
        at = 0
        while at < len(lines):
            step, found = self._one(lines, kinds, at, stack)
            if found is None:
                made.append(lines[at])
            else:
                made += found
            at += step
            if len(made) > MAX_LINES:
                message = f"more than {MAX_LINES:,} lines; the rest is left out"
                self._note_once("include-too-large", lines[0], message)
                break
        return made

    def text_of(self, path: str, line: Line, indent: str) -> list[Line]:
        """Return a file as text with its own includes."""
        return self._put(Include(path, indent), line, in_code=False, stack=(self.page,))

    def code_of(self, path: str, line: Line, *, info: str = "") -> list[Line]:
        """Return a file as a code block."""
        wanted = Include(path, "", info=info or language_of(path))
        return self._put(wanted, line, in_code=False, stack=(self.page,))

    def _one(
        self, lines: Sequence[Line], kinds: Sequence[Role], at: int, stack: tuple[str, ...]
    ) -> tuple[int, list[Line] | None]:
        """Return how many lines an include at this line takes, and what stands in its place."""
        line, in_code = lines[at], kinds[at] is not Role.TEXT
        if kinds[at] is Role.OPEN:
            return self._fence(lines, at, stack)
        if "8<" in line.text:
            if SNIPPET_BLOCK.fullmatch(line.text):
                return self._snippets(lines, at, in_code, stack)
            if shown := shown_snippet(line.text):
                return 1, [line.with_text(shown)]
        wanted = read_include(line.text)
        if wanted is None and not in_code:
            wanted = read_text_include(line.text)
        return 1, None if wanted is None else self._put(wanted, line, in_code=in_code, stack=stack)

    def _snippets(
        self, lines: Sequence[Line], at: int, in_code: bool, stack: tuple[str, ...]
    ) -> tuple[int, list[Line] | None]:
        """Read a block of snippets: a path on each line, up to another line of scissors."""
        indent = lines[at].text[: -len(lines[at].text.lstrip())]
        made: list[Line] = []
        for end in range(at + 1, len(lines)):
            text = lines[end].text.strip()
            if SNIPPET_BLOCK.fullmatch(text):
                return end - at + 1, made
            if text and not text.startswith(";"):
                wanted = snippet(text.strip("\"'"), indent)
                made += self._put(wanted, lines[end], in_code=in_code, stack=stack)
        return 1, None

    def _fence(
        self, lines: Sequence[Line], at: int, stack: tuple[str, ...]
    ) -> tuple[int, list[Line] | None]:
        fence = fence_of(lines[at].text)
        if fence is None or ("include}" not in fence.info and "file=" not in fence.info):
            return 1, None
        end = next(
            (i for i in range(at + 1, len(lines)) if closes(lines[i].text, fence.mark)), len(lines)
        )
        inside = [line.text for line in lines[at + 1 : end]]
        options = dict(filter(None, map(directive_option, inside)))
        wanted = read_fence_include(fence, options, empty=not any(map(str.strip, inside)))
        if wanted is None:
            return 1, None
        taken = min(end, len(lines) - 1) - at + 1
        return taken, self._put(wanted, lines[at], in_code=False, stack=stack)

    def _put(
        self, wanted: Include, line: Line, *, in_code: bool, stack: tuple[str, ...]
    ) -> list[Line]:
        """Return what stands in an include's place; nothing, and a note, where it is not there."""
        found = self._read(wanted, line, file=stack[-1])
        if found is None:
            return []
        target, lines = found
        if wanted.info is not None:
            return _code_block(wanted, wanted.info, line, target, lines)
        if in_code:
            return [_included(line, wanted.indent, target, one) for one in lines]
        if self._ends(wanted, line, target, stack):
            return []
        language = language_of(target)
        is_code = not target.lower().endswith(MARKDOWN) and language not in {"", "text"}
        if is_code and wanted.cut is None:
            return _code_block(wanted, language, line, target, lines)
        front = split_front("\n".join(one for _, one in lines)).lines
        body = [_included(line, wanted.indent, target, one) for one in lines[front:]]
        return self.expand(body, stack=(*stack, target))

    def _ends(self, wanted: Include, line: Line, target: str, stack: tuple[str, ...]) -> bool:
        """Say whether text is not included any more: a circle, or too deep; and note it."""
        if target in stack:
            self._note("include-circle", line, f"{wanted.path} includes itself")
        elif len(stack) > MAX_DEPTH:
            message = f"files include each other more than {MAX_DEPTH} deep; these are left out"
            self._note_once("include-dropped", line, message)
        return target in stack or len(stack) > MAX_DEPTH

    def _read(self, wanted: Include, line: Line, *, file: str) -> tuple[str, Numbered] | None:
        path = wanted.path
        if self._full:
            return None
        target = None if "://" in path else self._find(wanted, file)
        if target is None:
            self._note(*self._not_found(path, line, file))
            return None
        try:
            lines, length = self._numbered(target)
        except FileRefused as error:
            self._note("include-refused", line, error.message)
            return None
        chosen = wanted.cut(lines) if wanted.cut else lines
        if chosen is None:
            message = f"the part of {path} that is named is not there"
            self._note("include-part-missing", line, message)
            return None
        self._characters += length
        self._lines += len(chosen)
        if self._lines > MAX_LINES or self._characters > MAX_CHARACTERS:
            self._full = True
            message = f"with {path} it is too much for a page; this and all below is left out"
            self._note_once("include-too-large", line, message)
            return None
        self.resolved += 1
        self.used.add(target)
        return target, chosen

    def _not_found(self, path: str, line: Line, file: str) -> tuple[str, Line, str]:
        if "://" in path:
            return "include-remote", line, f"{path} is not on this disk"
        if self.files.leads_out(path, page=file):
            return "include-outside", line, f"{path} leads out of the source"
        return "include-missing", line, f"{path} is not in the source"

    def _numbered(self, target: str) -> tuple[Numbered, int]:
        """Return the lines of a file and its length; each is read once for a page."""
        if target not in self._read_before:
            text = self.files.tree.read_text(target).replace(SOFT_BREAK, "")
            self._read_before[target] = (slicing.numbered(text), len(text))
        return self._read_before[target]

    def _find(self, wanted: Include, file: str) -> str | None:
        """Return the file that is meant: as the file that asks for it sees it, else as the page."""
        for page in dict.fromkeys((file, self.page)):
            found = self.files.find(
                wanted.path, page=page, configured_first=wanted.configured_first
            )
            if found is not None:
                return found
        return None

    def _note_once(self, kind: str, line: Line, message: str) -> None:
        """Note a limit of the page: it is said where it is reached first."""
        if all(note.kind != kind for note in self.notes):
            self._note(kind, line, message)

    def _note(self, kind: str, line: Line, message: str) -> None:
        self.notes.append(Note(kind=kind, place=f"{self.page}:{line.number}", message=message))


def _code_block(wanted: Include, info: str, line: Line, target: str, lines: Numbered) -> list[Line]:
    longest = max((len(m[0]) for _, text in lines for m in re.finditer(r"`{3,}", text)), default=2)
    mark = f"{wanted.indent}{'`' * (longest + 1)}"
    body = [_included(line, wanted.indent, target, one) for one in lines]
    return [line.with_text(f"{mark}{info}"), *body, line.with_text(mark)]


def _included(line: Line, indent: str, target: str, one: tuple[int, str]) -> Line:
    number, text = one
    return Line(f"{indent}{text}" if text else "", line.number, target, number)
