"""Texts to measure the token estimate on, and the true tokenizer to measure it against."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_SUFFIXES = frozenset({".md", ".mdx", ".rst", ".py", ".js", ".ts", ".po"})
_TRANSLATION = re.compile(r'^msgstr(?:\[\d\])? ((?:"(?:[^"\\]|\\.)*"\s*\n)+)', re.MULTILINE)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SHORTEST = 200


def counter() -> Callable[[str], int]:
    """Give the function that counts the tokens of a text in o200k_base.

    Raises `ImportError` when `rs-bpe` is not installed.
    """
    count: Callable[[str], int] = import_module("rs_bpe").openai.o200k_base().count
    return count


def read_texts(folder: Path) -> Iterator[str]:
    """Read every text below the folder, in path order; of translations what they translate to."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in _SUFFIXES and path.is_file():
            text = path.read_text("utf-8")
            yield _translations(text) if path.suffix == ".po" else text


def sections(text: str, *, size: int = 1000) -> Iterator[str]:
    """Cut a text at the line ends after about `size` characters; a short rest is left out."""
    lines: list[str] = []
    length = 0
    for line in (*text.splitlines(keepends=True), ""):
        lines.append(line)
        length += len(line)
        if length >= size or not line:
            section = "".join(lines).strip()
            if len(section) >= _SHORTEST:
                yield section
            lines, length = [], 0


def _translations(text: str) -> str:
    found = ("".join(_QUOTED.findall(match[1])) for match in _TRANSLATION.finditer(text))
    return "\n".join(line.replace("\\n", "\n").replace('\\"', '"') for line in found if line)
