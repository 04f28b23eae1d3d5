"""The kind `python`: API documentation from a package's source, and the documentation beside it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace
from packaging.utils import canonicalize_name

from doctrove_builder.importing.carried.collection import distinct_pages, undocumented
from doctrove_builder.importing.carried.licence_page import licence_page
from doctrove_builder.importing.errors import NothingImported, OptionRefused
from doctrove_builder.importing.imported import Imported, Kind, Option, Options
from doctrove_builder.importing.licences import find_licences
from doctrove_builder.importing.python.beside import pages_beside
from doctrove_builder.importing.python.exposure import public_modules
from doctrove_builder.importing.python.loading import load_packages
from doctrove_builder.importing.python.metadata import Metadata, read_metadata
from doctrove_builder.importing.python.pages import api_pages, writing_of
from doctrove_builder.importing.python.roots import find_roots
from doctrove_builder.importing.python.texts import DEEPEST_SPLIT

if TYPE_CHECKING:
    from doctrove_builder.importing.python.markup import Markup, Style
    from doctrove_builder.importing.source_tree import SourceTree

_MARKUP: dict[str, Markup | None] = {"auto": None, "markdown": "markdown", "rst": "rst"}
_STYLE: dict[str, Style | None] = {
    "auto": None,
    "google": "google",
    "numpy": "numpy",
    "sphinx": "sphinx",
}
_UNREAD = frozenset({"module-unreadable", "page-refused", "page-unreadable"})

SHOWN_REASONS = 3


def read(tree: SourceTree, options: Options) -> Imported:
    """Read a package's source; raises `NothingImported` when there is none."""
    metadata = read_metadata(tree)
    roots = find_roots(tree, asked=options.texts("packages"))
    if not roots and options.texts("packages"):
        asked = ", ".join(options.texts("packages"))
        raise OptionRefused(f"{tree.name} holds no package {asked}")
    loaded = load_packages(tree, roots)
    prefer = canonicalize_name(metadata.name or options.library).replace("-", "_")
    writing = writing_of(
        loaded,
        public_modules(loaded, prefer=prefer),
        markup=_MARKUP[options.text("markup") or "auto"],
        style=_STYLE[options.text("docstrings") or "auto"],
        undocumented=not options.flag("documented-only"),
    )
    pages = list(api_pages(writing))
    notes = list(loaded.notes)
    counts = Counter({"api pages": len(pages)})
    counts["api objects with documentation"] = writing.tally.documented
    counts["api objects without documentation"] = len(writing.tally.bare)
    notes += undocumented(writing.tally.bare, "docstring")
    if not options.flag("api-only"):
        beside = pages_beside(
            tree,
            options,
            metadata=metadata,
            names=writing.names,
            canonical=loaded.canonical,
        )
        pages = [*beside.pages, *pages]
        notes += beside.notes
        counts.update(beside.counts)
        assets = beside.assets
    else:
        assets = {}
    if not pages:
        unread = [f"{note.place}: {note.message}" for note in notes if note.kind in _UNREAD]
        reasons = f" that can be read: {'; '.join(unread[:SHOWN_REASONS])}" if unread else ""
        raise NothingImported(f"{tree.name} holds no Python package and no documentation{reasons}")
    return _imported(
        tree,
        metadata,
        Imported(
            pages=tuple(distinct_pages(pages, notes)),
            assets=assets,
            version_scheme="pep440",
            split_level=DEEPEST_SPLIT,
            counts={name: number for name, number in counts.items() if number},
            notes=tuple(notes),
        ),
    )


def named(tree: SourceTree) -> tuple[str, str]:
    """Return the name and the version that the metadata says."""
    metadata = read_metadata(tree)
    return metadata.name, metadata.version


def _imported(tree: SourceTree, metadata: Metadata, imported: Imported) -> Imported:
    licences = find_licences(tree)
    spdx = metadata.license or licences.expression
    return replace(
        imported,
        pages=(*imported.pages, *licence_page(tree, licences.texts, imported.pages, spdx=spdx)),
        licenses=licences.texts,
        license=spdx,
        name=metadata.name,
        summary=metadata.summary,
        homepage=metadata.homepage,
        repository=metadata.repository,
    )


KIND = Kind(
    name="python",
    summary=(
        "the API of a Python package from its source (nothing is executed), with the README, "
        "the documentation and the agent skills in it"
    ),
    sources="a folder, an sdist, a wheel, or pypi:NAME==VERSION",
    options=(
        Option(
            name="packages",
            type="list",
            default=(),
            help="import names to read; all packages of the source if empty",
        ),
        Option(
            name="docstrings",
            type="choice",
            default="auto",
            choices=("auto", "google", "numpy", "sphinx"),
            help="style of the docstrings' sections; judged for each docstring as a rule",
        ),
        Option(
            name="markup",
            type="choice",
            default="auto",
            choices=("auto", "markdown", "rst"),
            help="markup of the docstrings' text; judged by what they hold as a rule",
        ),
        Option(
            name="documented-only",
            type="flag",
            default=False,
            help="leave out public objects without a docstring",
        ),
        Option(
            name="api-only",
            type="flag",
            default=False,
            help="leave out the README, the documentation and the skills in the source",
        ),
    ),
    read=read,
    named=named,
)
