"""From where the sources of an import may come, and what an opened one is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from doctrove_builder.importing.fetching import Network, NoNetwork
from doctrove_builder.importing.keeping import Keeping
from doctrove_builder.importing.lock import Pin
from doctrove_builder.importing.registry import NPM_HOSTS, PYPI_HOSTS, Registries
from doctrove_builder.importing.source_tree import SourceTree


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A source that is open."""

    tree: SourceTree
    digest: Callable[[], str]
    """Gives the SHA-256 of all that can be read from it."""

    pin: Pin | None = None
    """Of a download; None for what lies on this disk."""


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """From where sources may come."""

    base: Path
    """Relative paths begin here."""

    root: Path
    """Local sources lie below it, or below one of `allowed`."""

    allowed: tuple[Path, ...] = ()
    network: Network
    store: Path | None = None
    """Folder that keeps downloads by their hash; None keeps none."""

    pins: Mapping[str, Pin] = msgspec.field(default_factory=dict[str, Pin])
    """By source as written."""

    locked: Mapping[str, tuple[str, ...]] = msgspec.field(
        default_factory=dict[str, tuple[str, ...]]
    )
    """By source: hashes of which a lock file names one; a download that has none is refused."""

    pinned_only: bool = False
    """Refuse what is not pinned (builds), instead of pinning it (imports)."""

    registries: Registries = Registries()
    keeping: Keeping = msgspec.field(default_factory=Keeping)
    """Writes what `store` keeps."""


def open_network(registries: Registries, *, hosts: Iterable[str] = (), offline: bool) -> Network:
    """Return what downloads from the registries and these hosts, or nothing when offline.

    A registry that the user named himself is trusted: it may be private and without TLS.
    """
    if offline:
        return NoNetwork()
    return Network(hosts=(*PYPI_HOSTS, *NPM_HOSTS, *hosts), trusted=registries.own)


def project_root(folder: Path, *, otherwise: Path | None = None) -> Path:
    """Return the nearest folder around `folder`, itself included, that is a repository's top.

    Where none is, that is `otherwise`, or else the folder itself.
    """
    real = Path(os.path.realpath(folder))
    tops = (around for around in (real, *real.parents) if (around / ".git").exists())
    return next(tops, otherwise or real)
