from __future__ import annotations

import hashlib
import json
from urllib.parse import unquote

import msgspec

from doctrove_schema.catalog import split_index, write_catalog
from doctrove_schema.model import Entry, Index, Section, Volume

VOLUME = Volume(summary="New.", sections=(Section(heading="One", body="Text.", id="a", tokens=2),))
INDEX = Index(
    updated_at="2026-01-02",
    entries=(
        Entry(
            id="@scope/name",
            name="Name",
            popularity=3,
            versions=("2.0", "1.0+b"),
            volumes={"2.0": VOLUME, "1.0+b": Volume(sections=())},
        ),
    ),
)


def test_each_volume_is_one_file_named_by_its_hash() -> None:
    catalog, files = split_index(INDEX)
    for shard in catalog.entries[0].volumes.values():
        content = files[unquote(shard.url)]
        assert hashlib.sha256(content).hexdigest() == shard.sha256
        assert shard.sha256[:16] in shard.url
        assert shard.bytes == len(content)
    assert len(files) == 2


def test_a_volumes_file_holds_the_volume() -> None:
    catalog, files = split_index(INDEX)
    shard = catalog.entries[0].volumes["2.0"]
    assert msgspec.json.decode(files[unquote(shard.url)], type=Volume) == VOLUME
    assert (shard.sections, shard.tokens, shard.summary) == (1, 2, "New.")


def test_the_catalogue_is_the_index_without_sections() -> None:
    document = json.loads(write_catalog(split_index(INDEX)[0]))
    assert document["format"] == "doctrove-catalog@1"
    assert document["updatedAt"] == "2026-01-02"
    entry = document["entries"][0]
    assert entry["versions"] == ["2.0", "1.0+b"]
    assert entry["popularity"] == 3
    assert entry["volumes"]["1.0+b"]["url"].startswith("_volumes/@scope%252Fname/1.0%252Bb.")
