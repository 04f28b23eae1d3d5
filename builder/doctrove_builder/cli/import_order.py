"""What the arguments of `doctrove-import` order, checked before the source is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.cli.import_options import package_of
from doctrove_builder.importing.into import check_names
from doctrove_builder.importing.kinds import load_kind
from doctrove_builder.importing.run import Order, check_order
from doctrove_builder.importing.sources import open_source

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from doctrove_builder.importing.reach import Opened, Reach


class UsageError(Exception):
    """The arguments do not fit each other; `str()` says what to do."""


def check_given(options: argparse.Namespace) -> None:
    """Refuse what can be seen to be wrong before anything is read."""
    check_order(order_of(options, "", ""), load_kind(options.kind))
    if options.id is not None or options.version is not None:
        check_names(
            "id" if options.id is None else options.id,
            "1" if options.version is None else options.version,
        )
    if options.all_versions and options.version:
        raise UsageError("--version and --all-versions exclude each other")
    check_into(options)


def check_into(options: argparse.Namespace) -> None:
    """Refuse an authoring folder that has no place."""
    into: Path | None = options.into
    if into is not None and not into.exists() and not into.absolute().parent.is_dir():
        raise UsageError(f"--into {into}: the folder {into.absolute().parent} is not there")
    if into is not None and into.exists() and not into.is_dir():
        raise UsageError(f"--into {into} is not a folder")


def named(options: argparse.Namespace, reach: Reach) -> tuple[str, tuple[str, ...], Opened | None]:
    """Return the id, the versions that are asked for, newest first, and the source if opened."""
    kind = load_kind(options.kind)
    library, version = package_of(options.source)
    library, version = options.id or library, options.version or version
    opened: Opened | None = None
    if options.all_versions or not library or not version:
        opened = open_source(options.source, reach)
        said = kind.named(opened.tree) if kind.named else ("", "")
        library, version = library or said[0], version or said[1]
    versions: tuple[str, ...] = (version,)
    if options.all_versions and opened is not None:
        versions = kind.versions(opened.tree) if kind.versions else ()
        if not versions:
            raise UsageError("this source holds one version: name it with --version")
    missing = [name for name, text in (("--id", library), ("--version", versions[0])) if not text]
    if missing:
        are = "are" if len(missing) > 1 else "is"
        raise UsageError(f"{' and '.join(missing)} {are} needed: this source does not say it")
    for one in versions:
        check_names(library, one)
    return library, versions, opened


def order_of(options: argparse.Namespace, library: str, version: str) -> Order:
    """Return the import that the arguments order, under an id and a version."""
    return Order(
        kind=options.kind,
        source=options.source,
        library=library,
        version=version,
        options=dict(options.option),
        license=options.license,
        repository=options.repository,
        commit=options.commit,
        base_url=options.base_url,
    )
