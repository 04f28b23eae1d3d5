from __future__ import annotations

import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.compression.aging import (
    DAY,
    AgeBucket,
    level_by_age,
    level_by_use,
    level_of,
    level_of_version,
)
from doctrove_server.compression.budgeting import Allocation, Shares, shares
from doctrove_server.compression.compressed import RATIOS, Level
from doctrove_server.compression.memory.versions import levels_by_version
from doctrove_server.compression.settings import CompressionSettings, read_settings

SEED = """
{"mcp": {"type": "compressed",
  "summarization": {"method": "hierarchical", "levels": 3, "compressionRatios": [0.5, 0.4, 0.25]},
  "keyValue": {"enabled": true, "maxFacts": 1000},
  "gistTokens": {"enabled": true, "tokensPerGist": 10, "maxGists": 100},
  "temporalCompression": {"enabled": true, "ageBuckets": [
    {"days": 1, "compressionLevel": "none"}, {"days": 7, "compressionLevel": "low"},
    {"days": 30, "compressionLevel": "medium"}, {"days": 999999, "compressionLevel": "high"}]},
  "tokenBudget": {"maxCompressedTokens": 2048,
    "allocation": {"temporal": 0.5, "keyValue": 0.3, "gist": 0.2}}}}
"""


@pytest.mark.parametrize(
    ("days", "level"),
    [
        (0, "none"),
        (0.99, "none"),
        (1, "low"),
        (6.9, "low"),
        (7, "medium"),
        (29, "medium"),
        (30, "high"),
        (10**7, "high"),
    ],
)
def test_older_is_shorter(days: float, level: Level) -> None:
    assert level_by_age(days * DAY) == level


@pytest.mark.parametrize(
    ("accesses", "level"), [(0, "high"), (3, "high"), (4, "medium"), (10, "medium"), (11, "low")]
)
def test_used_more_is_longer(accesses: int, level: Level) -> None:
    assert level_by_use(accesses) == level


@pytest.mark.parametrize(
    ("days", "accesses", "level"),
    [
        (0, 0, "none"),
        (3, 0, "low"),
        (10, 0, "medium"),
        (90, 0, "high"),
        (90, 4, "medium"),
        (90, 10, "medium"),
        (90, 11, "none"),
        (3, 5, "low"),
    ],
)
def test_age_shortens_and_use_keeps_whole(days: float, accesses: int, level: Level) -> None:
    assert level_of(days * DAY, accesses) == level


@pytest.mark.parametrize(
    ("days", "accesses", "version", "level"),
    [
        (0, 0, "low", "low"),
        (90, 0, "low", "high"),
        (0, 4, "high", "medium"),
        (0, 11, "high", "none"),
    ],
)
def test_the_shorter_of_age_and_version_counts_and_use_keeps_whole(
    days: float, accesses: int, version: Level, level: Level
) -> None:
    assert level_of(days * DAY, accesses, version=version) == level


@pytest.mark.parametrize(
    ("versions", "query", "levels"),
    [
        (["1.9.0", "1.10.0"], "", ["low", "none"]),
        (["1.10.0", "1.9.0", "2.0.0"], "", ["low", "medium", "none"]),
        (["1.9.0", "1.10.0"], "routes in 1.9.0", ["none", "low"]),
        (["1.0a1", "1.0.post1"], "", ["low", "none"]),
        (["spring", "autumn"], "", ["none", "low"]),
        (["1.0.0"], "", []),
    ],
    ids=["semver", "three", "named in the query", "pep440", "labels", "one"],
)
def test_of_a_section_in_several_versions_the_newest_is_whole(
    versions: list[str], query: str, levels: list[Level]
) -> None:
    keys = [f"doctrove://lib/{version}/guide%2Froutes" for version in versions]
    others = ["notes", "doctrove://other/1.0.0/guide%2Froutes", "doctrove://lib/0.1.0/other"]
    found = levels_by_version([*others, *keys], query)
    assert [found[key] for key in keys if key in found] == levels
    assert not set(others) & set(found)


def test_without_buckets_age_does_not_count() -> None:
    assert level_of(999 * DAY, 0, buckets=None) == "none"


def test_the_newest_version_is_whole_and_older_ones_are_shorter() -> None:
    ratios = [RATIOS[level_of_version(place)] for place in range(6)]
    assert ratios[0] == 1.0
    assert ratios == sorted(ratios, reverse=True)


@given(
    st.integers(0, 20_000),
    st.builds(
        Shares,
        temporal=st.integers(0, 30_000),
        key_value=st.integers(0, 3000),
        gist=st.integers(0, 3000),
    ),
    st.tuples(st.integers(0, 10), st.integers(0, 10), st.integers(0, 10)),
)
def test_shares_never_sum_above_the_budget_and_waste_nothing(
    budget: int, needs: Shares, parts: tuple[int, int, int]
) -> None:
    whole = max(1, sum(parts))
    allocation = Allocation(
        temporal=parts[0] / whole, key_value=parts[1] / whole, gist=parts[2] / whole
    )
    given = shares(budget, allocation, needs=needs)
    total = given.temporal + given.key_value + given.gist
    assert total == min(budget, needs.temporal + needs.key_value + needs.gist)
    assert given.temporal <= needs.temporal
    assert given.key_value <= needs.key_value
    assert given.gist <= needs.gist


def test_the_unused_share_of_one_part_flows_to_the_others() -> None:
    needs = Shares(temporal=5000, key_value=100, gist=0)
    assert shares(1000, Allocation(), needs=needs) == Shares(temporal=900, key_value=100, gist=0)
    needs = Shares(temporal=5000, key_value=5000, gist=5000)
    assert shares(1000, Allocation(), needs=needs) == Shares(temporal=500, key_value=300, gist=200)


def test_the_seeds_block_is_read_as_written_and_is_the_default() -> None:
    assert read_settings(json.loads(SEED)["mcp"]) == CompressionSettings()
    assert read_settings({"type": "compressed"}) == CompressionSettings()


def test_buckets_of_ones_own_are_used() -> None:
    buckets = (
        AgeBucket(days=2, compression_level="none"),
        AgeBucket(days=3, compression_level="high"),
    )
    assert [level_by_age(d * DAY, buckets) for d in (1, 2.5, 9)] == ["none", "high", "high"]
    assert set(get_args(Level)) == set(RATIOS)
