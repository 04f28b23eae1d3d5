from __future__ import annotations

import re
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.compression.compressed import RATIOS, SMALLEST, Level
from doctrove_server.compression.concepts import analysed
from doctrove_server.compression.distillation import importances, lossy, progressive, selective
from doctrove_server.compression.extractive import extract
from doctrove_server.compression.hierarchy import hierarchy
from doctrove_server.compression.queries import query_terms
from doctrove_server.compression.retention import retention
from doctrove_server.compression.selection import choose
from doctrove_server.compression.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Sequence

SHELF = Shelf()
COUNT = SHELF.counts.count


def in_order(parts: Sequence[str], text: str) -> bool:
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
    return True


@given(st.text("ab `~\n#->|:!*[]()<{\u4e2d1.", max_size=400), st.integers(0, 200))
def test_no_summary_is_above_its_budget(text: str, budget: int) -> None:
    for choice in (
        choose(analysed(text), budget=budget, count=COUNT),
        extract(analysed(text), budget=budget, count=COUNT),
    ):
        assert COUNT(choice.text) == choice.tokens <= budget


@pytest.mark.parametrize("budget", [20, 60, 100, 150, 250, 1000])
def test_a_summary_keeps_the_order_of_the_section(section: str, budget: int) -> None:
    analysis = analysed(section)
    choice = choose(analysis, budget=budget, count=COUNT)
    assert choice.tokens <= budget
    assert in_order([analysis.units[place].text for place in sorted(choice.places)], choice.text)


def test_a_summary_leaves_out_what_says_nothing_first(section: str) -> None:
    text = choose(analysed(section), budget=int(COUNT(section) * 0.7), count=COUNT).text
    assert "weather" not in text
    assert "see the guide" not in text
    assert "`port`: Where it listens, a number. Defaults to `8730`." in text
    assert "`PortInUse`" in text


def test_a_query_decides_what_a_summary_holds(section: str) -> None:
    def chosen(query: str) -> str:
        return choose(analysed(section), budget=40, count=COUNT, query=query_terms(query)).text

    assert "`PortInUse`" in chosen("error when port is taken")
    assert "`backoff`" in chosen("backoff")
    assert "SERVER_PORT" in chosen("environment variable")


def test_a_summary_tells_in_phrases_what_it_leaves_out(story: str) -> None:
    choice = extract(analysed(story), budget=150, count=COUNT)
    assert choice.tokens <= 150
    said, _, told = choice.text.partition("\n\nAlso: ")
    phrases = told.split("; ")
    assert len(phrases) >= 2
    assert not any(phrase in said for phrase in phrases)
    assert all(
        re.fullmatch(
            r"(?:has \d+ parts and )?function `build_\d+\(\)` returns `\d+`"
            r"|Chapter \d+ tells how `module_\d+` was made",
            one,
        )
        for one in phrases
    )


def test_sentences_are_told_in_few_words_only_where_little_is_left(section: str) -> None:
    analysis = analysed(section)
    short = extract(analysis, budget=COUNT(section) // 5, count=COUNT).text
    long = extract(analysis, budget=COUNT(section) // 2, count=COUNT).text
    assert " the " not in short
    assert " the " in long


@pytest.mark.parametrize("level", get_args(Level))
def test_a_level_is_within_its_share_of_the_tokens(section: str, level: Level) -> None:
    made = lossy(section, level, shelf=SHELF, ref="here")
    assert made.tokens == COUNT(made.text) <= RATIOS[level] * made.original_tokens
    assert (made.ref, made.level, made.original_tokens) == ("here", level, COUNT(section))
    assert made.ratio == round(made.tokens / made.original_tokens, 4)
    assert made.retention == retention(analysed(section), made.text)


def test_more_tokens_keep_more(section: str) -> None:
    kept = [
        lossy(section, level, shelf=SHELF).retention for level in ("high", "medium", "low", "none")
    ]
    assert kept == sorted(kept)
    assert kept[0] < kept[-1] == 1.0


@pytest.mark.parametrize("target", [30, 80, 150, 10_000])
def test_progressive_distillation_ends_within_its_target(section: str, target: int) -> None:
    made = progressive(section, target, shelf=SHELF)
    assert made.tokens == COUNT(made.text) <= max(target, 0)
    assert (made.text == section) == (target >= COUNT(section))


def test_selective_distillation_keeps_what_is_important_enough(section: str) -> None:
    counts = [len(selective(section, shelf=SHELF, threshold=t).text) for t in (0.0, 0.5, 0.9, 1.0)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] > 0
    analysis = analysed(section)
    assert all(0 <= score <= 1 for score in importances(analysis))
    kept = selective(section, shelf=SHELF, threshold=0.5).text
    for unit, score in zip(analysis.units, importances(analysis), strict=True):
        assert (unit.text in kept) == (score >= 0.5) or unit.kind == "heading"


def test_each_level_of_a_hierarchy_is_a_share_of_the_one_above(story: str) -> None:
    levels = hierarchy(story, shelf=SHELF, ref="story")
    assert [level.level for level in levels] == ["level-1", "level-2", "level-3"]
    above = COUNT(story)
    for level, ratio in zip(levels, (0.5, 0.4, 0.25), strict=True):
        assert 0 < level.tokens == COUNT(level.text) <= above * ratio
        assert level.original_tokens == COUNT(story)
        above = level.tokens


def test_a_hierarchy_has_the_levels_and_ratios_that_are_asked_for(story: str) -> None:
    levels = hierarchy(story, shelf=SHELF, levels=2, ratios=(0.3, 0.5, 0.5))
    assert len(levels) == 2
    assert levels[0].ratio <= 0.3


def test_nothing_below_the_smallest_size_is_compressed() -> None:
    small = "`a` is `1`. `b` is `2`."
    assert COUNT(small) < SMALLEST
    assert lossy(small, "high", shelf=SHELF).text == small
    assert selective(small, shelf=SHELF, threshold=1.0).text == small
    assert hierarchy(small, shelf=SHELF) == ()


def test_levels_of_real_sections_are_within_their_targets(real_sections: tuple[str, ...]) -> None:
    for text in real_sections[::3]:
        above = COUNT(text)
        for level, ratio in zip(hierarchy(text, shelf=SHELF), (0.5, 0.4, 0.25), strict=False):
            assert level.tokens <= above * ratio
            above = level.tokens


def test_a_shelf_cuts_a_text_once_and_forgets_the_oldest() -> None:
    shelf = Shelf(SHELF.counts, largest=4_000)
    first = shelf.prepared("first text " * 10)
    assert shelf.prepared("first text " * 10) is first
    shelf.prepared("second text " * 10)
    assert shelf.prepared("first text " * 10) is not first
    stats = shelf.stats
    assert (stats.hits, stats.misses, stats.size) == (1, 3, 1)
    assert stats.characters <= 4_000
