"""Calls side by side: how many, in which order, and what is left when their user leaves."""

from __future__ import annotations

import threading
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_builder.importing.lockfiles.ahead import ahead


def test_as_many_calls_run_at_once_as_are_allowed() -> None:
    met = threading.Barrier(3)  # falls only when three calls are there together
    results = [future.result() for future in ahead([met.wait] * 9, at_once=3)]
    assert sorted(results) == [0, 0, 0, 1, 1, 1, 2, 2, 2]


@given(count=st.integers(0, 40), at_once=st.integers(1, 5), failing=st.sets(st.integers(0, 39)))
def test_results_come_in_order_and_never_more_than_allowed_wait_for_their_user(
    count: int, at_once: int, failing: set[int]
) -> None:
    begun: list[int] = []

    def call(number: int) -> int:
        begun.append(number)
        if number in failing:
            raise ValueError(number)
        return number

    calls = [partial(call, number) for number in range(count)]
    for number, future in enumerate(ahead(calls, at_once=at_once)):
        assert len(begun) <= number + at_once
        if number in failing:
            with pytest.raises(ValueError, match=str(number)):
                future.result()
        else:
            assert future.result() == number
    assert sorted(begun) == list(range(count))


def test_who_leaves_early_begins_no_further_call_and_waits_for_none() -> None:
    begun: list[int] = []
    reached, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def call(number: int) -> int:
        begun.append(number)
        if number == 2:
            reached.set()
            go_on.wait()
            ended.set()
        return number

    results = ahead([partial(call, number) for number in range(9)], at_once=2)
    assert next(results).result() == 0
    assert next(results).result() == 1
    reached.wait()
    results.close()  # while the third call is running
    go_on.set()
    ended.wait()
    assert set(begun) <= {0, 1, 2, 3}
