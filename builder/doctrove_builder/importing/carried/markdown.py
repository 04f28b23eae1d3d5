"""Markdown within another kind's source, read by the kind for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.option_values import make_options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.importing.imported import Imported, Options
    from doctrove_builder.importing.source_tree import SourceTree

SUFFIXES = (".md", ".mdx", ".markdown")


def has_markdown(paths: Iterable[str]) -> bool:
    """Say whether there is Markdown among files."""
    return any(path.lower().endswith(SUFFIXES) for path in paths)


def read_markdown(
    tree: SourceTree, options: Options, folder: str, *, front: str = ""
) -> Imported | None:
    """Return what the kind `markdown` reads in a folder; None when there is nothing.

    `front` is a file outside the folder, the README, whose page comes first.
    """
    from doctrove_builder.importing.markdown.kind import read  # noqa: PLC0415 - a kind of its own

    try:
        return read(tree, markdown_options(tree, options, folder), front=front)
    except NothingImported:
        return None


def markdown_options(tree: SourceTree, options: Options, folder: str) -> Options:
    """Return the options that the kind `markdown` reads a folder with for another kind."""
    from doctrove_builder.importing.markdown.kind import KIND  # noqa: PLC0415 - a kind of its own

    asked = make_options(
        KIND,
        {"docs": folder} if folder else {},
        library=options.library,
        version=options.version,
        open_tree=lambda _: tree,
    )
    package = options.source("package")
    return replace(
        asked,
        values={**asked.values, "package": package} if package else asked.values,
        repository=options.repository,
        commit=options.commit,
        base_url=options.base_url,
        license=options.license,
    )
