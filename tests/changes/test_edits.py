from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_builder.changes.edits import Run, edit_runs

WORDS = st.lists(st.sampled_from("abc"), max_size=24)


def replayed(old: list[str], new: list[str], most: int) -> tuple[list[str], list[str], int]:
    """Return both sequences as the runs tell of them, and how many are kept."""
    left: list[str] = []
    right: list[str] = []
    kept = 0
    for run in edit_runs(old, new, most=most):
        left += old[run.old]
        right += new[run.new]
        if run.same:
            assert old[run.old] == new[run.new]
            kept += len(old[run.old])
    return left, right, kept


def longest_common(old: list[str], new: list[str]) -> int:
    row = [0] * (len(new) + 1)
    for a in old:
        before = row[:]
        for at, b in enumerate(new, 1):
            row[at] = before[at - 1] + 1 if a == b else max(before[at], row[at - 1])
    return row[-1]


@given(WORDS, WORDS)
def test_runs_cover_both_sides_and_keep_as_much_as_can_be_kept(
    old: list[str], new: list[str]
) -> None:
    assert replayed(old, new, 100) == (old, new, longest_common(old, new))


@given(WORDS, WORDS, st.integers(0, 6))
def test_runs_cover_both_sides_when_the_edits_are_too_many(
    old: list[str], new: list[str], most: int
) -> None:
    left, right, _ = replayed(old, new, most)
    assert (left, right) == (old, new)


@given(WORDS)
def test_nothing_differs_from_itself(words: list[str]) -> None:
    runs = edit_runs(words, words, most=0)
    whole = slice(0, len(words))
    assert runs == ([Run(same=True, old=whole, new=whole)] if words else [])


@given(WORDS, WORDS)
def test_same_and_replaced_runs_alternate(old: list[str], new: list[str]) -> None:
    kinds = [run.same for run in edit_runs(old, new, most=8)]
    assert all(one != other for one, other in pairwise(kinds))


@pytest.mark.parametrize("size", [3_000, 6_000])
def test_the_steps_are_bounded_by_the_edits_that_are_looked_for(size: int) -> None:
    looked = 0

    class Word(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            nonlocal looked
            looked += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    old = [Word(f"a{n}") for n in range(size)]
    edit_runs(old, [Word(f"b{n}") for n in range(size)], most=50)
    assert 0 < looked < 51 * 51 + 2 * size
