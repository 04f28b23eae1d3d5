"""The kind `markdown`: a folder of Markdown, whatever generator it was written for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.imported import (
    Imported,
    ImportedPage,
    Kind,
    Note,
    Option,
    Options,
    split_level_option,
)
from doctrove_builder.importing.licences import find_licences
from doctrove_builder.importing.markdown.asked import check_asked
from doctrove_builder.importing.markdown.atlas import NO_OBJECTS, Objects
from doctrove_builder.importing.markdown.charting import chart
from doctrove_builder.importing.markdown.draft import Draft, Setting, draft_page
from doctrove_builder.importing.markdown.files import Files
from doctrove_builder.importing.markdown.frontmatter import split_front
from doctrove_builder.importing.markdown.object_options import site_options
from doctrove_builder.importing.markdown.page_files import choose_pages, side_by_side
from doctrove_builder.importing.markdown.page_texts import page_texts, with_text, without_parts
from doctrove_builder.importing.markdown.pictures import Pictures
from doctrove_builder.importing.markdown.placing import in_order, navigation_titles, page_paths
from doctrove_builder.importing.markdown.recognising import find_site
from doctrove_builder.importing.markdown.voting import anchor_style
from doctrove_builder.importing.markdown.writing import write_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.markdown.objects import Resolver
    from doctrove_builder.importing.source_tree import SourceTree


class Drafted(NamedTuple):
    """The pages of a source before their links are resolved."""

    tree: SourceTree
    options: Options
    setting: Setting
    docs: str
    """The folder that page paths are relative to."""

    drafts: tuple[Draft, ...]
    notes: tuple[Note, ...]


def read(tree: SourceTree, options: Options, *, front: str = "") -> Imported:
    """Read a folder of Markdown; raises `NothingImported` when there is none.

    `front` is a file outside the folder that is read too, as the first page.
    """
    return imported_from(drafted(tree, options, front=front))


def drafted(tree: SourceTree, options: Options, *, front: str = "") -> Drafted:
    """Read a folder up to the pages whose links are not resolved; raises like `read`."""
    check_asked(tree, options)
    site = find_site(tree, docs=options.text("docs"))
    chosen = choose_pages(
        tree,
        site,
        version=options.version,
        language=options.text("language"),
        include=options.texts("include"),
        exclude=options.texts("exclude"),
    )
    if not chosen.files:
        raise NothingImported(f"{tree.name} holds no Markdown pages")
    notes = list(chosen.notes)
    chosen_files = (front, *chosen.files) if front else chosen.files
    texts = page_texts(tree, tuple(dict.fromkeys(chosen_files)), notes)
    fronts = {file: split_front(text) for file, text in texts.items()}
    if site.generator == "plain" and any("<script setup" in text for text in texts.values()):
        site = msgspec.structs.replace(site, generator="vitepress")
    files = in_order(tree, site, chosen.docs, fronts)
    paths = page_paths([file for file in files if file != front], chosen.docs, site)
    if front in texts:
        files = [front, *(file for file in files if file != front)]
        paths[front] = "project" if "index" in paths.values() else "index"
    setting = Setting(
        files=Files(
            tree=tree, docs=chosen.docs, bases=(*options.texts("include-from"), *site.bases)
        ),
        site=site,
        style=anchor_style(site.generator, texts),
        resolve=_resolver(options, notes),
        object_options=site_options(site.settings),
    )
    titles = navigation_titles(tree, site, chosen.docs, files)
    front_file = next((file for file, path in paths.items() if path == "index"), "")
    titles.setdefault(front_file, site.setting("site_name") or options.library)
    drafts = [
        draft_page(
            file,
            texts[file],
            fronts[file],
            path=paths[file],
            title=titles.get(file, ""),
            setting=setting,
        )
        for file in files
    ]
    kept = with_text(without_parts(drafts, notes), notes)
    return Drafted(tree, options, setting, chosen.docs, tuple(kept), tuple(notes))


def imported_from(
    read_so_far: Drafted, *, beside: Sequence[Draft] = (), objects: Objects = NO_OBJECTS
) -> Imported:
    """Resolve the links of drafts.

    `beside` are pages that another reader writes, `objects` what pages of the API describe.
    """
    tree, options, setting, _, drafts, noted = read_so_far
    site, notes = setting.site, list(noted)
    atlas = chart(read_so_far, beside, objects)
    licences = find_licences(tree)
    pictures = Pictures(
        setting.files,
        site_url=atlas.site_url,
        in_place=site.in_place,
        licensed=bool(options.license or licences.texts),
    )
    pages = [write_page(draft, atlas, pictures, notes) for draft in drafts]
    counts = _counts(drafts, pages)
    return Imported(
        pages=tuple(page for page, _ in pages),
        assets=pictures.taken,
        licenses=licences.texts,
        license=licences.expression,
        name=site.setting("site_name"),
        summary=site.setting("site_description"),
        homepage=site.setting("site_url"),
        repository=options.repository or site.setting("repo_url"),
        split_level=options.number("split-level"),
        counts=counts,
        notes=tuple(notes),
    )


def _resolver(options: Options, notes: list[Note]) -> Resolver | None:
    """Return what renders API objects, where the package's source is given."""
    package = options.source("package")
    if package is None:
        return None
    try:
        from doctrove_builder.importing.python.objects import object_resolver  # noqa: PLC0415 - an extra
    except ImportError:
        message = 'API objects need the extra: pip install "doctrove[import]"'
        notes.append(Note(kind="package-unread", place=package.name, message=message))
        return None
    return object_resolver(package)


def _counts(drafts: Sequence[Draft], pages: Sequence[tuple[ImportedPage, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for draft in drafts:
        total.update(draft.counts)
    total["links between pages"] = sum(internal for _, internal in pages)
    return {name: number for name, number in total.items() if number}


def _versions(tree: SourceTree) -> tuple[str, ...]:
    return tuple(side_by_side(tree, find_site(tree, docs="")))


KIND = Kind(
    name="markdown",
    summary=(
        "a folder of Markdown or MDX: MkDocs, VitePress, Docusaurus, MyST, Fumadocs, Nextra, "
        "Starlight, mdBook, GitHub wikis, plain files"
    ),
    sources="a folder, an archive (.zip, .tar.gz, ...), pypi:NAME==VERSION or npm:NAME@VERSION",
    options=(
        Option(name="docs", help="folder of the pages in the source; found by itself as a rule"),
        Option(name="language", help="translation to read, for instance ja; the original if empty"),
        Option(name="include", type="list", default=(), help="patterns of the pages to read alone"),
        Option(name="exclude", type="list", default=(), help="patterns of pages to leave out"),
        Option(
            name="include-from",
            type="list",
            default=(),
            help="folders in the source that included files are looked for in first",
        ),
        Option(
            name="package",
            type="source",
            help="source of the Python package that `::: package.object` blocks name",
        ),
        split_level_option(3),
    ),
    read=read,
    versions=_versions,
)
