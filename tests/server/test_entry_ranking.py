"""Which entries a query finds and how they score: golden values, tiers, and laws."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_schema.model import Entry, Volume
from doctrove_server.ranking.entries import EntryMaps, ranked_entries
from doctrove_server.ranking.places import four_places
from doctrove_server.ranking.words import ends_word, folded, words


def entry(library: str, name: str = "", **fields: Any) -> Entry:
    volumes = {"1.0.0": Volume(sections=())}
    return Entry(
        id=library, name=name or library.title(), versions=("1.0.0",), volumes=volumes, **fields
    )


EXPRESS = entry(
    "express",
    "Express",
    aliases=("expressjs",),
    popularity=1200,
    summary="Node.js web framework",
)


@pytest.mark.parametrize(
    ("query", "score", "match"),
    [
        ("Express", 1, "exact name match"),
        (" EXPRESS ", 1, "exact name match"),
        ("expressjs", 0.9515, "exact alias match"),
        ("expr", 0.9031, "name prefix match"),
        ("e", 0.9031, "name prefix match"),
        ("expressj", 0.8546, "alias prefix match"),
        ("expressjs-foo", 0.8546, "alias prefix match"),
        ("express foo", 0.7238, "name token hit 1/2"),
        ("web express app", 0.6866, "name token hit 1/3"),
        ("node web", 0.5154, "summary token hit 2/2"),
        ("node zzz", 0.4185, "summary token hit 1/2"),
    ],
)
def test_the_golden_scores_hold(query: str, score: float, match: str) -> None:
    (hit,) = ranked_entries(EntryMaps([EXPRESS]), query)
    assert (hit.score, hit.match) == (score, match)


@pytest.mark.parametrize("query", ["expressexpress", "expressjsfoo", "zzz", "", "   ", "!!!"])
def test_what_matches_nothing_finds_nothing(query: str) -> None:
    assert ranked_entries(EntryMaps([EXPRESS]), query) == ()


@pytest.mark.parametrize(
    ("popularity", "score"),
    [
        (0, 0.9),
        (0.5, 0.9),
        (1, 0.9),
        (-5, 0.9),
        (math.inf, 0.9),
        (10, 0.901),
        (1000, 0.903),
        (1e9, 0.909),
        (1e10, 0.91),
        (1e300, 0.91),
    ],
)
def test_popularity_adds_a_share_of_the_headroom(popularity: float, score: float) -> None:
    (hit,) = ranked_entries(EntryMaps([entry("express", popularity=popularity)]), "expr")
    assert hit.score == score


def test_equal_scores_are_ordered_by_popularity_then_by_place() -> None:
    entries = [
        entry("a", "Tool", popularity=5),
        entry("b", "Tool", popularity=50),
        entry("c", "Tool", popularity=5),
    ]
    hits = ranked_entries(EntryMaps(entries), "tool")
    assert [hit.entry for hit in hits] == [1, 0, 2]
    assert {hit.score for hit in hits} == {1}


def test_a_short_alias_does_not_match_the_words_that_begin_with_it() -> None:
    entries = [entry("rlang", "R language", aliases=("r",)), entry("lodash", aliases=("_", ""))]
    assert ranked_entries(EntryMaps(entries), "reactive programming") == ()
    assert [h.entry for h in ranked_entries(EntryMaps(entries), "r packages")] == [0]
    assert [h.entry for h in ranked_entries(EntryMaps(entries), "_.chunk")] == [1]


def test_words_with_accents_and_of_other_scripts_are_found() -> None:
    entries = [entry("cafe", "Café", summary="Маршруты"), entry("riqi", "日期库")]
    assert [h.entry for h in ranked_entries(EntryMaps(entries), "CAFE\u0301 noir")] == [0]
    assert [h.entry for h in ranked_entries(EntryMaps(entries), "маршруты")] == [0]
    assert [h.entry for h in ranked_entries(EntryMaps(entries), "期")] == [1]


NAMES = st.text("abcé日_-. ", min_size=1, max_size=6).filter(str.strip)
ENTRIES = st.lists(
    st.builds(
        entry,
        NAMES,
        NAMES,
        aliases=st.lists(NAMES, max_size=2).map(tuple),
        summary=st.text("abc é日", max_size=10),
        popularity=st.sampled_from([0, 0.5, 1, 10, 1e4, 1e12]),
    ),
    max_size=5,
)
TIERS = {
    "exact name match": 1.0,
    "exact alias match": 0.95,
    "name prefix match": 0.90,
    "alias prefix match": 0.85,
}


@given(ENTRIES, NAMES)
def test_the_prepared_maps_score_like_the_rules_read_one_by_one(
    entries: list[Entry], query: str
) -> None:
    found = {hit.entry: hit.score for hit in ranked_entries(EntryMaps(entries), query)}
    plain = {n: s for n, e in enumerate(entries) if (s := plain_score(e, query)) > 0}
    assert found == plain


@given(ENTRIES, NAMES)
def test_popularity_never_inverts_the_tiers(entries: list[Entry], query: str) -> None:
    hits = ranked_entries(EntryMaps(entries), query)
    tiers = [TIERS.get(hit.match, 0.6 if hit.match.startswith("name") else 0.3) for hit in hits]
    assert tiers == sorted(tiers, reverse=True)
    assert all(0 < hit.score <= 1 for hit in hits)


def plain_score(e: Entry, query: str) -> float:
    """The seed's table, as it stands there."""
    q = folded(query.strip())
    names, aliases = [folded(e.name), folded(e.id)], [folded(a) for a in e.aliases]
    terms = words(query)
    in_name = sum(term in words(" ".join((e.name, e.id, *e.aliases))) for term in terms)
    in_summary = sum(term in words(e.summary) for term in terms)
    if q in names:
        raw = 1.0
    elif q in aliases:
        raw = 0.95
    elif any(name.startswith(q) for name in names):
        raw = 0.90
    elif any(a.startswith(q) or (q.startswith(a) and ends_word(q, len(a))) for a in aliases):
        raw = 0.85
    elif in_name:
        raw = 0.6 + 0.23 * in_name / len(terms)
    elif in_summary:
        raw = 0.3 + 0.2 * in_summary / len(terms)
    else:
        return 0
    boost = min(0.1, math.log10(e.popularity) / 100) if e.popularity >= 1 else 0
    return four_places(min(1.0, raw + (1 - raw) * boost))
