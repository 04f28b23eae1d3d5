"""The kind `markdown`: a folder of Markdown, whatever generator it was written for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from doctrove_builder.importing.errors import FileRefused, NothingImported
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
from doctrove_builder.importing.markdown.atlas import Atlas, routes_of
from doctrove_builder.importing.markdown.draft import Draft, Setting, draft_page
from doctrove_builder.importing.markdown.files import Files
from doctrove_builder.importing.markdown.frontmatter import split_front
from doctrove_builder.importing.markdown.object_options import site_options
from doctrove_builder.importing.markdown.page_files import choose_pages, side_by_side
from doctrove_builder.importing.markdown.pictures import Pictures
from doctrove_builder.importing.markdown.placing import in_order, navigation_titles, page_paths
from doctrove_builder.importing.markdown.site import Site, find_site
from doctrove_builder.importing.markdown.voting import anchor_style
from doctrove_builder.importing.markdown.writing import write_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.markdown.objects import Resolver
    from doctrove_builder.importing.source_tree import SourceTree


MAX_CHARACTERS = 256 * 1024 * 1024
"""Of all pages together."""


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
    texts = _texts(tree, tuple(dict.fromkeys(chosen_files)), notes)
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
    kept = _with_text(_without_parts(drafts, notes), notes)
    return Drafted(tree, options, setting, chosen.docs, tuple(kept), tuple(notes))


def imported_from(read_so_far: Drafted, *, beside: Sequence[Draft] = ()) -> Imported:
    """Resolve the links of drafts; `beside` are pages that another reader writes."""
    tree, options, setting, docs, drafts, noted = read_so_far
    site, notes = setting.site, list(noted)
    atlas = _atlas(tree, site, docs, options, (*drafts, *beside))
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


def _texts(tree: SourceTree, files: Sequence[str], notes: list[Note]) -> dict[str, str]:
    found: dict[str, str] = {}
    total = 0
    for file in files:
        try:
            text = tree.read_text(file)
        except FileRefused as error:
            notes.append(Note(kind="page-refused", place=file, message=error.message))
            continue
        total += len(text)
        if total > MAX_CHARACTERS:
            message = f"with it the pages have more than {MAX_CHARACTERS:,} characters"
            notes.append(Note(kind="page-refused", place=file, message=message))
            continue
        found[file] = text
        if "\ufffd" in found[file] and not _is_utf8(tree.read_bytes(file)):
            message = "it is not all UTF-8; other bytes are shown as a replacement character"
            notes.append(Note(kind="page-not-utf-8", place=file, message=message))
        front = split_front(found[file])
        if front.values.get("draft") is True or front.values.get("published") is False:
            notes.append(Note(kind="draft-left-out", place=file, message="its author calls it so"))
            del found[file]
    return found


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return True


def _without_parts(drafts: Sequence[Draft], notes: list[Note]) -> list[Draft]:
    """Leave out the files that other pages include: they are parts, not pages.

    Of two that include each other none is a part.
    """
    uses = {draft.file: draft.used for draft in drafts}
    used = {
        file
        for draft in drafts
        for file in draft.used
        if file != draft.file and draft.file not in uses.get(file, ())
    }
    kept: list[Draft] = []
    for draft in drafts:
        if draft.file in used and not draft.path.endswith("index"):
            notes.append(Note(kind="part-left-out", place=draft.file, message="pages include it"))
        else:
            kept.append(draft)
    return kept


def _with_text(drafts: Sequence[Draft], notes: list[Note]) -> list[Draft]:
    """Leave out the pages that hold nothing but headings: there is nothing to look up in them."""
    kept: list[Draft] = []
    for draft in drafts:
        if any(line.text.strip() and not line.text.startswith("#") for line in draft.lines):
            kept.append(draft)
        else:
            notes += draft.notes  # a missing include, for instance, is why
            notes.append(Note(kind="page-empty", place=draft.file, message="it has no text"))
    return kept


def _atlas(
    tree: SourceTree, site: Site, docs: str, options: Options, drafts: Sequence[Draft]
) -> Atlas:
    labels: dict[str, tuple[str, str]] = {}
    names = {draft.path: {*draft.anchors, *draft.places} for draft in drafts}
    anchors = Counter(name for of_page in names.values() for name in of_page)
    for draft in drafts:
        for label, anchor in draft.labels.items():
            labels.setdefault(label.lower(), (draft.path, anchor))
    return Atlas(
        tree=tree,
        docs=docs,
        site_url=_site_url(site, options),
        directory_urls=site.generator == "mkdocs"
        and site.settings.get("use_directory_urls") is not False,
        repository=options.repository or site.setting("repo_url"),
        commit=options.commit,
        drafts={draft.path: draft for draft in drafts},
        by_file={draft.file: draft.path for draft in drafts},
        by_route=routes_of(drafts),
        labels=labels,
        references=site.generator == "mkdocs",
        anchors={a: path for path, of_page in names.items() for a in of_page if anchors[a] == 1},
    )


def _site_url(site: Site, options: Options) -> str:
    """Return where the pages are published, ending in `/`; empty when that is not known."""
    url = options.base_url or site.setting("site_url")
    url = url if url.startswith(("https://", "http://")) else ""
    return url if url.endswith("/") or not url else f"{url}/"


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
