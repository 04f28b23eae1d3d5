"""`objects.inv`: what a build of Sphinx says of its project, documents and objects.

Source: Sphinx, "Inventory format": four header lines, then compressed lines of
`name domain:role priority uri dispname`. Only as much is inflated as the limit allows.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_INFLATED = 16 * 1024 * 1024
"""The largest inventories of real projects hold a third of it."""

MAX_LINE = 4_000
_LINE = re.compile(r"(.+?)\s+([^\s:]+:\S+)\s+(-?\d+)\s+(\S*)\s+(.*)")
_HEADER_LINES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """The parts of an inventory that an import uses."""

    project: str
    version: str
    objects: Mapping[str, tuple[str, ...]]
    """By address, `api.html#click.echo`: the names of the objects there."""

    documents: tuple[str, ...]
    """Names of the documents."""

    cut: bool
    """Whether it holds more than is read."""


def read_inventory(data: bytes) -> Inventory | None:
    """Read an inventory of version 2; None when it is damaged or of another version."""
    header = data.split(b"\n", _HEADER_LINES)
    if len(header) <= _HEADER_LINES or not header[0].startswith(b"# Sphinx inventory version 2"):
        return None
    try:
        packed = zlib.decompressobj()
        inflated = packed.decompress(header[_HEADER_LINES], MAX_INFLATED)
    except zlib.error:
        return None
    objects: dict[str, list[str]] = {}
    documents: list[str] = []
    for line in inflated.decode("utf-8", "replace").split("\n"):
        found = _LINE.fullmatch(line) if len(line) <= MAX_LINE else None
        if found is None:
            continue
        name, role, uri = found[1], found[2], found[4]
        if role == "std:doc":
            documents.append(name)
        elif not role.startswith("std:") or role in {"std:cmdoption", "std:envvar", "std:confval"}:
            objects.setdefault(uri.replace("$", name), []).append(name)
    return Inventory(
        project=_header(header[1]),
        version=_header(header[2]),
        objects={uri: tuple(names) for uri, names in objects.items()},
        documents=tuple(documents),
        cut=bool(packed.unconsumed_tail),
    )


def _header(line: bytes) -> str:
    return line.decode("utf-8", "replace").partition(":")[2].strip()
