"""Code blocks cut at blank lines between statements, so that what is shown of one stays whole."""

from __future__ import annotations

import re

SMALLEST_CUT = 12
"""Lines below which a block is kept or left out whole."""

_HASH = "python py pycon sh bash shell zsh console yaml yml toml ruby rb r ini"
_SLASHES = """
js javascript ts typescript jsx tsx mjs cjs mts json5 jsonc c cpp cs java go rust rs swift kotlin kt
php scss less dart
"""
_COMMENTS = {
    **dict.fromkeys(_HASH.split(), "# ..."),
    **dict.fromkeys(_SLASHES.split(), "// ..."),
    **dict.fromkeys(("html", "xml", "vue", "svg"), "<!-- ... -->"),
    "sql": "-- ...",
    "lua": "-- ...",
    "css": "/* ... */",
}
_STRINGS = re.compile(
    r"\"\"\"|'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`|#[^\n]*|//[^\n]*|[()\[\]{}]"
)
_DECLARES = re.compile(
    r"\s*(?:export\s+|declare\s+|public\s+|static\s+|async\s+|default\s+)*"
    r"(?:def|class|function|type|interface|enum|fn|func|const\s+\w+\s*:|abstract)\b|\s*[\w.$]+\s*\([^=]*\)"
    r"\s*(?:->|:)\s*\S+|\s*@[\w.]+\("
)
_SHELLS = frozenset(("sh", "bash", "shell", "console", "zsh", "text", "txt", "output", "pycon"))


def cut_code(code: str) -> list[str]:
    """Return the parts of a block, each of whole statements; one when it is small or one piece.

    A part begins with the blank lines before it, so that neighbours together are the original.
    """
    lines = code.split("\n")
    if len(lines) < SMALLEST_CUT:
        return [code]
    parts: list[list[str]] = [[]]
    blank: list[str] = []
    open_marks = _Open()
    for number, line in enumerate(lines):
        starts = number > 0 and not lines[number - 1].strip() and line[:1].strip()
        if starts and line[0] not in ")]}" and open_marks.none:
            parts.append([])
        if not line.strip():
            blank.append("")
            continue
        parts[-1] += [*blank, line]
        blank = []
        open_marks.read(line)
    return ["\n".join(part) for part in parts] if open_marks.none else [code]


def gap_marker(language: str) -> str:
    """Return the line that says that statements were left out."""
    return _COMMENTS.get(language, "...")


def is_signature(code: str, language: str) -> bool:
    """Tell whether a short block declares something."""
    lines = [line for line in code.split("\n") if line.strip()]
    if not lines or language in _SHELLS:
        return False
    if len(lines) > 3:
        return bool(re.match(r"\s*(?:export\s+|declare\s+)*(?:interface|type|enum)\b", lines[0]))
    return _DECLARES.match(lines[0]) is not None


class _Open:
    """Brackets, long strings and templates that are open after the lines read so far."""

    def __init__(self) -> None:
        self._depth = 0
        self._string = ""

    @property
    def none(self) -> bool:
        return not self._depth and not self._string

    def read(self, line: str) -> None:
        for mark in _STRINGS.findall(line):
            if self._string:
                if mark == self._string:
                    self._string = ""
            elif mark in ('"""', "'''", "`"):
                self._string = mark
            elif mark in "([{":
                self._depth += 1
            elif mark in ")]}":
                self._depth = max(0, self._depth - 1)
