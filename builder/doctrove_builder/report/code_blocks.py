"""Code blocks in sources: where they are, and whether they can be parsed. Nothing is run."""

from __future__ import annotations

import ast
import json
import re
import tomllib
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import yaml

from doctrove_builder.report.brackets import unbalanced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LONGEST = 100_000
"""Characters; a longer block is left alone."""

DEEPEST = 100
"""Nested brackets; a deeper block is left alone."""

_FENCE = re.compile(r"^([ \t>]*)(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_NAMES = {
    "py": "python", "python3": "python", "pycon": "python", "yml": "yaml", "js": "javascript",
    "mjs": "javascript", "cjs": "javascript", "ts": "typescript", "sh": "shell", "bash": "shell",
    "console": "shell", "": "no language", "text": "text", "txt": "text",
}  # fmt: skip


class Block(NamedTuple):
    """One fenced code block."""

    line: int
    """Of its first fence, counted from the first line given, from 0."""

    language: str
    code: str


class Check(NamedTuple):
    """What parsing a block gave: `line` counts from its first line, from 1."""

    reason: str
    line: int


@lru_cache(maxsize=1 << 15)
def blocks_in(text: str) -> tuple[Block, ...]:
    """Return the fenced blocks of some lines of Markdown (CommonMark 0.31, section 4.5)."""
    return tuple(_each_block(text.split("\n")))


def method_of(language: str) -> str:
    """Return how blocks of a language are checked: `parsed`, `brackets` or `none`."""
    if language in _PARSERS:
        return "parsed"
    return "brackets" if language in _BY_BRACKETS else "none"


@lru_cache(maxsize=1 << 15)
def fault_of(language: str, code: str) -> Check | None:
    """Say why a block cannot be parsed; None when it can, or nothing here can tell."""
    if len(code) > LONGEST or _depth(code) > DEEPEST:
        return None
    if language in _BY_BRACKETS:
        found = unbalanced(code)
        return Check(*found) if found else None
    parser = _PARSERS.get(language)
    return parser(code) if parser else None


def _each_block(lines: Sequence[str]) -> Iterator[Block]:
    opened: tuple[int, str, str, str] | None = None
    code: list[str] = []
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if opened is None:
            if fence:
                opened = (number, fence[1], fence[2], _language(fence[3]))
                code = []
            continue
        start, indent, sign, language = opened
        if fence and fence[2].startswith(sign) and not fence[3].strip():
            yield Block(start, language, "\n".join(code))
            opened = None
        else:
            code.append(line.removeprefix(indent))


def _language(info: str) -> str:
    word = re.split(r"[\s,{]", info.strip(), maxsplit=1)[0].lower()
    return _NAMES.get(word, word)


def _depth(code: str) -> int:
    """Return how deep brackets nest at most, strings and comments included."""
    deepest = depth = 0
    for sign in code:
        if sign in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in ")]}":
            depth -= 1
    return deepest


def _python(code: str) -> Check | None:
    if ">>> " in code:
        kept = [line[4:] if line[:4] in {">>> ", "... "} else "" for line in code.split("\n")]
        code = "\n".join(kept)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except SyntaxError as error:
        return Check(error.msg, error.lineno or 1)
    except (ValueError, RecursionError, MemoryError) as error:
        deep = isinstance(error, RecursionError | MemoryError)
        return Check("it is nested too deeply" if deep else str(error), 1)
    return None


def _json(code: str) -> Check | None:
    try:
        json.loads(code)
    except json.JSONDecodeError as error:
        return Check(error.msg, error.lineno)
    except (ValueError, RecursionError):
        return Check("it is nested too deeply or holds too large a number", 1)
    return None


def _yaml(code: str) -> Check | None:
    try:
        for _ in yaml.parse(code, Loader=yaml.CSafeLoader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = min(mark.line, code.rstrip("\n").count("\n")) + 1 if mark else 1
        return Check(error.problem or "it is no YAML", line)
    except yaml.YAMLError as error:
        return Check(str(error), 1)
    return None


def _toml(code: str) -> Check | None:
    try:
        tomllib.loads(code)
    except RecursionError:
        return Check("it is nested too deeply", 1)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        return Check(str(error), int(found[1]) if found else code.count("\n") + 1)
    return None


_PARSERS: dict[str, Callable[[str], Check | None]] = {
    "json": _json,
    "python": _python,
    "toml": _toml,
    "yaml": _yaml,
}
_BY_BRACKETS = frozenset(["javascript", "jsx", "tsx", "typescript"])
