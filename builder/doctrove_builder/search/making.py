"""Make the files of search, or take them over when nothing that is searched has changed."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import cache as once
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.markdown import code_version as markdown_version
from doctrove_builder.pipeline.workers import in_chunks
from doctrove_builder.search.documents import documents
from doctrove_builder.search.engine import Indexing
from doctrove_builder.search.entry import FOLDER, TEXT, entry_json, names_path, words_path
from doctrove_builder.search.names import names_json
from doctrove_builder.search.text import SectionText, section_texts
from doctrove_builder.search.words import words_text
from doctrove_builder.writing import Artefact, reusable
from doctrove_builder.writing.files import digest_file

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from doctrove_builder.cache import Cache
    from doctrove_builder.pipeline.progress import Progress
    from doctrove_builder.search.engine import Engine
    from doctrove_builder.search.scope import SearchedVolume

ROOM = "search"
"""From what is searched to the files that it gave, with their SHA-256."""

TEXT_ROOM = "search-text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """What the files of search are made with."""

    engine: Engine | None
    language: str
    cache: Cache
    executor: Executor | None
    progress: Progress
    background: bool = False
    """The engine gives way to other programs."""


class Searching:
    """The files of search while a build runs; the engine works beside the rendering of pages."""

    failed = ""
    """What the engine said when it failed, once the artefacts are read; there is no full text."""

    indexed = False
    """The engine ran; otherwise what it wrote before was taken over."""

    def __init__(
        self, volumes: Sequence[SearchedVolume], dest: Path | None, shop: Workshop
    ) -> None:
        self._volumes = volumes
        self._shop = shop
        self._texts: Mapping[str, SectionText] = {}
        self._indexing: Indexing | None = None
        self._key = _key(volumes, shop)
        self._old = self._published(dest)
        if self._old or not volumes:
            return
        self._texts = _texts(volumes, shop)
        if shop.engine and any(volume.whole and volume.pages for volume in volumes):
            shop.progress.step("index full text", 1)
            found = documents(volumes, self._texts, language=shop.language)
            self._indexing = Indexing(found, language=shop.language, background=shop.background)

    def interrupt(self) -> None:
        """End the engine, from any thread: what is made is not wanted any more."""
        if self._indexing:
            self._indexing.interrupt()

    def close(self) -> None:
        """End the engine and remove what it wrote."""
        if self._indexing:
            self._indexing.close()

    def artefacts(self) -> Iterator[Artefact]:
        """Yield every file below `_search/`; to be read once, before this is closed."""
        if self._old:
            yield from self._old
            return
        listing: dict[str, str] = {}
        for artefact in self._made():
            listing[artefact.path] = _digest(artefact)
            yield artefact
        if listing and not self.failed:
            self._shop.cache.put(ROOM, {self._key: msgspec.json.encode(listing)})

    def _published(self, dest: Path | None) -> list[Artefact]:
        """Return the files of an earlier build of the same, if all of them are there still."""
        known = self._shop.cache.get(ROOM, [self._key])
        if dest is None or self._key not in known:
            return []
        try:
            listing = msgspec.json.decode(known[self._key], type=dict[str, str])
        except msgspec.DecodeError:
            return []
        old = reusable(dest, listing)
        if len(old) < len(listing):
            return []
        return [Artefact(path=path, content=reuse) for path, reuse in sorted(old.items())]

    def _made(self) -> Iterator[Artefact]:
        if not self._volumes:
            return
        lists: dict[str, tuple[str, int, str]] = {}
        for volume in self._volumes:
            names = names_json(volume, self._texts)
            words = words_text(
                self._texts[section.body] for page in volume.pages for section in page.sections
            )
            paths = (names_path(volume, names), words_path(volume, words))
            lists[volume.folder] = (paths[0], len(names), paths[1])
            yield Artefact(path=f"{FOLDER}/{paths[0]}", content=names)
            yield Artefact(path=f"{FOLDER}/{paths[1]}", content=words)
        if self._indexing:
            self.failed = self._indexing.wait()
            self.indexed = not self.failed
            self._shop.progress.advance(1)
        if self.indexed and self._indexing:
            for path, file in self._indexing.files():
                yield Artefact(path=f"{FOLDER}/{TEXT}/{path}", content=file)
        entry = entry_json(self._volumes, lists, text=self.indexed)
        yield Artefact(path=f"{FOLDER}/entry.json", content=entry)


@contextlib.contextmanager
def searching(
    volumes: Sequence[SearchedVolume], dest: Path | None, *, shop: Workshop
) -> Generator[Searching]:
    """Begin to make the files of search; `dest` is the tree that they may be taken over from."""
    made = Searching(volumes, dest, shop)
    try:
        yield made
    finally:
        made.close()


def _texts(volumes: Sequence[SearchedVolume], shop: Workshop) -> dict[str, SectionText]:
    """Return the text of every body; those that were read before come from the cache."""
    bodies = {
        sha256(f"{_code_version()}{section.body}".encode()).hexdigest(): section.body
        for volume in volumes
        for page in volume.pages
        for section in page.sections
    }
    found: dict[str, SectionText] = {}
    for key, data in shop.cache.get(TEXT_ROOM, bodies).items():
        with contextlib.suppress(msgspec.DecodeError):
            found[key] = msgspec.msgpack.decode(data, type=SectionText)
    missing = {key: body for key, body in bodies.items() if key not in found}
    shop.progress.step("read text for search", len(missing))
    fresh: list[SectionText] = []
    for chunk in in_chunks(section_texts, list(missing.values()), executor=shop.executor):
        fresh += chunk
        shop.progress.advance(len(chunk))
    made = dict(zip(missing, fresh, strict=True))
    shop.cache.put(TEXT_ROOM, {key: msgspec.msgpack.encode(text) for key, text in made.items()})
    return {bodies[key]: text for key, text in (found | made).items()}


def _key(volumes: Sequence[SearchedVolume], shop: Workshop) -> str:
    parts = (_code_version(), shop.engine.version if shop.engine else "", shop.language)
    return sha256(msgspec.msgpack.encode((parts, volumes))).hexdigest()


@once
def _code_version() -> str:
    """Return a digest of the code that decides these files: this package and the parser."""
    digest = sha256(markdown_version().encode())
    package = resources.files("doctrove_builder.search")
    for file in sorted(package.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".py"):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _digest(artefact: Artefact) -> str:
    if isinstance(artefact.content, bytes):
        return sha256(artefact.content).hexdigest()
    return digest_file(str(artefact.content))
