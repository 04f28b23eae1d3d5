"""Lock files of JavaScript: package-lock.json (npm, versions 1 to 3) and pnpm-lock.yaml."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import SourceRefused
from doctrove_builder.importing.json_values import as_mapping, as_text, decode_json
from doctrove_builder.importing.lockfiles.locked import (
    NPM,
    VERSION,
    Collector,
    LockFile,
    no_version,
)
from doctrove_builder.importing.openapi.document import read_document

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_DEPTH = 50
"""Of dependencies in dependencies."""

_PNPM = re.compile(
    r"/?(?P<name>(?:@[^/@]+/)?[^/@]+)[@/](?P<version>\d[^_()/@]*)(?:[_(].*)?", re.DOTALL
)
_REGISTRY = re.compile(r"https?://")


def read_package_lock(text: str, file: str) -> LockFile:
    """Read package-lock.json or npm-shrinkwrap.json."""
    root = as_mapping(decode_json(text.encode()))
    if not root:
        raise SourceRefused(f"{file} is not JSON")
    found = Collector(NPM, file)
    packages = as_mapping(root.get("packages"))
    for path, written in packages.items():
        folder, mark, name = path.rpartition("node_modules/")
        value = as_mapping(written)
        if not mark:
            if path:
                found.leave(path, "it is a folder of the project")
        elif value.get("link") is not True:
            _add(found, as_text(value.get("name")) or name, value)
        elif not folder:
            found.leave(name, "it is a folder of the project")
    if not packages:
        _dependencies(found, as_mapping(root.get("dependencies")), 0)
    return found.result()


def read_pnpm(text: str, file: str) -> LockFile:
    """Read pnpm-lock.yaml: the keys of `packages` are names with versions."""
    root = as_mapping(read_document(text, name=file).value)
    found = Collector(NPM, file)
    for key, written in as_mapping(root.get("packages")).items():
        value = as_mapping(written)
        name, version = as_text(value.get("name")), as_text(value.get("version"))
        matched = _PNPM.fullmatch(key)
        if matched and VERSION.fullmatch(matched["version"]):
            integrity = as_text(as_mapping(value.get("resolution")).get("integrity"))
            found.add(matched["name"], matched["version"], tuple(integrity.split()))
        else:
            found.leave(name or key[:80], f"{version or 'it'} comes from elsewhere than a registry")
    return found.result()


def _add(found: Collector, name: str, value: Mapping[str, object]) -> None:
    version, resolved = as_text(value.get("version")), as_text(value.get("resolved"))
    if value.get("bundled") is True or value.get("inBundle") is True:
        return  # part of another package's archive
    if version.startswith("npm:"):  # an alias, as version 1 writes it
        name, _, version = version.removeprefix("npm:").rpartition("@")
    if VERSION.fullmatch(version) and (not resolved or _REGISTRY.match(resolved)):
        found.add(name, version, tuple(as_text(value.get("integrity")).split()))
    elif version and ":" not in version and not VERSION.fullmatch(version):
        found.leave(name, no_version(version))
    else:
        found.leave(name, "it comes from elsewhere than a registry")


def _dependencies(found: Collector, value: Mapping[str, object], depth: int) -> None:
    for name, written in value.items() if depth < MAX_DEPTH else ():
        inner = as_mapping(written)
        _add(found, name, inner)
        _dependencies(found, as_mapping(inner.get("dependencies")), depth + 1)
