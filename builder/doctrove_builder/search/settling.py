"""Put in order what the engine writes in another order at each run, so that bytes stay the same.

That is the list of values in a filter's file. The file's name is a hash that the metadata holds,
and theirs is in `pagefind-entry.json`; both get names by their new content. Files that read
otherwise than here described are left alone.
"""

from __future__ import annotations

import gzip
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SIGNATURE = b"pagefind_dcd"
_TEXT, _ARRAY, _MAP, _TAG = 3, 4, 5, 6
"""Major types of CBOR (RFC 8949, section 3.1)."""


def settle_filters(out: Path) -> None:
    """Order the filters of an index that was written to `out`."""
    names: dict[str, str] = {}
    for file in sorted(out.glob("filter/*.pf_filter")):
        data = ordered_filter(gzip.decompress(file.read_bytes()).removeprefix(_SIGNATURE))
        if data:
            names[file.stem] = _named(file.stem, data)
            _replace(file, data, name=names[file.stem])
    for file in sorted(out.glob("*.pf_meta")):
        data = gzip.decompress(file.read_bytes()).removeprefix(_SIGNATURE)
        for old, new in names.items():
            data = data.replace(old.encode(), new.encode())
        _, old, _ = file.name.split(".", 2)
        new = _named(old, data)
        _replace(file, data, name=f"pagefind.{new}")
        entry = out / "pagefind-entry.json"
        entry.write_text(entry.read_text("utf-8").replace(f'"{old}"', f'"{new}"'), "utf-8")


def ordered_filter(data: bytes) -> bytes:
    """Return a filter, `[name, [[value, [page ...]] ...]]` in CBOR, its values in order.

    Nothing for what reads otherwise.
    """
    try:
        name_at, count = _head(data, 0, major=_ARRAY)
        values_at = _end(data, name_at)
        first, number = _head(data, values_at, major=_ARRAY)
        values = list(_items(data, first, number))
    except (IndexError, ValueError):
        return b""
    if count != 2 or first + sum(map(len, values)) != len(data):
        return b""
    return data[:first] + b"".join(sorted(values))


def _items(data: bytes, at: int, count: int) -> Iterator[bytes]:
    for _ in range(count):
        end = _end(data, at)
        yield data[at:end]
        at = end


def _end(data: bytes, at: int) -> int:
    """Return where the item at `at` ends."""
    major = data[at] >> 5
    at, number = _head(data, at, major=major)
    if major < _TEXT - 1 or major > _TAG:
        return at
    if major <= _TEXT:
        return at + number
    for _ in range({_ARRAY: number, _MAP: 2 * number, _TAG: 1}[major]):
        at = _end(data, at)
    return at


def _head(data: bytes, at: int, *, major: int) -> tuple[int, int]:
    """Return where an item's content begins, and its length or value."""
    found, size = data[at] >> 5, data[at] & 31
    if found != major or size > 27:
        raise ValueError("another kind of item")
    if size < 24:
        return at + 1, size
    end = at + 1 + (1 << (size - 24))
    return end, int.from_bytes(data[at + 1 : end], "big")


def _named(old: str, data: bytes) -> str:
    """Return a name of the same form and length: the language, `_`, a hash."""
    language, _, digits = old.rpartition("_")
    return f"{language}_{sha256(data).hexdigest()[: len(digits)]}"


def _replace(file: Path, data: bytes, *, name: str) -> None:
    file.unlink()
    compressed = gzip.compress(_SIGNATURE + data, compresslevel=9, mtime=0)
    file.with_name(f"{name}{file.suffix}").write_bytes(compressed)
