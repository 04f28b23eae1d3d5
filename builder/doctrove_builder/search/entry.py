"""`_search/entry.json`, `doctrove-search@1`: what can be searched, and in which files.

It is the one file of search beside the engine's own whose name does not change with its content.
Addresses in it are relative references: of volumes to the root of the site, of files to its folder.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.render.urls import href
from doctrove_schema.names import encode_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_builder.search.scope import SearchedVolume

FORMAT = "doctrove-search@1"
FOLDER = "_search"
TEXT = "text"
"""Folder of the engine's files in it."""

_HASH_DIGITS = 16


class VolumeEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One volume that can be searched."""

    folder: str
    library: str
    name: str
    version: str
    latest: bool = False
    text: bool = False
    """Its text is indexed."""

    names: str
    bytes: int
    """Of the list of names."""

    words: str


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The file."""

    format: str
    text: str = ""
    """The engine's script; absent where there is no full text."""

    volumes: tuple[VolumeEntry, ...]


def entry_json(
    volumes: Sequence[SearchedVolume],
    lists: Mapping[str, tuple[str, int, str]],
    *,
    text: bool,
) -> bytes:
    """Return the file; `lists` has path and size of the names and path of the words by folder."""
    entry = Entry(
        format=FORMAT,
        text=f"{TEXT}/pagefind.js" if text else "",
        volumes=tuple(
            VolumeEntry(
                folder=href(volume.folder),
                library=volume.library,
                name=volume.name,
                version=volume.version,
                latest=volume.latest,
                text=text and volume.whole,
                names=href(names),
                bytes=size,
                words=href(words),
            )
            for volume in volumes
            for names, size, words in (lists[volume.folder],)
        ),
    )
    return msgspec.json.encode(entry) + b"\n"


def names_path(volume: SearchedVolume, content: bytes) -> str:
    """Return the path of a volume's names below `FOLDER`; the hash in it is of the content."""
    return f"names/{_hashed(volume, content)}.json"


def words_path(volume: SearchedVolume, content: bytes) -> str:
    """Return the path of a volume's words below `FOLDER`."""
    return f"words/{_hashed(volume, content)}.txt"


def _hashed(volume: SearchedVolume, content: bytes) -> str:
    digest = sha256(content).hexdigest()[:_HASH_DIGITS]
    return f"{encode_name(volume.library)}/{encode_name(volume.version)}.{digest}"
