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
    from collections.abc import Iterable, Iterator, Mapping

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
    version: str = ""
    summary: str = ""
    homepage: str = ""
    repository: str = ""
    license: str = ""
    entries: tuple[tuple[str, str], ...] = ()
    """What is imported (`""` for the package itself) and the file that declares it."""

    patterns: tuple[tuple[str, str], ...] = ()
    """Entries with a `*` and the path, with a `*` too, that each leads to."""

    def declares(self, tree: SourceTree, subpath: str) -> str:
        """Return the file that declares an entry, one of a pattern too; empty when none does."""
        if found := dict(self.entries).get(subpath):
            return found
        for name, target in self.patterns:
            before, _, after = name.partition("*")
            fits = subpath.startswith(before) and subpath.endswith(after)
            if fits and len(subpath) > len(before) + len(after):
                star = subpath[len(before) : len(subpath) - len(after)]
                if file := declaration_file(tree, target.replace("*", star)):
                    return file
        return declaration_file(tree, subpath or "index")


def read_package(tree: SourceTree) -> Package:
    """Read package.json; empty where there is none or it cannot be read."""
    written = _manifest(tree)
    exports = list(_exports(written.get("exports"), 0))
    typed = _types_versions(written)
    if not exports:
        exports = [(name, target) for name, target in typed if name != "*"]
    entries: dict[str, str] = {}
    for name, target in exports:
        if "*" not in name and (file := declaration_file(tree, target)):
            entries.setdefault(name, file)
    if "" not in entries:
        targets = (as_text(written.get(key)) for key in ("types", "typings", "main", "module"))
        named = [target for target in (*targets, "index") if target]
        named = [*(_redirected(target, typed) for target in named), *named]
        found = (declaration_file(tree, target) for target in named)
        main = next((file for file in found if file), "")
        entries = {"": main, **entries} if main else entries
    patterns = tuple((name, target) for name, target in exports if "*" in name and "*" in target)
    if not entries:
        entries, patterns = dict(_matching(tree, patterns)), ()
    return Package(
        name=as_text(written.get("name")),
        version=as_text(written.get("version")),
        summary=as_text(written.get("description")),
        homepage=as_text(written.get("homepage")),
        repository=repository_url(written.get("repository")),
        license=_license(written),
        entries=tuple(sorted(entries.items(), key=lambda entry: entry[0] != "")[:MAX_ENTRIES]),
        patterns=patterns,
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


def _types_versions(written: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return what `typesVersions` says for the newest TypeScript: subpaths and their targets."""
    ranges = as_mapping(written.get("typesVersions"))
    newest = next((key for key in ranges if not key.strip().startswith("<")), "")
    return [
        (name.removeprefix("./"), target)
        for name, targets in as_mapping(ranges.get(newest)).items()
        for target in map(as_text, as_list(targets))
        if target
    ]


def _redirected(path: str, typed: Iterable[tuple[str, str]]) -> str:
    """Return where `typesVersions` leads a path to; empty when it says nothing of it."""
    bare = path.removeprefix("./")
    for name, target in typed:
        before, star, after = name.partition("*")
        if not star and name == bare:
            return target
        if star and bare.startswith(before) and bare.endswith(after):
            return target.replace("*", bare[len(before) : len(bare) - len(after)])
    return ""


def _matching(tree: SourceTree, patterns: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the entries that patterns stand for: a name for each file that declares something."""
    declared = [path for path in tree.paths if path.endswith(DECLARED)]
    for name, target in patterns:
        before, _, after = (resolve_path(target) or "").partition("*")
        ends = [_CODE.sub("", after) + kind for kind in DECLARED]
        for path in declared:
            end = next((one for one in ends if path.endswith(one)), "")
            star = path[len(before) : len(path) - len(end)]
            if end and star and path.startswith(before):
                yield name.replace("*", star), path


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
    versioned = [key for key in others if key.startswith("types@") and "<" not in key]
    for key in (*versioned, *known, *others):
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
