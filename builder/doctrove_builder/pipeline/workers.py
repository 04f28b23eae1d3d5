"""Do many alike things, in this process or in others, in an order that does not depend on which."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from concurrent.futures import Executor

CHUNK = 32
"""Things that travel to a worker together."""

WORTHWHILE = 96
"""Fewer things than this are done here: starting workers would take longer."""

_In = TypeVar("_In")
_Out = TypeVar("_Out")


@contextlib.contextmanager
def worker_processes(count: int) -> Generator[Executor | None]:
    """Give so many worker processes, which start when they are first needed; none for one.

    Ctrl C is for the process that they work for.
    """
    if count == 1:
        yield None
        return
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    context.set_forkserver_preload(["doctrove_builder.pipeline.rendering"])
    executor = ProcessPoolExecutor(
        max_workers=count,
        mp_context=context,
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),
    )
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


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
