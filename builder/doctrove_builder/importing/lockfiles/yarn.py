"""Lock files of Yarn: the text form of version 1, and the YAML of later ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import SourceRefused
from doctrove_builder.importing.json_values import as_mapping, as_text
from doctrove_builder.importing.lockfiles.locked import NPM, VERSION, Collector, LockFile
from doctrove_builder.importing.openapi.document import read_document

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIELD = re.compile(r'  (version|resolved|integrity) "?([^"\n]+)"?')
_KEY = re.compile(
    r"(?P<name>(?:@[^/@]+/)?[^/@]+)@(?:npm:(?P<real>(?:@[^/@]+/)?[^@]+)@)?(?P<range>.*)"
)
_RESOLUTION = re.compile(r"(?P<name>(?:@[^/@]+/)?[^/@]+)@npm:(?P<version>[^:]+)")
_ELSEWHERE = "it comes from elsewhere than a registry"


def read_yarn(text: str, file: str) -> LockFile:
    """Read yarn.lock of any version."""
    if "\n__metadata:" in f"\n{text}":
        return _read_yaml(text, file)
    if "# yarn lockfile v1" not in text:
        raise SourceRefused(f"{file} is not of a version of Yarn that is known")
    found = Collector(NPM, file)
    for key, fields in _entries(text):
        parts = _KEY.fullmatch(key)
        version, resolved = fields.get("version", ""), fields.get("resolved", "https://")
        if parts is None:
            found.leave(key[:80], "it has no name")
        elif VERSION.fullmatch(version) and resolved.startswith(("https://", "http://")):
            hashes = tuple(fields.get("integrity", "").split())
            found.add(parts["real"] or parts["name"], version, hashes)
        else:
            found.leave(parts["name"], _ELSEWHERE)
    return found.result()


def _entries(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each entry of version 1: its first key, and its fields."""
    key = ""
    fields: dict[str, str] = {}
    for line in text.split("\n"):
        if line and line[0] not in " #" and line.endswith(":"):
            if key:
                yield key, fields
            key, fields = line.removesuffix(":").partition(", ")[0].strip('"'), {}
        elif field := _FIELD.fullmatch(line):
            fields[field[1]] = field[2]
    if key:
        yield key, fields


def _read_yaml(text: str, file: str) -> LockFile:
    """Read what Yarn 2 and later write; its checksums are of archives that it packed itself."""
    found = Collector(NPM, file)
    for key, written in as_mapping(read_document(text, name=file).value).items():
        if key == "__metadata":
            continue
        value = as_mapping(written)
        resolution = as_text(value.get("resolution"))
        parts = _RESOLUTION.fullmatch(resolution)
        if parts is not None and VERSION.fullmatch(parts["version"]):
            found.add(parts["name"], parts["version"])
        elif "@workspace:" in resolution:
            found.leave(resolution.partition("@workspace:")[0], "it is a folder of the project")
        else:
            found.leave(resolution[:80] or key[:80], _ELSEWHERE)
    return found.result()
