"""Publish a tree: make it beside the destination, then exchange the two.

At every moment the destination is the old tree or the new one, whole; `exchange` says what holds
where the system cannot exchange folders. What a killed run leaves, the next one puts in order.
"""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.writing.destination import KEPT, check_replaceable, real_path
from doctrove_builder.writing.durable import flush_folder, flush_tree
from doctrove_builder.writing.errors import ArtefactRefused, WritingError, disk_failed
from doctrove_builder.writing.exchange import exchange_trees, new_name
from doctrove_builder.writing.listing import list_tree
from doctrove_builder.writing.lock import locked
from doctrove_builder.writing.manifest import MANIFEST, Manifest, read_manifest
from doctrove_builder.writing.settling import settle
from doctrove_builder.writing.staging import Staging

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from doctrove_builder.writing.artefact import Artefact
    from doctrove_builder.writing.exchange import Exchange


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """What a publication did."""

    manifest: Manifest
    """Every file of the new tree."""

    written: tuple[str, ...] = ()
    """Paths that are new or changed, in path order."""

    unchanged: int = 0
    """Number of files that kept bytes and times."""

    removed: tuple[str, ...] = ()
    """Paths of the old tree that are gone, in path order."""

    foreign: tuple[str, ...] = ()
    """Those of them that no build had written."""

    left: tuple[str, ...] = ()
    """Old trees beside the destination that the system does not let us remove."""

    @property
    def size(self) -> int:
        """Bytes of the new tree, without kept files and the manifest."""
        return sum(entry.bytes for entry in self.manifest.files.values())


def publish_tree(  # noqa: PLR0913 - each option has a default that is right for a build
    dest: Path,
    artefacts: Iterable[Artefact],
    *,
    generator: str = "",
    keep: Collection[str] = KEPT,
    carry: Callable[[str], bool] | None = None,
    exchange: Exchange = exchange_trees,
    durable: bool = True,
    patience: float = 30,
) -> Published:
    """Replace the tree at `dest` by these artefacts and a `manifest.json`.

    `artefacts` is read once, while the destination is locked; an exception of its own passes
    through. Files of the old tree whose path `carry` accepts and that no artefact replaces are
    taken over. Kept root names stay as they are. `durable` also guards against a power cut.
    `patience` is how many seconds to wait for another build. Call `check_destination` before, which
    knows the source. Raises `WritingError`: the destination is then as it was or, when only what
    comes after the exchange failed, the new tree; never a mixture.
    """
    dest = real_path(dest)
    try:
        dest.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise disk_failed(error, what="make", file=dest.parent) from error
    with locked(dest, patience=patience):
        settle(dest, keep=keep)
        check_replaceable(dest, keep=keep)
        try:
            staging = _stage(dest, artefacts, keep=keep)
            previous = read_manifest(dest)
            if carry is not None:
                _carry_over(staging, previous, carry=carry)
            published = _report(staging, previous, manifest=staging.add_manifest(generator))
            if published.written or published.removed:
                staging.complete(keep=keep)
                _put_in_place(staging, dest, exchange=exchange, durable=durable)
        except BaseException:
            with contextlib.suppress(WritingError):  # the first error is the one to tell
                settle(dest, keep=keep)
            raise
        return msgspec.structs.replace(published, left=settle(dest, keep=keep).left)


def _stage(dest: Path, artefacts: Iterable[Artefact], *, keep: Collection[str]) -> Staging:
    try:
        old = list_tree(dest, skip=keep)
    except OSError as error:
        raise disk_failed(error, what="read", file=Path(error.filename or dest)) from error
    root = new_name(dest, secrets.token_hex(4))
    staging = Staging(root, dest=dest, old=old, reserved=keep)
    for artefact in artefacts:
        staging.place(artefact)
    return staging


def _carry_over(
    staging: Staging, previous: Manifest | None, *, carry: Callable[[str], bool]
) -> None:
    """Take over files of the old tree; a stranger among them is no reason to fail."""
    known = previous.files if previous else {}
    for path in sorted(staging.old.files):
        if path in staging.entries or path == MANIFEST or not carry(path):
            continue
        if path in known:
            staging.carry(path)
            continue
        with contextlib.suppress(ArtefactRefused):
            staging.carry_unlisted(path)


def _report(staging: Staging, previous: Manifest | None, *, manifest: Manifest) -> Published:
    taken = {*staging.unchanged, *staging.written}
    old = (*staging.old.files, *staging.old.others)
    removed = tuple(sorted(path for path in old if path not in taken))
    known = previous.files if previous else {}
    return Published(
        manifest=manifest,
        written=tuple(sorted(staging.written)),
        unchanged=len(staging.unchanged),
        removed=removed,
        foreign=tuple(path for path in removed if path not in known),
    )


def _put_in_place(staging: Staging, dest: Path, *, exchange: Exchange, durable: bool) -> None:
    try:
        if durable:
            flush_tree(staging.root, written=staging.written)
        if dest.exists():
            exchange(staging.root, dest)
        else:
            staging.root.rename(dest)
        if durable:
            flush_folder(dest.parent)
    except OSError as error:
        raise disk_failed(error, what="replace", file=dest) from error
