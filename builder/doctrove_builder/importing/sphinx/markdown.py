"""Markdown beside reStructuredText in one documentation, read by the kind for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.option_values import make_options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.importing.imported import Imported, Options
    from doctrove_builder.importing.source_tree import SourceTree


def has_markdown(paths: Iterable[str]) -> bool:
    """Say whether there is Markdown among files."""
    return any(path.lower().endswith((".md", ".mdx", ".markdown")) for path in paths)


def read_markdown(tree: SourceTree, options: Options, folder: str) -> Imported | None:
    """Return what the kind `markdown` reads in a folder; None when there is nothing."""
    from doctrove_builder.importing.markdown.kind import KIND, read  # noqa: PLC0415 - a kind of its own

    asked = make_options(
        KIND,
        {"docs": folder} if folder else {},
        library=options.library,
        version=options.version,
        open_tree=lambda _: tree,
    )
    package = options.source("package")
    asked = replace(
        asked,
        values={**asked.values, "package": package} if package else asked.values,
        repository=options.repository,
        commit=options.commit,
        base_url=options.base_url,
    )
    try:
        return read(tree, asked)
    except NothingImported:
        return None


def with_markdown(imported: Imported, tree: SourceTree, options: Options, folder: str) -> Imported:
    """Add the Markdown pages of a folder to those of its reStructuredText."""
    if not has_markdown(tree.under(folder)):
        return imported
    other = read_markdown(tree, options, folder)
    if other is None:
        return imported
    taken = {page.path for page in imported.pages}
    pages = tuple(page for page in other.pages if page.path not in taken)
    first = tuple(page for page in pages if page.path == "index")
    rest = tuple(page for page in pages if page.path != "index")
    counts = dict(imported.counts)
    for name, number in other.counts.items():
        counts[name] = counts.get(name, 0) + number
    return replace(
        imported,
        pages=(*first, *imported.pages, *rest),
        assets={**other.assets, **imported.assets},
        name=imported.name or other.name,
        counts=counts,
        notes=(*imported.notes, *other.notes),
    )
