"""The documentation as tests read it: its pages, and the code blocks in them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from doctrove_builder.markdown.fences import fence_info

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "authoring" / "doctrove" / "0.1.0"

Fence = tuple[str, str, str]
"""Language, title and text of a code block."""


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def pages() -> dict[str, str]:
    """The text of every page by its path in the volume."""
    return {
        file.relative_to(DOCS).as_posix(): file.read_text("utf-8")
        for file in sorted(DOCS.rglob("*.md"))
    }


@pytest.fixture(scope="session")
def fences_in() -> Callable[[str], list[Fence]]:
    return fences


@pytest.fixture
def below(pages: dict[str, str]) -> Callable[[str, str], str]:
    """A function that returns what stands below the heading with an anchor."""

    def found(page: str, anchor: str) -> str:
        _, marked, rest = pages[page].partition(f"{{#{anchor}}}\n")
        assert marked, f"{page} has no heading {anchor}"
        return rest.partition("\n## ")[0]

    return found


def fences(markdown: str) -> list[Fence]:
    """Return the code blocks of a text in order."""
    found: list[Fence] = []
    for token in MarkdownIt().parse(markdown):
        if token.type == "fence":
            info = fence_info(token.info)
            found.append((info.language, info.title, token.content))
    return found
