"""An archive in memory as a source: wheel, sdist, npm tarball, zip; read, never unpacked to disk.

An entry that would be written outside its folder when unpacked (an absolute path, `..`, a drive)
makes the whole archive refused: no tool that packs documentation writes one. Links and devices are
left out and said. Limits hold before anything is inflated beyond them.
"""

from __future__ import annotations

import bz2
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.errors import SourceRefused
from doctrove_builder.importing.source_tree import MIB, MemoryFiles, SourceTree

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_PACKED = 256 * MIB
MAX_UNPACKED = 512 * MIB
MAX_ENTRIES = 100_000
MAX_RATIO = 200
"""Unpacked to packed, once more than `RATIO_FROM` bytes come out."""

RATIO_FROM = 16 * MIB
ZIP_SUFFIXES = (".whl", ".zip")
TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
SUFFIXES = (*ZIP_SUFFIXES, *TAR_SUFFIXES)

_CHUNK = 1 << 20
_DRIVE = re.compile(r"[A-Za-z]:")
_ENCRYPTED = 0x1
"""Flag of an entry of a zip archive (APPNOTE.TXT, section 4.4.4)."""

_ENTRY_MARK = b"PK\x01\x02"
_UNPACK = "read it another way, or unpack it yourself and import the folder"


class ArchiveLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How much an archive may hold."""

    packed: int = MAX_PACKED
    unpacked: int = MAX_UNPACKED
    entries: int = MAX_ENTRIES
    ratio: int = MAX_RATIO
    ratio_from: int = RATIO_FROM


def is_archive(name: str) -> bool:
    """Say whether a file's name is that of an archive that can be read."""
    return name.lower().endswith(SUFFIXES)


def open_archive(data: bytes, *, name: str, limits: ArchiveLimits | None = None) -> SourceTree:
    """Open an archive by its name's suffix; one top folder that holds everything is left out.

    Raises `SourceRefused` for an archive that is damaged, hostile or beyond a limit.
    """
    limits = limits or ArchiveLimits()
    if len(data) > limits.packed:
        raise SourceRefused(f"{name} has more than {limits.packed:,} bytes")
    lowered = name.lower()
    if lowered.endswith(ZIP_SUFFIXES):
        return _open_zip(data, name=name, limits=limits, strip=not lowered.endswith(".whl"))
    if lowered.endswith(TAR_SUFFIXES):
        return _open_tar(data, name=name, limits=limits)
    raise SourceRefused(f"{name} is no archive: {', '.join(SUFFIXES)} can be read")


class _ZipFiles(msgspec.Struct, frozen=True, kw_only=True):
    archive: zipfile.ZipFile
    entries: Mapping[str, zipfile.ZipInfo]

    def sizes(self) -> Mapping[str, int]:
        return {path: entry.file_size for path, entry in self.entries.items()}

    def content(self, path: str, limit: int) -> bytes:
        try:
            with self.archive.open(self.entries[path]) as file:
                return file.read(limit + 1)
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError) as error:
            raise SourceRefused(f"{path} is damaged in the archive") from error
        except (NotImplementedError, RuntimeError) as error:
            is_secret = bool(self.entries[path].flag_bits & _ENCRYPTED)
            reason = "it is encrypted" if is_secret else "its method of packing is not known"
            raise SourceRefused(f"{path} cannot be unpacked: {reason}", hint=_UNPACK) from error


def _open_zip(data: bytes, *, name: str, limits: ArchiveLimits, strip: bool) -> SourceTree:
    if data.count(_ENTRY_MARK) > limits.entries:
        raise SourceRefused(f"{name} holds more than {limits.entries:,} entries")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, OSError, ValueError, UnicodeError, EOFError) as error:
        raise SourceRefused(f"{name} is no zip archive that can be read") from error
    skipped: list[tuple[str, str]] = []
    entries: dict[str, zipfile.ZipInfo] = {}
    total = 0
    for entry in archive.infolist():
        path = _safe(entry.filename, archive=name)
        if entry.is_dir() or not path:
            continue
        if (entry.external_attr >> 16) & 0o170000 == 0o120000:
            skipped.append((path, "it is a link; links are not followed"))
            continue
        entries[path] = entry
        total += entry.file_size
        if total > limits.unpacked:
            raise SourceRefused(f"{name} unpacks to more than {limits.unpacked:,} bytes")
    _check_ratio(len(data), total, name=name, limits=limits)
    top = _top_folder(entries) if strip else ""
    entries = {path[len(top) :]: entry for path, entry in entries.items()}
    opened = _ZipFiles(archive=archive, entries=entries)
    return SourceTree(opened, name=name, skipped=tuple(skipped))


def _open_tar(data: bytes, *, name: str, limits: ArchiveLimits) -> SourceTree:
    plain = _inflated(data, name=name, limits=limits)
    files: dict[str, bytes] = {}
    skipped: list[tuple[str, str]] = []
    try:
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
            for number, member in enumerate(archive):
                if number >= limits.entries:
                    raise SourceRefused(f"{name} holds more than {limits.entries:,} entries")
                path = _safe(member.name, archive=name)
                if member.isfile() and not member.issparse() and path:
                    file = archive.extractfile(member)
                    files[path] = file.read() if file else b""
                elif not member.isdir() and path:
                    skipped.append((path, "it is a link or a device; such are not followed"))
    except (tarfile.TarError, OSError, EOFError, ValueError, UnicodeError) as error:
        raise SourceRefused(f"{name} is no tar archive that can be read") from error
    top = _top_folder(files)
    files = {path[len(top) :]: content for path, content in files.items()}
    return SourceTree(MemoryFiles(files=files), name=name, skipped=tuple(skipped))


def _inflated(data: bytes, *, name: str, limits: ArchiveLimits) -> bytes:
    """Unpack gzip, bzip2 or xz, by what the bytes say, never beyond the limits."""
    if data.startswith(b"\x1f\x8b"):
        return _inflated_gzip(data, name=name, limits=limits)
    inflate: bz2.BZ2Decompressor | lzma.LZMADecompressor
    if data.startswith(b"BZh"):
        inflate = bz2.BZ2Decompressor()
    elif data.startswith(b"\xfd7zXZ"):
        inflate = lzma.LZMADecompressor(memlimit=limits.unpacked)
    else:
        return data
    plain = bytearray()
    feed = data
    try:
        while not inflate.eof:
            plain += inflate.decompress(feed, _CHUNK)
            feed = b""
            _check_size(len(data), len(plain), name=name, limits=limits)
            if inflate.needs_input:
                raise SourceRefused(f"{name} is damaged: it ends too early")
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise SourceRefused(f"{name} is damaged: it cannot be unpacked") from error
    return bytes(plain)


def _inflated_gzip(data: bytes, *, name: str, limits: ArchiveLimits) -> bytes:
    plain = bytearray()
    rest = data
    try:
        while rest.startswith(b"\x1f\x8b"):
            inflate = zlib.decompressobj(31)  # a gzip header (zlib manual, inflateInit2)
            while not inflate.eof:
                part = inflate.decompress(rest, _CHUNK)
                rest = inflate.unconsumed_tail
                plain += part
                _check_size(len(data), len(plain), name=name, limits=limits)
                if not part and not rest and not inflate.eof:
                    raise SourceRefused(f"{name} is damaged: it ends too early")
            rest = inflate.unused_data
    except zlib.error as error:
        raise SourceRefused(f"{name} is damaged: it cannot be unpacked") from error
    return bytes(plain)


def _check_size(packed: int, unpacked: int, *, name: str, limits: ArchiveLimits) -> None:
    if unpacked > limits.unpacked:
        raise SourceRefused(f"{name} unpacks to more than {limits.unpacked:,} bytes")
    _check_ratio(packed, unpacked, name=name, limits=limits)


def _check_ratio(packed: int, unpacked: int, *, name: str, limits: ArchiveLimits) -> None:
    if unpacked > limits.ratio_from and unpacked > packed * limits.ratio:
        raise SourceRefused(
            f"{name} unpacks to more than {limits.ratio} times its size, as an archive bomb does",
            hint=_UNPACK,
        )


def _safe(written: str, *, archive: str) -> str:
    """Return an entry's path; empty for the top folder itself, raises for one that leads out."""
    path = written.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if path.startswith("/") or _DRIVE.match(path) or ".." in parts or "\0" in path:
        raise SourceRefused(
            f"{archive} holds the entry {written[:200]!r}, which leads out of its folder",
            hint="do not trust this archive",
        )
    return "/".join(parts)


def _top_folder(paths: Iterable[str]) -> str:
    """Return the one folder that holds every file, with its `/`; empty when there is none."""
    tops = {path.partition("/")[0] if "/" in path else "" for path in paths}
    return f"{tops.pop()}/" if len(tops) == 1 and "" not in tops else ""
