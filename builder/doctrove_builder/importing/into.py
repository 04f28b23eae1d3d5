"""Writing an imported volume into an authoring folder; what a person wrote there is kept."""

from __future__ import annotations

import hashlib
import os
import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.authoring import parse_mapping
from doctrove_builder.importing.errors import ImportingError
from doctrove_builder.importing.library_file import new_library_yaml, with_version
from doctrove_builder.importing.renewing import renew_folder
from doctrove_builder.provenance import PROVENANCE, read_provenance
from doctrove_builder.writing import WritingError
from doctrove_schema.names import decode_name, encode_name, fold, id_fault, name_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from doctrove_builder.importing.run import Done


class WriteRefused(ImportingError):
    """The place for a volume holds what was not imported, or cannot be written."""


def write_volume(
    done: Done, root: Path, *, force: bool = False, versions: Sequence[str] = ()
) -> Path:
    """Write a volume below an authoring root and return its folder.

    `versions` are all that are imported together, newest first: a new library.yaml names them.

    A volume that was imported before is renewed as a whole: files as the import wrote them are
    replaced or removed, further files stay. Where a person changed one of them, or wrote the
    volume, nothing is written unless `force`. Raises `WriteRefused`.
    """
    library, version = done.order.library, done.order.version
    check_names(library, version)
    root = Path(os.path.realpath(root))
    folder = root / library_folder(root, library) / encode_name(version)
    if not Path(os.path.realpath(folder)).is_relative_to(root):
        raise WriteRefused(f"{folder} leads out of {root}")
    files = done.volume.files
    try:
        before = _before(folder)
        if not force:
            _check_changed(folder, before, files)
        gone = [path for path in sorted(set(before) - set(files)) if (folder / path).exists()]
        if gone or any(not _is_written(folder / path, data) for path, data in files.items()):
            renew_folder(folder, lambda new: _change(new, gone, files))
        _write_library(folder.parent, done, versions or [version])
    except OSError as error:
        raise WriteRefused(f"{folder} cannot be written: {error.strerror or error}") from error
    except WritingError as error:
        raise WriteRefused(error.message, hint=error.hint) from error
    return folder


def check_names(library: str, version: str) -> None:
    """Raise `WriteRefused` for an id or a version that names no folder."""
    for what, text, fault in (
        ("id", library, id_fault(library)),
        ("version", version, name_fault(version)),
    ):
        if fault:
            raise WriteRefused(f"the {what} {text!r} {fault}")


def library_folder(root: Path, library: str) -> str:
    """Return the folder of a library below the root: the one that has it, or a name for it."""
    for file in sorted(root.glob("*/library.yaml")):
        text = file.read_text(encoding="utf-8", errors="replace")
        settings, _ = parse_mapping(text, source=file.name, schema="library")
        written = settings.text("id") if settings else ""
        if fold(written or file.parent.name) == fold(library):
            return file.parent.name
    return encode_name(library)


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


def _change(folder: Path, gone: Iterable[str], files: Mapping[str, bytes]) -> None:
    for path in gone:
        _target(folder, path).unlink(missing_ok=True)
    for path, data in files.items():
        _write(_target(folder, path), data)


def _is_written(target: Path, data: bytes) -> bool:
    return target.is_file() and target.read_bytes() == data


def _write(target: Path, data: bytes) -> None:
    """Write a file as a whole; one that has these bytes already keeps its time."""
    if _is_written(target, data):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.{os.getpid()}.part")
    partial.write_bytes(data)
    partial.replace(target)


def _write_library(folder: Path, done: Done, versions: Sequence[str]) -> None:
    file = folder / "library.yaml"
    if not file.exists():
        text = new_library_yaml(done.order.library, versions, done.volume.library)
    else:
        present = [decode_name(one.parent.name) for one in folder.glob("[!._]*/volume.yaml")]
        written = file.read_text(encoding="utf-8", errors="replace")
        text = with_version(written, done.order.version, present)
        if text == written:
            return
    _write(file, text.encode())
