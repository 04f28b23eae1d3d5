"""What a lock file pins: packages of a registry, and what cannot be had from one."""

from __future__ import annotations

import re

import msgspec

from doctrove_builder.importing.imported import Note

PYPI, NPM = "pypi", "npm"
VERSION = re.compile(r"\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?")
"""An exact version of npm, as its registry has it."""


_WRITTEN = re.compile(r"[0-9A-Za-z][0-9A-Za-z.!+_-]{0,199}")
"""What versions of PyPI and npm are made of."""


class Locked(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """One package at one version."""

    registry: str
    """`pypi` or `npm`."""

    name: str
    version: str
    hashes: tuple[str, ...] = ()
    """`sha256-HEX` or `sha512-BASE64` of the archives that are meant; none: any is."""

    @property
    def source(self) -> str:
        """The source as the command takes it."""
        sign = "==" if self.registry == PYPI else "@"
        return f"{self.registry}:{self.name}{sign}{self.version}"

    @property
    def kind(self) -> str:
        """The kind that reads it."""
        return "python" if self.registry == PYPI else "npm"


class LockFile(msgspec.Struct, frozen=True, kw_only=True):
    """The packages of one lock file, each once, by name."""

    name: str
    packages: tuple[Locked, ...]
    notes: tuple[Note, ...] = ()
    """What was left out and why: the project itself, packages from a folder or from git."""


def no_version(text: str) -> str:
    """Say that a text stands where a version belongs."""
    return f"its version is {text[:80]!r}, which is none"


class Collector:
    """Takes packages and what is left out, each once."""

    def __init__(self, registry: str, file: str) -> None:
        """Begin with nothing."""
        self._registry = registry
        self._file = file
        self._packages: dict[tuple[str, str], Locked] = {}
        self._notes: dict[str, Note] = {}

    def add(self, name: str, version: str, hashes: tuple[str, ...] = ()) -> None:
        """Take a package; one without a name or a version is noted."""
        if version and not _WRITTEN.fullmatch(version):
            self.leave(name or "?", no_version(version))
        elif name and version:
            made = Locked(registry=self._registry, name=name, version=version, hashes=hashes)
            self._packages.setdefault((name, version), made)
        else:
            self.leave(name or "?", "it has no version")

    def leave(self, name: str, why: str) -> None:
        """Note what is left out."""
        note = Note(kind="package-left-out", place=name, message=why)
        self._notes.setdefault(f"{name} {why}", note)

    def result(self) -> LockFile:
        """Return what was taken."""
        return LockFile(
            name=self._file,
            packages=tuple(sorted(self._packages.values())),
            notes=tuple(self._notes.values()),
        )
