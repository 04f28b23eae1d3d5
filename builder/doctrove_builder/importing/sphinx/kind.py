"""The kind `sphinx`: what a build wrote (JSON or HTML), or reStructuredText without a build."""

from __future__ import annotations

import posixpath
from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.carried.licence_page import licence_page
from doctrove_builder.importing.carried.markdown import SUFFIXES as MARKDOWN
from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.imported import Imported, Kind, Option, Options
from doctrove_builder.importing.licences import find_licences
from doctrove_builder.importing.sphinx.built import find_built, read_built
from doctrove_builder.importing.sphinx.mixed import read_mixed
from doctrove_builder.importing.sphinx.sources import SUFFIXES, read_sources

if TYPE_CHECKING:
    from doctrove_builder.importing.python.objects import Package
    from doctrove_builder.importing.source_tree import SourceTree

_FORMS = ("auto", "json", "html", "sources")


def read(tree: SourceTree, options: Options) -> Imported:
    """Read a documentation of Sphinx; raises `NothingImported` when there is none."""
    form, folder = options.text("form") or "auto", options.text("docs").strip("/")
    built = None if form == "sources" else find_built(tree, folder, form=form)
    if built is not None:
        imported = read_built(tree, built, base_url=options.base_url)
    elif form in {"auto", "sources"}:
        where = folder or _sources_folder(tree)
        imported = _sources(tree, where, options)
    else:
        imported = Imported(pages=())
    if not imported.pages:
        unread = [
            f"{note.place}: {note.message}"
            for note in imported.notes
            if note.kind == "page-unreadable"
        ]
        reasons = f" that can be read: {unread[0]}" if unread else ""
        raise NothingImported(
            f"{tree.name} holds no built documentation of Sphinx and no reStructuredText{reasons}",
            hint="build it with: sphinx-build -b json SOURCE OUT",
        )
    licences = find_licences(tree)
    texts = {
        name: text
        for name, text in licences.texts.items()
        if not name.endswith((".html", ".fjson", *SUFFIXES)) or built is None
    }
    expression = licences.expression if texts else ""
    pages = (*imported.pages, *licence_page(tree, texts, imported.pages, spdx=expression))
    return replace(imported, pages=pages, licenses=texts, license=expression)


def _sources(tree: SourceTree, folder: str, options: Options) -> Imported:
    """Read the sources of a folder: its Markdown too where there is a conf.py."""
    package = _package(options)
    if any(posixpath.basename(path) == "conf.py" for path in tree.under(folder)):
        mixed = read_mixed(tree, folder, options, package=package)
        return mixed.together() or Imported(pages=())
    return read_sources(tree, folder, package=package)


def _package(options: Options) -> Package | None:
    source = options.source("package")
    if source is None:
        return None
    from doctrove_builder.importing.python.objects import load_package  # noqa: PLC0415 - loads griffe

    return load_package(source)


def _sources_folder(tree: SourceTree) -> str:
    """Return the folder of the sources: that of the conf.py next to most of them."""
    suffixes = (*SUFFIXES, *MARKDOWN)
    sources = [path for path in tree.paths if path.lower().endswith(suffixes)]
    with_conf = [
        posixpath.dirname(path) for path in tree.paths if posixpath.basename(path) == "conf.py"
    ]
    held = Counter(
        {
            folder: sum(path.startswith(f"{folder}/") or not folder for path in sources)
            for folder in with_conf
        }
    )
    if held and held.most_common(1)[0][1]:
        return held.most_common(1)[0][0]
    for folder in ("docs", "doc"):
        if any(path.startswith(f"{folder}/") for path in sources):
            return folder
    return ""


KIND = Kind(
    name="sphinx",
    summary=(
        "a built documentation of Sphinx (JSON or HTML), or its reStructuredText sources without "
        "a build"
    ),
    sources="a folder, an archive (.zip, .tar.gz, ...) or pypi:NAME==VERSION",
    options=(
        Option(name="docs", help="folder of the documentation in the source; found by itself"),
        Option(
            name="form",
            type="choice",
            default="auto",
            choices=_FORMS,
            help="what is read: the output of a build, or the sources; found by itself",
        ),
        Option(
            name="package",
            type="source",
            help="source of the Python package that autodoc directives name",
        ),
    ),
    read=read,
)
