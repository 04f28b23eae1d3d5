"""The kind `markdown`: a folder of Markdown, whatever generator it was written for."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.errors import FileRefused, NothingImported
from doctrove_builder.importing.imported import Imported, ImportedPage, Kind, Note, Option, Options
from doctrove_builder.importing.licences import find_licences
from doctrove_builder.importing.markdown.decoration import is_pictures
from doctrove_builder.importing.markdown.draft import Draft, Setting, draft_page
from doctrove_builder.importing.markdown.files import Files
from doctrove_builder.importing.markdown.frontmatter import Front, split_front
from doctrove_builder.importing.markdown.lines import runs
from doctrove_builder.importing.markdown.link_text import rewritten
from doctrove_builder.importing.markdown.linking import Atlas, Linker, page_url, routes_of
from doctrove_builder.importing.markdown.navigation import (
    categories,
    file_order,
    folder_orders,
    named_places,
)
from doctrove_builder.importing.markdown.page_files import choose_pages, side_by_side
from doctrove_builder.importing.markdown.site import Site, find_site
from doctrove_builder.importing.markdown.spans import origin_spans
from doctrove_builder.importing.markdown.voting import anchor_style

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from doctrove_builder.importing.markdown.lines import Line
    from doctrove_builder.importing.markdown.objects import Resolver
    from doctrove_builder.importing.source_tree import SourceTree

_NUMBER = re.compile(r"^\d+[-_.](?=\S)")
_FRONT = frozenset({"index", "readme", "_index", "home"})


def read(tree: SourceTree, options: Options, *, front: str = "") -> Imported:
    """Read a folder of Markdown; raises `NothingImported` when there is none.

    `front` is a file outside the folder that is read too, as the first page.
    """
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
    files = _ordered(tree, site, chosen.docs, fronts)
    paths = _page_paths([file for file in files if file != front], chosen.docs, site)
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
    )
    titles = _titles(tree, site, chosen.docs, files)
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
    drafts = _with_text(_without_parts(drafts, notes), notes)
    atlas = _atlas(tree, site, chosen.docs, options, drafts)
    pages = [_page(draft, atlas, notes) for draft in drafts]
    counts = _counts(drafts, pages)
    return Imported(
        pages=tuple(page for page, _ in pages),
        licenses=(licences := find_licences(tree)).texts,
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
    for file in files:
        try:
            found[file] = tree.read_text(file)
        except FileRefused as error:
            notes.append(Note(kind="page-refused", place=file, message=error.message))
            continue
        front = split_front(found[file])
        if front.values.get("draft") is True or front.values.get("published") is False:
            notes.append(Note(kind="draft-left-out", place=file, message="its author calls it so"))
            del found[file]
    return found


def _ordered(tree: SourceTree, site: Site, docs: str, fronts: Mapping[str, Front]) -> list[str]:
    """Return the files in reading order: as the navigation names them, then as folders stand."""
    files = file_order(
        list(fronts),
        fronts,
        docs=docs,
        folders=folder_orders(tree, docs),
        positions=categories(tree, docs),
    )
    named = _named_files(tree, site, docs, files)
    order = {file: number for number, file in enumerate(dict.fromkeys(named))}
    return sorted(files, key=lambda file: order.get(file, len(order)))


def _named_files(tree: SourceTree, site: Site, docs: str, files: Sequence[str]) -> list[str]:
    by_name: dict[str, str] = {}
    for file in files:
        for name in _names(file, docs):
            by_name.setdefault(name, file)
    places = named_places(tree, site, docs, files=sorted(files))
    wanted = (_place_name(place.path) for place in places)
    return [by_name[name] for name in wanted if name in by_name]


def _titles(tree: SourceTree, site: Site, docs: str, files: Sequence[str]) -> dict[str, str]:
    by_name = {name: file for file in reversed(files) for name in _names(file, docs)}
    titles: dict[str, str] = {}
    for place in named_places(tree, site, docs, files=sorted(files)):
        file = by_name.get(_place_name(place.path))
        if file and place.title:
            titles.setdefault(file, place.title)
    return titles


def _place_name(path: str) -> str:
    bare = path.partition("#")[0].removeprefix("./").strip("/")
    bare = re.sub(r"\.(?:mdx?|markdown|html)$", "", bare)
    folder, _, name = bare.rpartition("/")
    return (folder if name.lower() in _FRONT else bare).lower() or "index"


def _names(file: str, docs: str) -> tuple[str, ...]:
    """Return what a navigation may call a file."""
    inside = file[len(docs) + 1 :] if docs and file.startswith(f"{docs}/") else file
    plain = _place_name(inside)
    numbered = "/".join(_NUMBER.sub("", part) for part in plain.split("/"))
    return plain, numbered, _place_name(file)


def _page_paths(files: Sequence[str], docs: str, site: Site) -> dict[str, str]:
    """Return the page path of every file, no two alike."""
    taken: set[str] = set()
    paths: dict[str, str] = {}
    for file in files:
        inside = file[len(docs) + 1 :] if docs and file.startswith(f"{docs}/") else file
        parts = posixpath.splitext(inside)[0].split("/")
        if site.generator == "docusaurus":
            parts = [_NUMBER.sub("", part) for part in parts]
        if parts[-1].lower() in _FRONT:
            parts = parts[:-1] or ["index"]
        parts = [_clean(part) for part in parts]
        path = free = "/".join(parts)
        number = 1
        while free.lower() in taken:
            number += 1
            free = f"{path}-{number}"
        taken.add(free.lower())
        paths[file] = free
    return paths


def _clean(part: str) -> str:
    """Make a file's name one that a page can have."""
    bare = re.sub(r"[\s?#%&:*\"<>|\\]+", "-", part.strip()).strip("-._") or "page"
    return f"{bare}-page" if bare.lower() in {"index.html", "index.json", "index.md"} else bare


def _without_parts(drafts: Sequence[Draft], notes: list[Note]) -> list[Draft]:
    """Leave out the files that other pages include: they are parts, not pages."""
    used = {file for draft in drafts for file in draft.used if file != draft.file}
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
            notes.append(Note(kind="page-empty", place=draft.file, message="it has no text"))
    return kept


def _atlas(
    tree: SourceTree, site: Site, docs: str, options: Options, drafts: Sequence[Draft]
) -> Atlas:
    url = options.base_url or site.setting("site_url")
    url = url if url.startswith(("https://", "http://")) else ""
    labels: dict[str, tuple[str, str]] = {}
    for draft in drafts:
        for label, anchor in draft.labels.items():
            labels.setdefault(label.lower(), (draft.path, anchor))
    return Atlas(
        tree=tree,
        docs=docs,
        site_url=url if url.endswith("/") or not url else f"{url}/",
        directory_urls=site.generator == "mkdocs"
        and site.settings.get("use_directory_urls") is not False,
        repository=options.repository or site.setting("repo_url"),
        commit=options.commit,
        drafts={draft.path: draft for draft in drafts},
        by_file={draft.file: draft.path for draft in drafts},
        by_route=routes_of(drafts),
        labels=labels,
    )


def _page(draft: Draft, atlas: Atlas, notes: list[Note]) -> tuple[ImportedPage, int]:
    linker = Linker(atlas, draft)
    lines = _linked(draft.lines, linker)
    notes += (*draft.notes, *linker.notes)
    url = page_url(atlas.site_url, draft.path, atlas.directory_urls) if atlas.site_url else ""
    page = ImportedPage(
        path=draft.path,
        title=draft.title,
        description=draft.front.text("description", "summary", "excerpt"),
        markdown="\n".join(line.text for line in lines),
        origins=origin_spans(lines, draft.file),
        symbols=draft.symbols,
        url=url,
    )
    return page, linker.internal


def _linked(lines: Sequence[Line], linker: Linker) -> list[Line]:
    """Rewrite the links, paragraph by paragraph so that notes name a line."""
    made: list[Line] = []
    for is_text, run in runs(lines):
        for paragraph in _paragraphs(run) if is_text else [run]:
            linker.line = paragraph[0].number
            text = "\n".join(line.text for line in paragraph)
            changed = _rewritten(text, linker) if is_text else text
            made += [
                line.with_text(one)
                for line, one in zip(paragraph, changed.split("\n"), strict=True)
            ]
    return made


def _rewritten(text: str, linker: Linker) -> str:
    changed = rewritten(text, linker.target)
    if changed != text and is_pictures(text) and not is_pictures(changed):
        return "\n" * text.count("\n")  # the descriptions of pictures alone say nothing
    return re.sub(r"^(#+ .*?)[ \t]+(\{#[\w.-]+\})$", r"\1 \2", changed, flags=re.MULTILINE)


def _paragraphs(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or not lines[end].text.strip():
            yield lines[start:end]
            start = end


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
        Option(
            name="split-level",
            type="number",
            default=3,
            help="headings down to this level start a section",
        ),
    ),
    read=read,
    versions=_versions,
)
