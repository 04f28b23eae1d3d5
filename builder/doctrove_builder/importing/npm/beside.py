"""The README and the documentation that a package carries beside its code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.carried.collection import DOCS, Collection
from doctrove_builder.importing.carried.markdown import has_markdown, read_markdown
from doctrove_builder.importing.carried.readme import find_readme, read_readme

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import Options
    from doctrove_builder.importing.npm.package import Package
    from doctrove_builder.importing.source_tree import SourceTree


def pages_beside(tree: SourceTree, options: Options, package: Package) -> Collection:
    """Return the README and what the documentation holds."""
    found = Collection()
    asked = replace(
        options,
        library=options.library or package.name,
        repository=options.repository or package.repository,
    )
    readme, _ = find_readme(tree, plain="md")
    folder = next((one for one in DOCS if has_markdown(tree.under(one))), "")
    imported = read_markdown(tree, asked, folder, front=readme) if folder else None
    if imported is None and readme:
        imported = read_readme(tree, readme, restructured=False)
    if imported is not None:
        found.add(imported, "pages of Markdown")
    return found
