"""Laws that hold for every section of real documentation; a sample of them in the default run."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from doctrove_server.compression.extractive import extract
from doctrove_server.compression.packing import DETAILS, Candidate, pack
from doctrove_server.compression.queries import query_terms
from doctrove_server.compression.selection import choose
from doctrove_server.compression.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Sequence

SHARED = Path(__file__).parents[3] / "shared" / "corpora"
SHELF = Shelf()
COUNT = SHELF.counts.count
MARKDOWN = MarkdownIt("commonmark")
SHARES = (0.02, 0.1, 0.2, 0.35, 0.5, 0.8)
BUDGETS = (100, 150, 400, 1_500, 6_000, 20_000)
QUERIES = ("", "default option", "raise an error", "zzz", "`x` | # ```", "\u8a2d\u5b9a how to")
SAMPLED = 29
_HEADING = re.compile(r"^(?=##? )", re.MULTILINE)
_GAP = re.compile(r"(?:#|//|--|/\*|<!--)? ?\.\.\.(?: ?(?:\*/|-->))?")


def sections() -> list[str]:
    files = sorted((*SHARED.rglob("*.md"), *SHARED.rglob("*.mdx"), *SHARED.rglob("*.rst")))
    return [part for file in files for part in _HEADING.split(file.read_text("utf-8")) if part]


@pytest.fixture(scope="module", params=["sampled", pytest.param("whole", marks=pytest.mark.slow)])
def texts(request: pytest.FixtureRequest) -> Sequence[str]:
    if not SHARED.is_dir():
        pytest.skip("shared material is not here")
    return sections()[:: SAMPLED if request.param == "sampled" else 1]


def bare(text: str) -> str:
    """Return the lines of a text that hold something, without indents and signs of quotes."""
    stripped = (line.lstrip("> \t").rstrip() for line in text.split("\n"))
    return "\n".join(line for line in stripped if line)


def strange_code(text: str, original: str) -> list[str]:
    """Return what stands in a text's fences between two markers and not in the original.

    What is indented within the templates of a page made of components is no code, but looks so.
    """
    if "<template #" in original:
        return []
    whole = f"\n{bare(original)}\n"
    found: list[str] = []
    for token in MARKDOWN.parse(text):
        if token.type == "fence":
            run: list[str] = []
            for line in [*bare(token.content).split("\n"), "..."]:
                if not _GAP.fullmatch(line):
                    run.append(line)
                    continue
                if run and "\n{}\n".format("\n".join(run)) not in whole:
                    found.append("\n".join(run))
                run = []
    return found


def open_fences(text: str) -> list[str]:
    """Return the fences that nothing ends."""
    lines = text.split("\n")
    return [
        token.content
        for token in MARKDOWN.parse(text)
        if token.type == "fence"
        and token.map
        and not re.fullmatch(rf"\s*{token.markup}`*", lines[token.map[1] - 1])
    ]


def test_a_summary_is_within_its_budget_and_its_code_is_the_sections(texts: Sequence[str]) -> None:
    for text in texts:
        prepared = SHELF.prepared(text)
        for share in SHARES:
            budget = int(prepared.tokens * share)
            made = extract(prepared.analysis, budget=budget, count=COUNT, costs=prepared.costs)
            assert COUNT(made.text) == made.tokens <= budget
            assert strange_code(made.text, text) == []
            assert open_fences(made.text) == []


def test_a_choice_for_a_query_is_within_its_budget(texts: Sequence[str]) -> None:
    for number, text in enumerate(texts):
        prepared = SHELF.prepared(text)
        query = QUERIES[number % len(QUERIES)]
        budget = int(prepared.tokens * SHARES[number % len(SHARES)])
        made = choose(
            prepared.analysis,
            budget=budget,
            count=COUNT,
            costs=prepared.costs,
            query=query_terms(query),
        )
        assert COUNT(made.text) == made.tokens <= budget
        assert strange_code(made.text, text) == []


def test_no_pack_is_above_its_budget(texts: Sequence[str]) -> None:
    lots = random.Random(7)
    for start in range(0, len(texts), 8):
        candidates = [Candidate("Heading", text) for text in texts[start : start + 8]]
        for detail in DETAILS:
            room = lots.choice((*BUDGETS, lots.randint(100, 20_000)))
            packed = pack(
                candidates, query=lots.choice(QUERIES), room=room, detail=detail, shelf=SHELF
            )
            spent = sum(COUNT(one.text) + candidates[one.place].price for one in packed)
            assert spent <= room
