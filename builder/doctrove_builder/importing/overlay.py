"""Imported volumes in an authoring tree, as if written there; hand-written pages win."""

from __future__ import annotations

import contextlib
import posixpath
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.authoring import parse_mapping
from doctrove_builder.authoring.pages import page_path
from doctrove_builder.importing.declared import Declared, read_declarations
from doctrove_builder.importing.downloads import is_download
from doctrove_builder.importing.errors import ImportingError, LockRefused
from doctrove_builder.importing.kept import Kept, keep, read_kept
from doctrove_builder.importing.library_file import new_library_yaml
from doctrove_builder.importing.lock import FILE_NAME, read_lock
from doctrove_builder.importing.reach import Reach, open_network, project_root
from doctrove_builder.importing.rules import ImportRule
from doctrove_builder.importing.run import carry_out, named_sources, prepare
from doctrove_builder.importing.sources import local_place
from doctrove_builder.model import Asset, Document, Tree
from doctrove_builder.provenance import PROVENANCE
from doctrove_schema.names import encode_name, fold
from doctrove_schema.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from doctrove_builder.importing.means import ImportMeans
    from doctrove_builder.pipeline.progress import Progress

PROJECT = "doctrove.yaml"


def with_imports(
    tree: Tree, source: Path, *, means: ImportMeans, progress: Progress
) -> tuple[Tree, tuple[Problem, ...]]:
    """Return the tree with every volume that doctrove.yaml imports, made or taken from the cache.

    An entry that cannot be imported is a problem; the others go on.
    """
    said = read_declarations(tree.documents.get(PROJECT))
    if not said.imports:
        return tree, ()
    problems: list[Problem] = []
    try:
        reach = _reach(source, said.allowed_hosts, means)
    except ImportingError as error:
        return tree, (_problem(error, said.imports[0].at),)
    progress.step("import volumes", len(said.imports))
    taken: set[tuple[str, str]] = set()
    volumes: list[tuple[Declared, Kept]] = []
    for declared in said.imports:
        name = (fold(declared.order.library), declared.order.version)
        if name in taken:
            problems.append(_taken(declared))
            continue
        taken.add(name)
        try:
            volumes.append((declared, _volume(declared, reach, means.cache / "imports")))
        except ImportingError as error:
            problems.append(_problem(error, declared.at))
        progress.advance(1)
    return _overlaid(tree, volumes), tuple(problems)


def local_sources(tree: Tree, source: Path, *, means: ImportMeans) -> frozenset[Path]:
    """Return the folders and files on this disk that the imports of doctrove.yaml are made from.

    They may be missing; what must not be read is left out.
    """
    said = read_declarations(tree.documents.get(PROJECT))
    found: set[Path] = set()
    for declared in said.imports:
        with contextlib.suppress(ImportingError):
            reach = _reach(source, (), means)
            named = named_sources(declared.order)
            found |= {local_place(each, reach) for each in named if not is_download(each)}
    return frozenset(found)


def _reach(source: Path, hosts: Iterable[str], means: ImportMeans) -> Reach:
    return Reach(
        base=source,
        root=project_root(source, otherwise=source.resolve().parent),
        allowed=means.allowed,
        network=open_network(means.registries, hosts=hosts, offline=means.offline),
        store=means.cache / "downloads",
        pins=read_lock(source / FILE_NAME),
        pinned_only=True,
        registries=means.registries,
    )


def _volume(declared: Declared, reach: Reach, cache: Path) -> Kept:
    prepared = prepare(declared.order, reach)
    kept = read_kept(cache, prepared.key)
    kept = kept or keep(cache, prepared.key, carry_out(prepared).volume)
    if kept is None:
        raise ImportingError(f"the imported volume cannot be kept in {cache}")
    return kept


def _overlaid(tree: Tree, volumes: list[tuple[Declared, Kept]]) -> Tree:
    documents = dict(tree.documents)
    assets = dict(tree.assets)
    folders = _library_folders(tree)
    first: dict[str, list[tuple[Declared, Kept]]] = {}
    for declared, kept in volumes:
        library = declared.order.library
        folder = folders.setdefault(fold(library), encode_name(library))
        first.setdefault(folder, []).append((declared, kept))
        base = f"{folder}/{encode_name(declared.order.version)}"
        own = {page_path(p[len(base) + 1 :]) for p in tree.documents if p.startswith(f"{base}/")}
        for path, text in kept.texts.items():
            place = f"{base}/{path}"
            if path == "volume.yaml" and place in tree.documents:
                written = tree.documents[place]
                documents[place] = msgspec.structs.replace(written, text=joined(written.text, text))
            elif path == PROVENANCE or not (path.endswith(".md") and page_path(path) in own):
                documents.setdefault(place, Document(path=place, text=text))
        for path, size in kept.assets.items():
            place = f"{base}/{path}"
            assets.setdefault(place, Asset(path=place, file=kept.folder / path, size=size))
    for folder, known in first.items():
        place = f"{folder}/library.yaml"
        if place not in documents and f"{folder}/library.yml" not in documents:
            documents[place] = Document(path=place, text=_library(known))
    return Tree(documents=dict(sorted(documents.items())), assets=dict(sorted(assets.items())))


def joined(written: str, imported: str) -> str:
    """Return a hand-written volume.yaml with the keys below it that only the import knows."""
    mapping, _ = parse_mapping(written, source="volume.yaml", schema="volume")
    known = set(mapping.entries) if mapping else set[str]()
    if not mapping and written.strip():
        return written
    kept: list[str] = []
    taking = False
    for line in imported.split("\n"):
        if line and line[0] not in " #":
            taking = line.partition(":")[0] not in known
        if taking:
            kept.append(line)
    return written.rstrip("\n") + "\n" + "\n".join(kept).rstrip("\n") + "\n" if kept else written


def _library(volumes: list[tuple[Declared, Kept]]) -> str:
    declared, kept = volumes[0]
    versions = [one.order.version for one, _ in volumes]
    return new_library_yaml(declared.order.library, versions, kept.library)


def _library_folders(tree: Tree) -> dict[str, str]:
    """Return the folder of each library that the tree has, by its folded id."""
    found: dict[str, str] = {}
    for path, document in tree.documents.items():
        folder, _, name = path.partition("/")
        if name in {"library.yaml", "library.yml"}:
            settings, _ = parse_mapping(document.text, source=path, schema="library")
            library = (settings.text("id") if settings else "") or folder
            found.setdefault(fold(library), posixpath.dirname(path))
    return found


def _problem(error: ImportingError, at: tuple[int, int]) -> Problem:
    is_pin = isinstance(error, LockRefused)
    return Problem(
        rule=ImportRule.IMPORT_NOT_PINNED if is_pin else ImportRule.IMPORT_FAILED,
        source=PROJECT,
        line=at[0],
        column=at[1],
        message=error.message,
        hint=error.hint,
    )


def _taken(declared: Declared) -> Problem:
    order = declared.order
    return Problem(
        rule=ImportRule.IMPORT_TAKEN,
        source=PROJECT,
        line=declared.at[0],
        column=declared.at[1],
        message=f"{order.library} {order.version} is imported by an entry above already",
        hint="remove one of them, or give it another `id:`",
    )
