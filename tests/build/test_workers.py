"""Worker processes: their order, and what happens when one of them is killed."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_builder.pipeline.errors import WorkersLost
from doctrove_builder.pipeline.workers import in_chunks, worker_processes

if TYPE_CHECKING:
    from pathlib import Path

KILLED = """
import os, signal, threading
from pathlib import Path

def doubled(folder, deaths, things):
    if 40 in things and len(os.listdir(folder)) < deaths:
        Path(folder, str(os.getpid())).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return [2 * thing for thing in things]

def endless(things):
    threading.Event().wait()
"""
THINGS = range(200)


@pytest.fixture
def doubled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a function that worker processes can import."""
    (tmp_path / "killed_over_forty.py").write_text(KILLED)
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    folder = tmp_path / "deaths"
    folder.mkdir()
    return partial(importlib.import_module("killed_over_forty").doubled, str(folder))


@pytest.mark.parametrize("deaths", [0, 1, 2])
def test_a_killed_worker_is_replaced_and_nothing_is_lost(doubled: Any, deaths: int) -> None:
    lost: list[None] = []
    with worker_processes(2, lost=lambda: lost.append(None)) as executor:
        made = in_chunks(partial(doubled, deaths), THINGS, executor=executor)
        assert [each for chunk in made for each in chunk] == [2 * thing for thing in THINGS]
        again = in_chunks(partial(doubled, 0), THINGS, executor=executor)
        assert sum(len(chunk) for chunk in again) == len(THINGS)
    assert len(lost) == deaths


class Unwanted(Exception):
    pass


def test_what_is_not_wanted_any_more_ends_at_once(doubled: Any) -> None:
    def tick() -> None:
        raise Unwanted

    endless = importlib.import_module(doubled.func.__module__).endless
    with pytest.raises(Unwanted), worker_processes(2) as executor:
        list(in_chunks(endless, THINGS, executor=executor, tick=tick))
    assert not multiprocessing.active_children()


def test_workers_that_are_always_killed_are_given_up(doubled: Any) -> None:
    with (
        worker_processes(2) as executor,
        pytest.raises(WorkersLost, match="killed 3 times"),
    ):
        list(in_chunks(partial(doubled, 99), THINGS, executor=executor))


INTERRUPTED = """
import os, signal, threading
from doctrove_builder.pipeline.workers import in_chunks, worker_processes

signal.signal(signal.SIGINT, lambda *_: None)
done = threading.Event()

def interrupt():
    while not done.wait(0.01):
        os.killpg(0, signal.SIGINT)

threading.Thread(target=interrupt).start()
with worker_processes(2) as executor:
    print(sum(map(len, in_chunks(sorted, range(200), executor=executor))))
done.set()
"""


TRACKED = """
import os, signal
from multiprocessing import resource_tracker
from doctrove_builder.pipeline.workers import worker_processes
with worker_processes(2) as workers:
    assert workers.submit(abs, -1).result() == 1
    os.kill(resource_tracker._resource_tracker._pid, signal.SIGKILL)
    assert workers.submit(abs, -2).result() == 2
"""


@pytest.mark.skipif(os.name == "nt", reason="there is none")
def test_a_resource_tracker_that_is_killed_says_nothing() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", TRACKED], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@pytest.mark.skipif(os.name == "nt", reason="there Ctrl C is no signal to a group of processes")
def test_ctrl_c_reaches_no_worker_not_even_while_it_starts() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        start_new_session=True,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("200\n", "", 0)
