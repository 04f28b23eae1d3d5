"""The sharded form of an index, `doctrove-catalog@1`: a catalogue, and one file for each volume.

A client needs the catalogue and one volume to answer. A volume's file name holds the hash of its
content, so a host may cache it for ever, and a client checks what it fetched against the catalogue.
"""

from __future__ import annotations

import hashlib

import msgspec

from doctrove_schema.model import Entry, Index, LibraryFacts, Publication, Volume
from doctrove_schema.names import encode_name

FORMAT = "doctrove-catalog@1"
VOLUMES = "_volumes"


class Shard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Where one volume stands, and what is in it."""

    url: str
    """Relative to the catalogue (RFC 3986): a `%` of the file's name is written `%25`."""

    sha256: str
    bytes: int
    sections: int
    tokens: int = 0
    summary: str = ""
    released: str = ""


class CatalogEntry(LibraryFacts, frozen=True, kw_only=True):
    """One library, its sections left out."""

    volumes: dict[str, Shard]


class Catalog(Publication, frozen=True, kw_only=True, tag_field="format", tag=FORMAT):
    """Every library of an index."""

    entries: tuple[CatalogEntry, ...]


def split_index(index: Index) -> tuple[Catalog, dict[str, bytes]]:
    """Return an index as a catalogue and its volumes as files, by path below the catalogue."""
    files: dict[str, bytes] = {}
    entries = tuple(_entry(entry, files) for entry in index.entries)
    catalog = Catalog(
        updated_at=index.updated_at,
        generator=index.generator,
        tokens_by=index.tokens_by,
        entries=entries,
    )
    return catalog, files


def write_catalog(catalog: Catalog) -> bytes:
    """Encode as compact UTF-8 JSON with a final LF; empty optional fields are left out."""
    return msgspec.json.encode(catalog) + b"\n"


def _entry(entry: Entry, files: dict[str, bytes]) -> CatalogEntry:
    shards: dict[str, Shard] = {}
    for version, volume in entry.volumes.items():
        content = msgspec.json.encode(volume) + b"\n"
        sha256 = hashlib.sha256(content).hexdigest()
        folder = f"{VOLUMES}/{encode_name(entry.id)}"
        path = f"{folder}/{encode_name(version)}.{sha256[:16]}.json"
        files[path] = content
        shards[version] = _shard(volume, path, content=content, sha256=sha256)
    facts = {name: getattr(entry, name) for name in LibraryFacts.__struct_fields__}
    return CatalogEntry(**facts, volumes=shards)


def _shard(volume: Volume, path: str, *, content: bytes, sha256: str) -> Shard:
    return Shard(
        url=path.replace("%", "%25"),
        sha256=sha256,
        bytes=len(content),
        sections=len(volume.sections),
        tokens=sum(section.tokens for section in volume.sections),
        summary=volume.summary,
        released=volume.released,
    )
