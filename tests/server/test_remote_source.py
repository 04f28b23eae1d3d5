"""What is kept of a remote index, for how long, and what happens when it cannot be read.

The network is a scripted function and the clock is set by hand: the rules alone are looked at.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from doctrove_server.errors import NetworkError, SourceError, SourceTimeout
from doctrove_server.sources.address import read_address
from doctrove_server.sources.cache import TtlCache
from doctrove_server.sources.fetch import Fetched, Wanted
from doctrove_server.sources.remote import COOLDOWN, RemoteSource

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from doctrove_server.catalog.catalog import Snapshot


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Script:
    """Answers fetches in turn, the last one from then on; keeps what was wanted."""

    def __init__(self, *answers: Fetched | SourceError) -> None:
        self.answers = list(answers)
        self.wanted: list[Wanted] = []
        self.gate: asyncio.Event | None = None

    async def __call__(self, wanted: Wanted, /) -> Fetched:
        self.wanted.append(wanted)
        if self.gate:
            await self.gate.wait()
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, SourceError):
            raise answer
        return answer


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def good(index_bytes: bytes) -> Fetched:
    return Fetched(body=index_bytes, etag='"v1"')


def source(script: Script, clock: Clock, *, ttl: float = 600) -> RemoteSource:
    address = read_address("https://me:secret@docs.example.org/lib")
    return RemoteSource(address, fetch=script, cache=TtlCache(ttl=ttl, clock=clock), clock=clock)


def run(coroutine: Coroutine[object, object, Snapshot]) -> Snapshot:
    return asyncio.run(coroutine)


def test_an_index_is_fetched_once_in_its_lifetime(clock: Clock, good: Fetched) -> None:
    script = Script(good)
    remote = source(script, clock)
    first = run(remote.snapshot())
    clock.now += 599
    assert run(remote.snapshot()) is first
    assert len(script.wanted) == 1
    assert script.wanted[0].url == "https://docs.example.org/lib/index.json"
    assert script.wanted[0].authorization.startswith("Basic ")
    assert first.label == "remote:https://docs.example.org/lib"


def test_after_its_lifetime_it_is_revalidated_and_kept(clock: Clock, good: Fetched) -> None:
    script = Script(good, Fetched(body=None))
    remote = source(script, clock)
    first = run(remote.snapshot())
    clock.now += 600
    again = run(remote.snapshot())
    assert again.index is first.index
    assert [wanted.etag for wanted in script.wanted] == ["", '"v1"']
    clock.now += 599
    run(remote.snapshot())
    assert len(script.wanted) == 2


def test_a_new_version_replaces_the_copy(clock: Clock, good: Fetched) -> None:
    changed = Fetched(body=b'{"format": "doctrove-index@1", "entries": []}')
    remote = source(Script(good, changed), clock)
    run(remote.snapshot())
    clock.now += 600
    assert run(remote.snapshot()).index.entries == ()


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (NetworkError("HTTP 500"), "network"),
        (SourceTimeout("no complete answer within 15 seconds"), "timeout"),
        (Fetched(body=b"<html>"), "network"),
        (Fetched(body=b'{"format": "other@1", "entries": []}'), "network"),
        (Fetched(body=None), "network"),
    ],
    ids=["status", "timeout", "no-json", "invalid", "odd-304"],
)
def test_a_failure_names_the_source_and_starts_a_cooldown(
    failure: Fetched | SourceError, code: str, clock: Clock, good: Fetched
) -> None:
    script = Script(failure, good)
    remote = source(script, clock)
    with pytest.raises(SourceError, match=r"remote:https://docs\.example\.org/lib: ") as error:
        run(remote.snapshot())
    assert error.value.code == code
    assert "secret" not in str(error.value)
    clock.now += COOLDOWN - 0.1
    with pytest.raises(SourceError):
        run(remote.snapshot())
    assert len(script.wanted) == 1
    clock.now += 0.1
    assert run(remote.snapshot()).index.entries
    assert len(script.wanted) == 2


def test_a_shorter_lifetime_does_not_shorten_the_cooldown(clock: Clock, good: Fetched) -> None:
    script = Script(NetworkError("HTTP 500"), good)
    remote = source(script, clock, ttl=1)
    for _ in range(3):
        with pytest.raises(SourceError):
            run(remote.snapshot())
        clock.now += 9
    assert len(script.wanted) == 1


def test_an_old_copy_outlives_a_failure_and_says_so(clock: Clock, good: Fetched) -> None:
    script = Script(good, NetworkError("HTTP 503"), Fetched(body=None))
    remote = source(script, clock)
    first = run(remote.snapshot())
    clock.now += 600
    for _ in range(3):
        stale = run(remote.snapshot())
        assert stale.index is first.index
        assert "HTTP 503" in stale.notice
        assert "out of date" in stale.notice
    assert len(script.wanted) == 2
    clock.now += COOLDOWN
    assert run(remote.snapshot()).notice == ""
    assert script.wanted[2].etag == '"v1"'


def test_without_a_lifetime_every_call_asks_and_nothing_is_kept(
    clock: Clock, good: Fetched
) -> None:
    script = Script(good, NetworkError("HTTP 500"), NetworkError("HTTP 500"), good)
    remote = source(script, clock, ttl=0)
    run(remote.snapshot())
    for _ in range(2):
        with pytest.raises(SourceError):
            run(remote.snapshot())
    run(remote.snapshot())
    assert [wanted.etag for wanted in script.wanted] == ["", "", "", ""]


def test_calls_that_wait_together_share_one_fetch(clock: Clock, good: Fetched) -> None:
    script = Script(good)
    remote = source(script, clock, ttl=0)

    async def together() -> list[Snapshot]:
        script.gate = asyncio.Event()
        calls = [asyncio.create_task(remote.snapshot()) for _ in range(20)]
        while not script.wanted:
            await asyncio.sleep(0)
        script.gate.set()
        return await asyncio.gather(*calls)

    snapshots = asyncio.run(together())
    assert len(script.wanted) == 1
    assert all(snapshot is snapshots[0] for snapshot in snapshots)


def test_a_call_that_gives_up_does_not_take_the_fetch_from_the_others(
    clock: Clock, good: Fetched
) -> None:
    script = Script(good)
    remote = source(script, clock)

    async def one_gives_up() -> Snapshot:
        script.gate = asyncio.Event()
        first = asyncio.create_task(remote.snapshot())
        second = asyncio.create_task(remote.snapshot())
        while not script.wanted:
            await asyncio.sleep(0)
        first.cancel()
        script.gate.set()
        return await second

    assert asyncio.run(one_gives_up()).index.entries
    assert len(script.wanted) == 1
