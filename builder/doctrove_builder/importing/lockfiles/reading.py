"""A lock file by its name to the packages that it pins."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from doctrove_builder.importing.errors import NothingImported, OptionRefused, SourceRefused
from doctrove_builder.importing.imported import Option
from doctrove_builder.importing.lockfiles.javascript import read_package_lock, read_pnpm
from doctrove_builder.importing.lockfiles.python import (
    read_poetry,
    read_pylock,
    read_requirements,
    read_uv,
)
from doctrove_builder.importing.lockfiles.yarn import read_yarn
from doctrove_builder.importing.source_tree import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from doctrove_builder.importing.lockfiles.locked import Locked, LockFile
    from doctrove_builder.importing.source_tree import SourceTree

MAX_BYTES = 64 * MIB
MAX_PACKAGES = 5000
_READERS: tuple[tuple[re.Pattern[str], Callable[[str, str], LockFile]], ...] = (
    (re.compile(r"uv\.lock"), read_uv),
    (re.compile(r"poetry\.lock"), read_poetry),
    (re.compile(r"pylock(?:\.[^.]+)?\.toml"), read_pylock),
    (re.compile(r"(?:package-lock|npm-shrinkwrap)\.json"), read_package_lock),
    (re.compile(r"pnpm-lock\.yaml"), read_pnpm),
    (re.compile(r"yarn\.lock"), read_yarn),
    (re.compile(r"[\w.-]*requirements[\w.-]*\.(?:txt|lock)|requirements\.lock"), read_requirements),
)
NAMES = (
    "uv.lock, poetry.lock, pylock.toml, requirements.txt, package-lock.json, pnpm-lock.yaml,"
    " yarn.lock"
)


def read_lock_file(tree: SourceTree) -> LockFile:
    """Read a source that is one lock file.

    Raises `SourceRefused` for one that is unknown or cannot be read, `NothingImported` for one
    that pins nothing.
    """
    file = tree.paths[0] if len(tree.paths) == 1 else ""
    reader = next((read for name, read in _READERS if file and name.fullmatch(file)), None)
    if reader is None:
        raise SourceRefused(f"{tree.name} is no lock file", hint=f"known are: {NAMES}")
    found = reader(tree.read_text(file, limit=MAX_BYTES), file)
    if not found.packages:
        raise NothingImported(f"{file} pins no package of a registry")
    if len(found.packages) > MAX_PACKAGES:
        raise SourceRefused(
            f"{file} pins {len(found.packages):,} packages, and {MAX_PACKAGES:,} is the most",
            hint="choose some with --option only=NAME,...",
        )
    return found


OPTIONS = (
    Option(
        name="only",
        type="list",
        help="names of the packages to import, with * for any letters; all if empty",
    ),
    Option(name="skip", type="list", help="names of packages to leave out, with * for any letters"),
)


class Chosen(NamedTuple):
    """Patterns of the names of packages."""

    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()


def lock_options(written: Iterable[tuple[str, str]]) -> Chosen:
    """Read `only=NAME,...` and `skip=NAME,...`; raises `OptionRefused` for another option."""
    found: dict[str, tuple[str, ...]] = {option.name: () for option in OPTIONS}
    for name, value in written:
        if name not in found:
            listed = ", ".join(found)
            raise OptionRefused(f"a lock file has no option {name!r}", hint=f"it has: {listed}")
        found[name] += tuple(part.strip() for part in value.split(",") if part.strip())
    return Chosen(found["only"], found["skip"])


def choose(found: LockFile, chosen: Chosen) -> LockFile:
    """Return the packages whose names match a pattern of `only`, if any, and none of `skip`.

    Raises `OptionRefused` for a pattern of `only` that nothing matches.
    """
    only, skip = chosen
    for pattern in only:
        if not any(_matches(package, (pattern,)) for package in found.packages):
            raise OptionRefused(f"{found.name} pins no package {pattern!r}")
    packages = tuple(
        package
        for package in found.packages
        if (not only or _matches(package, only)) and not _matches(package, skip)
    )
    return msgspec.structs.replace(found, packages=packages)


def _matches(package: Locked, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(package.name.lower(), pattern.lower()) for pattern in patterns)
