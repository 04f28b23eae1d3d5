"""Directives that show code: written in place, or taken from lines of a file of the source."""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from typing import TYPE_CHECKING

from doctrove_builder.importing.restructured.directive import Own, code_block
from doctrove_builder.importing.source_tree import resolve_path

if TYPE_CHECKING:
    from docutils import nodes
    from docutils.parsers.rst import Directive

    from doctrove_builder.importing.restructured.marks import Loose

_GUESSED = frozenset({"", "default", "guess"})
_LANGUAGES = {
    "doctest": "pycon",
    "testcode": "python",
    "testoutput": "text",
    "ipython": "ipython",
    "prompt": "console",
    "click:example": "python",
    "click:run": "python",
    "sourcecode": "",
    "code-block": "",
    "code": "",
    "parsed-literal": "text",
    "jupyter-execute": "python",
    "plot": "python",
    "command-output": "",
    "productionlist": "text",
    "grammar-snippet": "text",
}
_OF_SUFFIX = {
    "py": "python", "pyi": "python", "rst": "rst", "md": "markdown", "toml": "toml", "c": "c",
    "yml": "yaml", "yaml": "yaml", "json": "json", "ini": "ini", "cfg": "ini", "sh": "bash",
    "js": "javascript", "ts": "typescript", "html": "html", "css": "css", "h": "c", "cpp": "cpp",
}  # fmt: skip
_STATEMENTS = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Assign, ast.AnnAssign, ast.With, ast.For, ast.While, ast.If, ast.Try, ast.Return),
)
_GUESS_LIMIT = 20_000


class Code(Own):
    """Code written in place."""

    def run(self) -> list[nodes.Node]:
        """Return the code in its language."""
        language = _LANGUAGES.get(self.name, "")
        text = self.text()
        if not language:
            language = self.argument or self.option("language")
            if language.lower() in _GUESSED:
                language = guessed_language(text, self.session.highlight)
        if not text and self.argument and self.name in _LANGUAGES and _LANGUAGES[self.name]:
            text = self.argument
        if language.lower() == "none":
            language = ""
        if "dedent" in self.options:
            text = textwrap.dedent(text)
        return [code_block(text, language, title=self.option("caption"))]


class Highlight(Own):
    """Sets the language of literal blocks that follow."""

    def run(self) -> list[nodes.Node]:
        """Remember the language."""
        self.session.highlight = self.argument or "default"
        return []


class LiteralInclude(Own):
    """Code taken from a file of the source, inside it only."""

    def run(self) -> list[nodes.Node]:
        """Return the lines that the options name."""
        file, line = self.place()
        path = from_document(self.argument, file)
        text = self.session.read_file(path) if path else None
        if path is None or text is None:
            self.session.note("include-missing", line, f"{self.argument} is not in the source")
            return []
        lines, first = self._chosen(text.expandtabs(8).split("\n"))
        if lines and not lines[-1]:
            lines = lines[:-1]
        chosen = "\n".join(lines)
        if "dedent" in self.options:
            columns = self.option("dedent")
            chosen = (
                "\n".join(one[int(columns) :] for one in lines)
                if columns.isdecimal() and len(columns) < 4
                else textwrap.dedent(chosen)
            )
        suffix = path.rpartition(".")[2].lower()
        language = self.option("language") or _OF_SUFFIX.get(suffix, "")
        block: Loose = code_block(chosen, language, title=self.option("caption"))
        block["at"] = line
        block["included"] = (path, first, first + max(0, len(lines) - 1))
        return [block]

    def _chosen(self, lines: list[str]) -> tuple[list[str], int]:
        """Return lines and the number of their first one."""
        if name := self.option("pyobject"):
            first, last = _object_lines("\n".join(lines), name)
            return lines[first - 1 : last], first
        if spec := self.option("lines"):
            picked = picked_lines(spec, len(lines))
            return [lines[at - 1] for at in picked], picked[0] if picked else 1
        start, end = 0, len(lines)
        for name, after in (("start-at", 0), ("start-after", 1)):
            if mark := self.option(name):
                found = [at for at, line in enumerate(lines) if mark in line]
                start = found[0] + after if found else start
        for name, after in (("end-at", 1), ("end-before", 0)):
            if mark := self.option(name):
                found = [at for at in range(start, len(lines)) if mark in lines[at]]
                end = found[0] + after if found else end
        return lines[start:end], start + 1


CODE: dict[str, type[Directive]] = {
    **dict.fromkeys(_LANGUAGES, Code),
    "highlight": Highlight,
    "literalinclude": LiteralInclude,
}


def guessed_language(text: str, default: str) -> str:
    """Return the language of a block without one: Python where it parses, as Sphinx does."""
    if text.lstrip().startswith(">>> "):
        return "pycon"
    if default.lower() not in _GUESSED:
        return "" if default.lower() in {"none", "text"} else default
    if re.match(r"\s*[$#%>] \S", text):
        return "console"
    if len(text) > _GUESS_LIMIT:
        return ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(textwrap.dedent(text)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    tells = any(
        isinstance(one, _STATEMENTS)
        or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Call | ast.Await))
        for one in body
    )
    return "python" if tells else ""


def picked_lines(spec: str, count: int) -> list[int]:
    """Return the line numbers that `1,3,5-10,20-` names, of so many lines."""
    picked: list[int] = []
    for part in spec.split(","):
        if found := re.fullmatch(r"\s*(\d{0,9})\s*(-?)\s*(\d{0,9})\s*", part):
            first = int(found[1] or 1)
            last = int(found[3] or count) if found[2] else first
            if found[1] or found[2]:
                picked += range(max(1, first), min(last, count) + 1)
        if len(picked) > count * 2:
            break
    return picked


def from_document(path: str, file: str) -> str | None:
    """Return a path as written in a document; `/` begins at the source's root."""
    if path.startswith("/"):
        return resolve_path(path.lstrip("/"))
    return resolve_path(path, folder=file.rpartition("/")[0])


def _object_lines(text: str, name: str) -> tuple[int, int]:
    """Return the lines of a class or function; an empty range when it is not there."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body: list[ast.stmt] = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 1, 0
    found = None
    for part in name.split("."):
        found = next((one for one in body if getattr(one, "name", "") == part), None)
        if not isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return 1, 0
        body = found.body
    if not isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return 1, 0
    first = min([found.lineno, *(one.lineno for one in found.decorator_list)])
    return first, found.end_lineno or first
