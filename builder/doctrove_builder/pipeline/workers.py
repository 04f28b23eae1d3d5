"""Do many alike things, in this process or in others, in an order that does not depend on which."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
import warnings
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from doctrove_builder.pipeline.errors import WorkersLost
from doctrove_builder.pipeline.silent_tracker import silence_tracker

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from concurrent.futures import Future

CHUNK = 32
"""Things that travel to a worker together."""

WORTHWHILE = 96
"""Fewer things than this are done here: starting workers would take longer."""

TICK = 0.02
"""Seconds between two looks whether what others do is still wanted."""

ATTEMPTS = 3
"""So often are workers sent the same things when they are killed over them."""

_In = TypeVar("_In")
_Out = TypeVar("_Out")
_P = ParamSpec("_P")


class Workers(Executor):
    """Worker processes that start when they are first needed, and anew when one was killed."""

    def __init__(self, count: int, *, lost: Callable[[], None]) -> None:
        """`lost` is called each time that they start anew."""
        # Python starts it again when someone killed it, and nothing is lost.
        warnings.filterwarnings("ignore", "resource_tracker", UserWarning)
        silence_tracker()
        self._count = count
        self._lost = lost
        self._pool = _pool(count)
        self._others = set(multiprocessing.active_children())

    def submit(
        self, fn: Callable[_P, _Out], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_Out]:
        """Have one thing done."""
        try:
            return self._submitted(fn, *args, **kwargs)
        except BrokenExecutor:
            self._pool.shutdown()
            self._pool = _pool(self._count)
            self._lost()
            return self._submitted(fn, *args, **kwargs)

    def _submitted(
        self, fn: Callable[_P, _Out], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_Out]:
        try:
            with _interrupts_held():
                return self._pool.submit(fn, *args, **kwargs)
        except (ConnectionError, EOFError) as error:  # what starts the workers was killed
            raise BrokenProcessPool from error

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers when they have done what they were given."""
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)

    def kill(self) -> None:
        """End the workers at once: what they do is not wanted any more."""
        for child in multiprocessing.active_children():
            if child not in self._others:
                child.kill()
        self.shutdown(cancel_futures=True)


@contextlib.contextmanager
def worker_processes(
    count: int, *, lost: Callable[[], None] = lambda: None
) -> Generator[Executor | None]:
    """Give so many worker processes, see `Workers`; none for one.

    Ctrl C is for the process that they work for. Whatever is raised here ends them at once.
    """
    if count == 1:
        yield None
        return
    executor = Workers(count, lost=lost)
    try:
        yield executor
    except BaseException:
        executor.kill()
        raise
    executor.shutdown()


def in_chunks(
    function: Callable[[Sequence[_In]], Sequence[_Out]],
    things: Sequence[_In],
    *,
    executor: Executor | None,
    tick: Callable[[], None] = lambda: None,
) -> Iterator[Sequence[_Out]]:
    """Apply `function` to chunks of `things` and yield its results in their order.

    With an executor the function and the things are pickled; any `concurrent.futures.Executor`
    serves, a cluster's too. What a worker was killed over is sent again, if the executor takes it.
    While others work `tick` is called again and again; it may raise. Raises `WorkersLost` when
    workers are killed every time.
    """
    chunks = [things[start : start + CHUNK] for start in range(0, len(things), CHUNK)]
    if executor is None or len(things) < WORTHWHILE:
        return map(function, chunks)
    return _sent(function, chunks, executor, tick)


def _sent(
    function: Callable[[Sequence[_In]], Sequence[_Out]],
    chunks: Sequence[Sequence[_In]],
    executor: Executor,
    tick: Callable[[], None],
) -> Iterator[Sequence[_Out]]:
    done = 0
    for _ in range(ATTEMPTS):
        tick()
        futures: list[Future[Sequence[_Out]]] = []
        try:
            with contextlib.suppress(BrokenExecutor):
                futures += [executor.submit(function, chunk) for chunk in chunks[done:]]
                for future in futures:
                    result = _awaited(future, tick)
                    done += 1
                    yield result
                return
        finally:
            for future in futures:
                future.cancel()
    raise WorkersLost(
        f"worker processes were killed {ATTEMPTS} times over the same work",
        hint="where memory is short, `--jobs 1` works with less",
    )


def _awaited(future: Future[_Out], tick: Callable[[], None]) -> _Out:
    while not wait([future], timeout=TICK).done:
        tick()
    return future.result()


@contextlib.contextmanager
def _interrupts_held() -> Generator[None]:
    """Let Ctrl C reach no process that starts meanwhile.

    The terminal signals every process in it, and a fork server ignores that only when it has
    imported what workers need; a signal that is blocked when a process starts stays blocked in it.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # to start it in the midst would end the block
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _pool(count: int) -> ProcessPoolExecutor:
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    context.set_forkserver_preload(["doctrove_builder.pipeline.rendering"])
    return ProcessPoolExecutor(
        max_workers=count,
        mp_context=context,
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),
    )
