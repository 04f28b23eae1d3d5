"""Remote first, local beside it, the built-in index where there is nothing else."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from doctrove_schema.model import Entry, Index, Section, Volume
from doctrove_schema.writing import write_index
from doctrove_server.errors import ConfigError, NetworkError, SourceError
from doctrove_server.sources.address import read_address
from doctrove_server.sources.cache import TtlCache
from doctrove_server.sources.fetch import Fetched, Wanted
from doctrove_server.sources.local import LocalSource, built_in_source, local_source
from doctrove_server.sources.remote import RemoteSource
from doctrove_server.sources.supply import Supply

if TYPE_CHECKING:
    from pathlib import Path

    from doctrove_server.catalog.catalog import Catalog


def index_of(*ids: str, name: str) -> bytes:
    volume = Volume(sections=(Section(heading="H", body=name),))
    return write_index(
        Index(
            entries=tuple(
                Entry(id=i, name=name, versions=("1.0.0",), volumes={"1.0.0": volume}) for i in ids
            )
        )
    )


def remote(*answers: bytes | SourceError, ttl: float = 600) -> RemoteSource:
    left = list(answers)

    async def fetch(_wanted: Wanted, /) -> Fetched:
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, SourceError):
            raise answer
        return Fetched(body=answer)

    address = read_address("https://docs.example.org")
    cache: TtlCache[object] = TtlCache(ttl=ttl, clock=lambda: 0.0)
    return RemoteSource(address, fetch=fetch, cache=cache, clock=lambda: 0.0)


def local(folder: Path, *ids: str) -> LocalSource:
    path = folder / "mine.json"
    path.write_bytes(index_of(*ids, name="local"))
    return local_source(str(path))


def supply(
    *,
    far: RemoteSource | None = None,
    near: LocalSource | None = None,
    log: list[str] | None = None,
) -> Supply:
    said: list[str] = [] if log is None else log
    return Supply(remote=far, local=near, built_in=built_in_source(), log=said.append)


def held(catalog: Catalog) -> dict[str, str]:
    return {holding.entry.id: holding.source for holding in catalog.holdings}


REMOTE = "remote:https://docs.example.org"
DOWN = NetworkError("HTTP 500")


def test_without_sources_the_built_in_index_answers() -> None:
    sources = held(asyncio.run(supply().catalog()))
    assert {"express", "zod", "dayjs"} <= sources.keys()
    assert set(sources.values()) == {"local:built-in"}


def test_a_local_index_takes_the_place_of_the_built_in_one(tmp_path: Path) -> None:
    assert held(asyncio.run(supply(near=local(tmp_path, "a")).catalog())) == {
        "a": "local:mine.json"
    }


def test_remote_entries_come_first_and_the_built_in_ones_not_at_all(tmp_path: Path) -> None:
    far = remote(index_of("a", "b", name="remote"))
    catalog = asyncio.run(supply(far=far, near=local(tmp_path, "b", "c")).catalog())
    assert held(catalog) == {"a": REMOTE, "b": REMOTE, "c": "local:mine.json"}
    assert catalog.notes == ()
    alone = remote(index_of("a", name="remote"))
    assert held(asyncio.run(supply(far=alone).catalog())) == {"a": REMOTE}


def test_a_remote_that_fails_leaves_the_local_index_and_a_note(tmp_path: Path) -> None:
    said: list[str] = []
    catalog = asyncio.run(supply(far=remote(DOWN), near=local(tmp_path, "b"), log=said).catalog())
    assert held(catalog) == {"b": "local:mine.json"}
    assert catalog.notes == (f"{REMOTE}: HTTP 500; this answer comes from local:mine.json alone",)
    assert said == [f"network: {REMOTE}: HTTP 500", "local:mine.json: 1 libraries"]


def test_a_remote_that_fails_alone_leaves_the_built_in_index() -> None:
    catalog = asyncio.run(supply(far=remote(DOWN)).catalog())
    assert held(catalog)["express"] == "local:built-in"
    assert catalog.failure is not None


def test_the_catalogue_is_the_same_while_its_sources_are(tmp_path: Path) -> None:
    async def twice(one: Supply) -> bool:
        return await one.catalog() is await one.catalog()

    near = local(tmp_path, "b")
    assert asyncio.run(twice(supply(far=remote(index_of("a", name="r")))))
    assert asyncio.run(twice(supply(far=remote(DOWN, ttl=0), near=near)))
    changing = remote(index_of("a", name="r"), index_of("a", "b", name="r"), ttl=0)
    assert not asyncio.run(twice(supply(far=changing)))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read: No such file"),
        (b"", "not valid JSON"),
        (b"{", "not valid JSON"),
        (b"[]", "top level is an empty array"),
        (b'{"format": "x", "entries": []}', "format"),
        (b"\xff\xfe", "not valid JSON"),
        (b'{"format": "doctrove-index@1", "entries": [{"id": ""}]}', r"entries\[0\]"),
    ],
    ids=["missing", "empty", "cut", "array", "format", "bytes", "entry"],
)
def test_a_wrong_local_index_is_a_configuration_error_that_names_it(
    content: bytes | None, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    if content is not None:
        path.write_bytes(content)
    for _ in range(2):
        with pytest.raises(ConfigError, match=said) as error:
            asyncio.run(supply(near=local_source(str(path))).preload())
        assert str(path) in str(error.value)


def test_a_folder_is_no_index(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        asyncio.run(supply(near=local_source(str(tmp_path))).preload())


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"\xef\xbb\xbf" + index_of("a", name="x"))
    assert held(asyncio.run(supply(near=local_source(str(path))).catalog())) == {
        "a": "local:x.json"
    }


def test_what_is_odd_in_an_index_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    odd = index_of("a", name="x").replace(b'"id":"a",', b'"id":"a","popularity":[],')
    path.write_bytes(odd)
    said: list[str] = []

    async def twice(one: Supply) -> None:
        await one.catalog()
        await one.catalog()

    asyncio.run(twice(supply(near=local_source(str(path)), log=said)))
    assert said == [
        "local:x.json: 1 libraries",
        "local:x.json: warning: entries[0].popularity is not a number; it is ignored",
    ]
