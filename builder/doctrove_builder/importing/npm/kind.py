"""The kind `npm`: a package's README and documentation, and the API that its types declare."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from doctrove_builder.importing.carried.collection import distinct_pages, undocumented
from doctrove_builder.importing.carried.licence_page import licence_page
from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.imported import Imported, Kind, Note, Option, Options
from doctrove_builder.importing.licences import find_licences
from doctrove_builder.importing.npm.beside import pages_beside
from doctrove_builder.importing.npm.comments import Comments
from doctrove_builder.importing.npm.describing import Describer
from doctrove_builder.importing.npm.exposure import expose
from doctrove_builder.importing.npm.package import MANIFEST, Package, read_package
from doctrove_builder.importing.npm.pages import SPLIT_LEVEL, api_pages
from doctrove_builder.importing.npm.resolving import Modules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.importing.imported import ImportedPage
    from doctrove_builder.importing.source_tree import SourceTree


def read(tree: SourceTree, options: Options) -> Imported:
    """Read a package; raises `NothingImported` when it holds neither text nor declarations."""
    package = read_package(tree)
    if not package.name and not any(path.endswith(".d.ts") for path in tree.paths):
        raise NothingImported(f"{tree.name} has no {MANIFEST}: it is not a package of npm")
    counts: Counter[str] = Counter()
    notes: list[Note] = []
    pages: list[ImportedPage] = []
    assets: dict[str, bytes] = {}
    if not options.flag("api-only"):
        found = pages_beside(tree, options, package)
        pages += found.pages
        assets = found.assets
        notes += found.notes
        counts.update(found.counts)
    if not options.flag("docs-only"):
        pages += _api(tree, options, package, counts, notes)
    if not pages:
        raise NothingImported(f"{tree.name} holds no README, no documentation and no declarations")
    licences = find_licences(tree)
    spdx = package.license or licences.expression
    pages += licence_page(tree, licences.texts, pages, spdx=spdx)
    return Imported(
        pages=tuple(distinct_pages(pages, notes)),
        assets=assets,
        licenses=licences.texts,
        license=spdx,
        name=package.name,
        summary=package.summary,
        homepage=package.homepage,
        repository=package.repository,
        version_scheme="semver",
        split_level=SPLIT_LEVEL,
        counts={name: number for name, number in counts.items() if number},
        notes=tuple(notes),
    )


def named(tree: SourceTree) -> tuple[str, str]:
    """Return the name and the version that package.json says."""
    package = read_package(tree)
    return package.name, package.version


def _api(
    tree: SourceTree, options: Options, package: Package, counts: Counter[str], notes: list[Note]
) -> list[ImportedPage]:
    entries = list(_entries(tree, options, package, notes))
    if not entries:
        note = "it declares no types: its API is described by its documentation alone"
        notes.append(Note(kind="no-declarations", place=MANIFEST, message=note))
        return []
    modules = Modules(tree=tree)
    describer = Describer(Comments(lambda _: ""), documented_only=options.flag("documented-only"))
    exposed = expose(modules, entries, package.name or options.library)
    pages = list(api_pages(modules, exposed, describer))
    counts["api entries"] = len(entries)
    counts["api objects with documentation"] = describer.tally.documented
    counts["api objects without documentation"] = len(describer.tally.bare)
    notes += modules.notes
    notes += undocumented(describer.tally.bare, "comment")
    return pages


def _entries(
    tree: SourceTree, options: Options, package: Package, notes: list[Note]
) -> Iterator[tuple[str, str]]:
    asked = options.texts("entries")
    for name in asked:
        subpath = name.removeprefix(".").removeprefix("/")
        if file := package.declares(tree, subpath):
            yield subpath, file
        else:
            notes.append(Note(kind="entry-missing", place=name, message="nothing declares it"))
    if not asked:
        yield from package.entries
        for name in sorted({name for name, _ in package.patterns}):
            message = "an entry with a * names no file; name those that matter with `entries`"
            notes.append(Note(kind="entry-left-out", place=name, message=message))


KIND = Kind(
    name="npm",
    summary=(
        "a package of npm: its README, its documentation and the API that its TypeScript"
        " declarations describe"
    ),
    sources="a folder, a tarball, or npm:NAME@VERSION",
    options=(
        Option(
            name="entries",
            type="list",
            default=(),
            help="what users import, as in `exports` (`.`, `./mini`); all if empty",
        ),
        Option(
            name="documented-only",
            type="flag",
            default=False,
            help="leave out exported declarations without a comment",
        ),
        Option(
            name="api-only",
            type="flag",
            default=False,
            help="leave out the README and the documentation in the package",
        ),
        Option(
            name="docs-only",
            type="flag",
            default=False,
            help="leave out the API that its declarations describe",
        ),
    ),
    read=read,
    named=named,
)
