"""Do many alike things, in this process or in others, in an order that does not depend on which."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor

CHUNK = 32
"""Things that travel to a worker together."""

WORTHWHILE = 96
"""Fewer things than this are done here: starting workers would take longer."""

_In = TypeVar("_In")
_Out = TypeVar("_Out")


def in_chunks(
    function: Callable[[Sequence[_In]], Sequence[_Out]],
    things: Sequence[_In],
    *,
    executor: Executor | None,
) -> Iterator[Sequence[_Out]]:
    """Apply `function` to chunks of `things` and yield its results in their order.

    With an executor the function and the things are pickled; any `concurrent.futures.Executor`
    serves, a cluster's too.
    """
    chunks = [things[start : start + CHUNK] for start in range(0, len(things), CHUNK)]
    if executor is None or len(things) < WORTHWHILE:
        return map(function, chunks)
    return executor.map(function, chunks)
