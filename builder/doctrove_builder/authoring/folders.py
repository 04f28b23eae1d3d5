"""Which file of the tree is what: the project, libraries, volumes, pages; reads no content."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.authoring.fault import fault
from doctrove_builder.memory import ANEW, Apply
from doctrove_builder.model import Document
from doctrove_builder.provenance import PROVENANCE
from doctrove_builder.rules import BuildRule
from doctrove_schema.names import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.model import Tree
    from doctrove_schema.problem import Problem

YAML = (".yaml", ".yml")
MARKDOWN = (".md", ".markdown")
PICTURES = (".avif", ".gif", ".ico", ".jpeg", ".jpg", ".png", ".svg", ".webp")
KEPT_AT_ROOT = ("changelog", "contributing", "licence", "license", "readme")
"""Markdown files that a repository may hold beside the libraries."""


class VolumeFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder of pages."""

    path: str
    settings: Document | None
    """volume.yaml."""

    pages: tuple[Document, ...]
    provenance: Document | None = None
    """provenance.json of an imported volume."""

    @property
    def name(self) -> str:
        """The folder's own name, which is the version unless volume.yaml says otherwise."""
        return posixpath.basename(self.path)


class LibraryFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder below the root."""

    path: str
    settings: Document | None
    """library.yaml."""

    folders: tuple[VolumeFolder, ...]
    files: tuple[Document, ...]
    """Volumes that are one YAML file."""


class Folders(msgspec.Struct, frozen=True, kw_only=True):
    """The whole tree, sorted out."""

    project: Document | None
    """doctrove.yaml."""

    libraries: tuple[LibraryFolder, ...]


def sort_out(tree: Tree, *, apply: Apply = ANEW) -> tuple[Folders, tuple[Problem, ...]]:
    """Say what each file is; what has no place in the format is a problem."""
    problems: list[Problem] = []
    at_root = [d for path, d in tree.documents.items() if "/" not in path]
    project, rest = _settings(at_root, "doctrove")
    for document in rest:
        stem = posixpath.splitext(document.path)[0].lower()
        if document.path.lower().endswith(YAML) or stem not in KEPT_AT_ROOT:
            problems.append(_stray(document.path, "doctrove.yaml", "the authoring folder"))
    libraries: list[LibraryFolder] = []
    for name, paths in _below(tree).items():
        library, found = _library(tree, name, paths, apply)
        libraries.append(library)
        problems += found
    return Folders(project=project, libraries=tuple(libraries)), tuple(problems)


def _below(tree: Tree) -> dict[str, list[str]]:
    """Return the files of each library folder, in path order."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted((*tree.documents, *tree.assets)):
        name, slash, _ = path.partition("/")
        if slash and name[0] not in "_.":
            found[name].append(path)
    # A folder of pictures beside the libraries is none of them.
    return {n: p for n, p in found.items() if any(path in tree.documents for path in p)}


def _library(
    tree: Tree, name: str, paths: Iterable[str], apply: Apply
) -> tuple[LibraryFolder, tuple[Problem, ...]]:
    problems: list[Problem] = []
    direct: list[Document] = []
    deeper: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        parts = path.split("/")
        if parts[1][0] in "_.":
            continue
        if len(parts) > 2:
            deeper[f"{parts[0]}/{parts[1]}"].append(path)
        elif path in tree.documents:
            direct.append(tree.documents[path])
        elif not path.lower().endswith(PICTURES):
            problems.append(_stray(path, "library.yaml", "a library's folder"))
    settings, rest = _settings(direct, "library")
    files = tuple(
        d for d in rest if d.path.lower().endswith(YAML) and not _is_misspelt(d.path, "library")
    )
    problems += [
        _stray(d.path, "library.yaml", "a library's folder") for d in rest if d not in files
    ]
    folders: list[VolumeFolder] = []
    for path, below in deeper.items():
        folder, found = _volume(tree, path, below, apply)
        problems += found
        if folder:
            folders.append(folder)
    library = apply(
        LibraryFolder, path=name, settings=settings, folders=tuple(folders), files=files
    )
    return library, tuple(problems)


def _volume(
    tree: Tree, path: str, paths: Iterable[str], apply: Apply
) -> tuple[VolumeFolder | None, list[Problem]]:
    documents = [tree.documents[p] for p in paths if p in tree.documents]
    direct = [d for d in documents if d.path.count("/") == path.count("/") + 1]
    yaml = [d for d in direct if d.path.lower().endswith(YAML)]
    settings, rest = _settings(yaml, "volume")
    problems = [_stray(d.path, "volume.yaml", "a volume's folder") for d in rest]
    pages = tuple(
        d
        for d in documents
        if d.path.lower().endswith(MARKDOWN) and not _is_private(d.path[len(path) + 1 :])
    )
    if settings is None and not pages:
        only_pictures = all(p.lower().endswith(PICTURES) for p in paths)
        if not only_pictures:
            problems.append(
                fault(
                    BuildRule.EMPTY_VOLUME,
                    "the folder holds no page and no volume.yaml",
                    source=path,
                    hint="add a Markdown file, or begin the folder's name with `_`",
                )
            )
        return None, problems
    provenance = tree.documents.get(f"{path}/{PROVENANCE}")
    folder = apply(VolumeFolder, path=path, settings=settings, pages=pages, provenance=provenance)
    return folder, problems


def _settings(
    documents: Iterable[Document], name: str
) -> tuple[Document | None, tuple[Document, ...]]:
    """Part `NAME.yaml` (or `.yml`) from the others."""
    listed = list(documents)
    for suffix in YAML:
        for document in listed:
            if posixpath.basename(document.path) == name + suffix:
                return document, tuple(d for d in listed if d is not document)
    return None, tuple(listed)


def _is_misspelt(path: str, expected: str) -> bool:
    """Say whether a file that could be a volume has a name that nearly is `expected`."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    return stem.isalpha() and stem != expected and bool(nearest(stem, [expected]))


def _is_private(path: str) -> bool:
    return any(part[0] in "_." for part in path.split("/"))


def _stray(path: str, expected: str, where: str) -> Problem:
    name = posixpath.basename(path)
    is_near = bool(nearest(name, [expected]))
    return fault(
        BuildRule.STRAY_FILE,
        f"`{name}` is none of the files that {where} holds, and is not published",
        source=path,
        hint=f"do you mean `{expected}`?" if is_near else "move it, or begin its name with `_`",
        warning=True,
    )
