"""Calls that wait for others (the network), carried out side by side, their results in order."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

T = TypeVar("T")


def ahead(calls: Sequence[Callable[[], T]], *, at_once: int) -> Generator[Future[T], None, None]:
    """Yield each call's finished future, in the order of the calls.

    No more than `at_once` are running or have results that wait. Leaving early, also by Ctrl C,
    begins no further call and waits for none: the threads end with the process.
    """
    futures: list[Future[T]] = [Future() for _ in calls]
    numbers = iter(range(len(calls)))
    turn = threading.Lock()
    room = threading.Semaphore(at_once)
    left = threading.Event()

    def work() -> None:
        while True:
            room.acquire()
            with turn:
                number = None if left.is_set() else next(numbers, None)
            if number is None:
                room.release()  # the next thread sees it too
                return
            try:
                futures[number].set_result(calls[number]())
            except BaseException as error:  # it is raised where the result is read
                futures[number].set_exception(error)

    for _ in range(min(at_once, len(calls))):
        threading.Thread(target=work, daemon=True).start()
    try:
        for number, future in enumerate(futures):
            future.exception()  # waits
            yield future
            futures[number] = Future()  # lets go of the result
            room.release()
    finally:
        left.set()
        room.release()
