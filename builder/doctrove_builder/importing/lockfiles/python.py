"""Lock files of Python: uv.lock, poetry.lock, pylock.toml (PEP 751), requirements.txt."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from packaging.requirements import InvalidRequirement, Requirement

from doctrove_builder.importing.errors import SourceRefused
from doctrove_builder.importing.json_values import as_list, as_mapping, as_text
from doctrove_builder.importing.lockfiles.locked import PYPI, Collector, LockFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LOCAL = ("editable", "virtual", "directory", "path")
_OPTION = re.compile(r"\s+--[a-z-]+(?:[= ].*)?$", re.DOTALL)
_HASH = re.compile(r"--hash[= ](\w+):([0-9a-f]+)")
_COMMENT_LINE = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|\s)#.*$")


def read_uv(text: str, file: str) -> LockFile:
    """Read uv.lock: packages that come from a registry."""
    found = Collector(PYPI, file)
    for package in map(as_mapping, as_list(_toml(text, file).get("package"))):
        name, source = as_text(package.get("name")), as_mapping(package.get("source"))
        if not source or "registry" in source:
            files = (package.get("sdist"), *as_list(package.get("wheels")))
            found.add(name, as_text(package.get("version")), _hashes(files))
        elif any(key in source for key in _LOCAL):
            found.leave(name, "it is a folder of the project")
        else:
            found.leave(name, f"it comes from {next(iter(source))}, not from a registry")
    return found.result()


def read_poetry(text: str, file: str) -> LockFile:
    """Read poetry.lock."""
    found = Collector(PYPI, file)
    for package in map(as_mapping, as_list(_toml(text, file).get("package"))):
        name = as_text(package.get("name"))
        kind = as_text(as_mapping(package.get("source")).get("type"))
        if kind in {"", "legacy"}:  # another index than PyPI is called so
            files = as_list(package.get("files"))
            found.add(name, as_text(package.get("version")), _hashes(files))
        else:
            found.leave(name, f"it comes from {kind}, not from a registry")
    return found.result()


def read_pylock(text: str, file: str) -> LockFile:
    """Read pylock.toml (PEP 751)."""
    found = Collector(PYPI, file)
    for package in map(as_mapping, as_list(_toml(text, file).get("packages"))):
        name = as_text(package.get("name"))
        elsewhere = next((key for key in ("vcs", "directory", "archive") if key in package), "")
        if elsewhere:
            found.leave(name, f"it comes from {elsewhere}, not from a registry")
        else:
            files = (package.get("sdist"), *as_list(package.get("wheels")))
            found.add(name, as_text(package.get("version")), _hashes(files))
    return found.result()


def read_requirements(text: str, file: str) -> LockFile:
    """Read requirements.txt: what is pinned with `==`."""
    found = Collector(PYPI, file)
    # A comment of its own ends with its line, whatever its last character is.
    joined = _COMMENT_LINE.sub("", text).replace("\\\n", " ")
    for row in joined.split("\n"):
        whole = _COMMENT.sub("", row)
        line = _OPTION.sub("", whole).strip()
        if not line:
            continue
        if line.startswith("-"):
            if not line.startswith(("--", "-i", "-f", "-c")):
                found.leave(line[:80], "it names another file or a folder")
            continue
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            found.leave(line[:80], "it is no requirement")
            continue
        pins = list(requirement.specifier)
        if requirement.url:
            found.leave(requirement.name, "it comes from an address, not from a registry")
        elif len(pins) != 1 or pins[0].operator not in {"==", "==="} or "*" in pins[0].version:
            found.leave(requirement.name, "it is not pinned to one version")
        else:
            hashes = tuple(f"{name}-{digest}" for name, digest in _HASH.findall(whole))
            found.add(requirement.name, pins[0].version, hashes)
    return found.result()


def _hashes(files: Iterable[object]) -> tuple[str, ...]:
    """Return the hashes of files: `hash = "sha256:HEX"`, or a table of them (PEP 751)."""
    found: list[str] = []
    for file in map(as_mapping, files):
        found += [as_text(file.get("hash")).replace(":", "-", 1)]
        found += [f"{name}-{value}" for name, value in as_mapping(file.get("hashes")).items()]
    return tuple(one for one in found if one)


def _toml(text: str, file: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise SourceRefused(f"{file} is nested too deeply") from error
    except tomllib.TOMLDecodeError as error:
        raise SourceRefused(f"{file} is not TOML: {str(error)[:200]}") from error
