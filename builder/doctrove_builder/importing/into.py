"""Writing an imported volume into an authoring folder; what a person wrote there is kept."""

from __future__ import annotations

import hashlib
import os
import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.authoring import parse_mapping
from doctrove_builder.importing.errors import ImportingError
from doctrove_builder.importing.materialise import library_yaml, quoted
from doctrove_builder.provenance import PROVENANCE, read_provenance
from doctrove_schema.names import encode_name, fold, id_fault, name_fault
from doctrove_schema.versions import Scheme, is_version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_builder.importing.run import Done


class WriteRefused(ImportingError):
    """The place for a volume holds what was not imported, or cannot be written."""


def write_volume(
    done: Done, root: Path, *, force: bool = False, versions: Sequence[str] = ()
) -> Path:
    """Write a volume below an authoring root and return its folder.

    `versions` are all that are imported together, newest first: a new library.yaml names them.

    A volume that was imported before is renewed: files as the import wrote them are replaced or
    removed, further files stay. Where a person changed one of them, or wrote the volume, nothing
    is written unless `force`. Raises `WriteRefused`.
    """
    library, version = done.order.library, done.order.version
    for what, fault in (("id", id_fault(library)), ("version", name_fault(version))):
        if fault:
            raise WriteRefused(f"the {what} {library if what == 'id' else version!r} {fault}")
    root = Path(os.path.realpath(root))
    folder = root / library_folder(root, library) / encode_name(version)
    if not Path(os.path.realpath(folder)).is_relative_to(root):
        raise WriteRefused(f"{folder} leads out of {root}")
    files = done.volume.files
    before = _before(folder)
    if not force:
        _check_changed(folder, before, files)
    try:
        for path in sorted(set(before) - set(files)):
            _target(folder, path).unlink(missing_ok=True)
        for path, data in files.items():
            _write(_target(folder, path), data)
        _write_library(folder.parent, done, versions or [done.order.version])
    except OSError as error:
        raise WriteRefused(f"{folder} cannot be written: {error.strerror}") from error
    return folder


def library_folder(root: Path, library: str) -> str:
    """Return the folder of a library below the root: the one that has it, or a name for it."""
    for file in sorted(root.glob("*/library.yaml")):
        text = file.read_text(encoding="utf-8", errors="replace")
        settings, _ = parse_mapping(text, source=file.name, schema="library")
        written = settings.text("id") if settings else ""
        if fold(written or file.parent.name) == fold(library):
            return file.parent.name
    return encode_name(library)


def scheme_of(versions: Sequence[str], known: str = "") -> str:
    """Return the scheme that all versions follow; `known` wins where they do."""
    schemes = [Scheme.SEMVER, Scheme.PEP440]
    if known in {"semver", "pep440"}:
        schemes.insert(0, Scheme(known))
    fitting = (s.value for s in schemes if all(is_version(v, s) for v in versions))
    return next(fitting, Scheme.LABEL.value)


def new_library_yaml(library: str, versions: Sequence[str], known: Mapping[str, str]) -> str:
    """Return the library.yaml of a library that has none; `known` is what the source knows."""
    keys = dict(known)
    scheme = scheme_of(versions, keys.pop("version_scheme", ""))
    text = library_yaml(library, keys)
    if scheme == Scheme.SEMVER.value:
        return text
    listed = ""
    if scheme == Scheme.LABEL.value:
        listed = "versions:\n" + "".join(f"  - {quoted(version)}\n" for version in versions)
    return f"{text}version_scheme: {scheme}\n{listed}"


def _before(folder: Path) -> dict[str, str]:
    """Return what an earlier import wrote; raises `WriteRefused` where there was none."""
    if not folder.exists() or not any(folder.iterdir()):
        return {}
    try:
        found = read_provenance((folder / PROVENANCE).read_bytes())
    except OSError:
        found = None
    if found is None:
        return {}
    safe = {
        path: digest
        for path, digest in found.files.items()
        if path == posixpath.normpath(path) and not path.startswith(("/", "../"))
    }
    return {**safe, PROVENANCE: ""}


def _check_changed(folder: Path, before: Mapping[str, str], files: Mapping[str, bytes]) -> None:
    for path in sorted({*before, *files}):
        target = _target(folder, path)
        if not target.exists() or before.get(path) == "":
            continue
        data = target.read_bytes()
        if path in files and files[path] == data:
            continue
        if before.get(path) != hashlib.sha256(data).hexdigest():
            raise WriteRefused(
                f"{target} was written or changed by hand, and the import would replace it",
                hint="move it away, or replace it with --force",
            )


def _target(folder: Path, path: str) -> Path:
    """Return where a file goes; raises `WriteRefused` when a link on the way leads out."""
    target = folder / path
    if target.is_symlink() or not Path(os.path.realpath(target)).is_relative_to(folder):
        raise WriteRefused(f"{target} is a link, or lies behind one")
    return target


def _write(target: Path, data: bytes) -> None:
    """Write a file as a whole; one that has these bytes already keeps its time."""
    if target.is_file() and target.read_bytes() == data:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.{os.getpid()}.part")
    partial.write_bytes(data)
    partial.replace(target)


def _write_library(folder: Path, done: Done, versions: Sequence[str]) -> None:
    if not (folder / "library.yaml").exists():
        _write(
            folder / "library.yaml",
            new_library_yaml(done.order.library, versions, done.volume.library).encode(),
        )
