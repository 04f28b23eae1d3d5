"""package.json: what a package says of itself, and the declarations of what it exports."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.json_values import as_list, as_mapping, as_text, decode_json
from doctrove_builder.importing.source_tree import resolve_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from doctrove_builder.importing.source_tree import SourceTree

MANIFEST = "package.json"
DECLARED = (".d.ts", ".d.mts", ".d.cts")
MAX_ENTRIES = 1000
MAX_NESTING = 12
"""Of conditions in `exports`."""

_CODE = re.compile(r"(?:\.d)?\.([mc]?)[jt]sx?$")
_CONDITIONS = ("types", "typings", "import", "module", "node", "require", "default", "browser")
_GITHUB = re.compile(r"(?:github:)?([\w.-]+/[\w.-]+)")


class Package(msgspec.Struct, frozen=True, kw_only=True):
    """What package.json says."""

    name: str = ""
    summary: str = ""
    homepage: str = ""
    repository: str = ""
    license: str = ""
    entries: tuple[tuple[str, str], ...] = ()
    """What is imported (`""` for the package itself) and the file that declares it."""

    patterns: tuple[str, ...] = ()
    """Entries with a `*`, which name no file."""


def read_package(tree: SourceTree) -> Package:
    """Read package.json; empty where there is none or it cannot be read."""
    written = _manifest(tree)
    exports = list(_exports(written.get("exports"), 0))
    entries: dict[str, str] = {}
    for name, target in exports:
        if "*" not in name and (file := declaration_file(tree, target)):
            entries.setdefault(name, file)
    if "" not in entries:
        targets = (as_text(written.get(key)) for key in ("types", "typings", "main", "module"))
        found = (declaration_file(tree, target) for target in (*targets, "index") if target)
        main = next((file for file in found if file), "")
        entries = {"": main, **entries} if main else entries
    return Package(
        name=as_text(written.get("name")),
        summary=as_text(written.get("description")),
        homepage=as_text(written.get("homepage")),
        repository=repository_url(written.get("repository")),
        license=_license(written),
        entries=tuple(sorted(entries.items(), key=lambda entry: entry[0] != "")[:MAX_ENTRIES]),
        patterns=tuple(sorted({name for name, _ in exports if "*" in name})),
    )


def declaration_file(tree: SourceTree, target: str, *, folder: str = "") -> str:
    """Return the file that declares what a path leads to; empty when there is none."""
    path = resolve_path(target, folder=folder)
    if path is None:
        return ""
    if path.endswith(DECLARED) and path in tree:
        return path
    found = _CODE.search(path)
    bare = path[: found.start()] if found else path
    kinds = (f".d.{found[1]}ts", *DECLARED) if found else DECLARED
    whole = [f"{path}{kind}" for kind in DECLARED]
    beside = [f"{bare}{kind}" for kind in kinds]
    below = [posixpath.normpath(f"{path}/index{kind}") for kind in DECLARED]
    return next((file for file in (*beside, *whole, *below) if file in tree), "")


def repository_url(value: object) -> str:
    """Return the address of a repository as package.json may write it."""
    text = as_text(as_mapping(value).get("url", value))
    if found := _GITHUB.fullmatch(text):
        return f"https://github.com/{found[1]}"
    text = re.sub(r"^(?:git\+)?(?:https?|git|ssh)://(?:git@)?", "https://", text)
    text = re.sub(r"^git@([\w.-]+):", r"https://\1/", text)
    return text.removesuffix(".git") if text.startswith("https://") else ""


def _exports(value: object, depth: int) -> Iterator[tuple[str, str]]:
    """Yield name and target of the entries, for each the target with types first."""
    subpaths = {key: target for key, target in as_mapping(value).items() if key.startswith(".")}
    if subpaths:
        for key, target in subpaths.items():
            name = key.removeprefix(".").removeprefix("/")
            for one in _targets(target, depth + 1):
                yield name, one
    else:
        for one in _targets(value, depth):
            yield "", one


def _targets(value: object, depth: int) -> Iterator[str]:
    if depth > MAX_NESTING:
        return
    if isinstance(value, str):
        yield value
    for one in as_list(value):
        yield from _targets(one, depth + 1)
    conditions = as_mapping(value)
    known = [key for key in _CONDITIONS if key in conditions]
    others = [key for key in conditions if key not in _CONDITIONS]
    for key in (*known, *others):
        yield from _targets(conditions[key], depth + 1)


def _manifest(tree: SourceTree) -> Mapping[str, object]:
    try:
        return as_mapping(decode_json(tree.read_bytes(MANIFEST, limit=1 << 20)))
    except FileRefused:
        return {}


def _license(written: Mapping[str, object]) -> str:
    value = written.get("license")
    text = as_text(as_mapping(value).get("type", value))
    return "" if text.upper().startswith(("SEE ", "UNLICENSED")) else text
