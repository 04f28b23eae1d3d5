"""The documentation and the questions that compression is measured on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDERS = {
    "fastapi": "fastapi/0.141.1/docs/en/docs",
    "zod": "zod/4.4.3/packages/docs/content",
    "vite": "vite/8.2.2/docs",
    "click": "click/8.5.0/docs",
    "httpx": "httpx/0.28.1/docs",
}
TUNED = ("fastapi", "zod")
"""Libraries that were looked at while the weights were chosen; the others were not."""

SETS = ("terms", "main", "detail")
"""Questions in the words of the documentation; in a reader's own words, what a section is chiefly
for; and in such words a detail that stands in one place."""

GROWN = 5_000
_UNLIKE_DOCUMENTATION = re.compile(
    r"blog|release|changes|people|licen[sc]e|team|external-links|sponsors"
)
_ARTICLE = re.compile(r"\b(?:the|an?) (?=[\w`\"'(])")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")


class Piece(msgspec.Struct, frozen=True):
    """A section of a page: a heading of level 2 and what stands below it."""

    library: str
    page: str
    text: str


class Question(msgspec.Struct, frozen=True):
    """A question with what its answer must hold; one of the answers is enough."""

    set: str
    library: str
    page: str
    question: str
    answers: tuple[str, ...]

    def answered_by(self, text: str) -> bool:
        """Tell whether one of the answers stands in a text."""
        shown = normal(text)
        return any(normal(answer) in shown for answer in self.answers)


def questions() -> tuple[Question, ...]:
    """Read the questions."""
    lines = Path(__file__).with_name("questions.jsonl").read_text("utf-8").splitlines()
    return tuple(msgspec.json.decode(line, type=Question) for line in lines)


def pieces(corpora: Path, library: str, *, grown: int = GROWN) -> tuple[Piece, ...]:
    """Read a library's sections."""
    root = corpora / FOLDERS[library]
    found: list[Piece] = []
    for file in sorted((*root.rglob("*.md"), *root.rglob("*.mdx"))):
        page = file.relative_to(root).with_suffix("").as_posix()
        if not _UNLIKE_DOCUMENTATION.search(page):
            found += (Piece(library, page, text) for text in _grown(file.read_text("utf-8"), grown))
    return tuple(found)


def _grown(text: str, least: int) -> Iterator[str]:
    """Yield sections, neighbours put together until they have `least` characters."""
    grown = ""
    for section in _sections(text):
        grown = f"{grown}\n{section}" if grown else section
        if len(grown) >= least:
            yield grown
            grown = ""
    if grown:
        yield grown


def normal(text: str) -> str:
    """Return a text without emphasis, articles, link targets, differences of blanks and case."""
    bare = " ".join(_LINK.sub(r"\1", text).replace("*", "").split()).lower()
    return _ARTICLE.sub("", bare)


def _sections(text: str) -> Iterator[str]:
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark:
            fence = "" if fence and line.strip().startswith(fence) else fence or mark[1]
        if re.match(r"##? ", line) and not fence and lines:
            yield "\n".join(lines)
            lines = []
        lines.append(line)
    yield "\n".join(lines)
