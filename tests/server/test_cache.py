"""The cache: lifetimes, order of last use, statistics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.sources.cache import CacheStats, TtlCache


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_value_lives_for_its_time(clock: Clock) -> None:
    cache: TtlCache[str] = TtlCache(ttl=10, clock=clock)
    cache.put("a", "x")
    clock.now = 9.9
    assert cache.get("a") == "x"
    clock.now = 10
    assert cache.get("a") is None
    assert cache.stats == CacheStats(size=0, hits=1, misses=1, evictions=0)


def test_writing_again_renews_value_and_lifetime(clock: Clock) -> None:
    cache: TtlCache[str] = TtlCache(ttl=10, clock=clock)
    cache.put("a", "x")
    clock.now = 9
    cache.put("a", "y")
    clock.now = 18
    assert cache.get("a") == "y"


def test_the_least_recently_used_leaves_first(clock: Clock) -> None:
    cache: TtlCache[int] = TtlCache(ttl=10, clock=clock, max_entries=2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)
    assert cache.stats.evictions == 1


def test_writing_makes_a_key_the_last_used_without_counting_twice(clock: Clock) -> None:
    cache: TtlCache[int] = TtlCache(ttl=10, clock=clock, max_entries=2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)
    assert (cache.get("a"), cache.get("b")) == (3, None)
    assert cache.stats.size == 2


def test_without_a_lifetime_nothing_is_kept_or_counted(clock: Clock) -> None:
    cache: TtlCache[int] = TtlCache(ttl=0, clock=clock)
    cache.put("a", 1)
    assert cache.get("a") is None
    assert not cache.keeps
    assert cache.stats == CacheStats(size=0, hits=0, misses=0, evictions=0)


def test_without_room_a_write_is_an_eviction(clock: Clock) -> None:
    cache: TtlCache[int] = TtlCache(ttl=10, clock=clock, max_entries=0)
    cache.put("a", 1)
    assert cache.get("a") is None
    assert cache.stats.evictions == 1


@given(st.lists(st.tuples(st.sampled_from("gp"), st.integers(0, 5), st.floats(0, 4)), max_size=40))
def test_it_never_holds_too_much_nor_gives_what_is_too_old(
    steps: list[tuple[str, int, float]],
) -> None:
    clock = Clock()
    cache: TtlCache[float] = TtlCache(ttl=5, clock=clock, max_entries=3)
    for what, key, wait in steps:
        clock.now += wait
        if what == "p":
            cache.put(key, clock.now)
        elif (written := cache.get(key)) is not None:
            assert clock.now - written < 5
        assert cache.stats.size <= 3
