"""The kind `llms-txt`: `llms-full.txt` taken apart into its pages, or the pages of `llms.txt`."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from msgspec.structs import replace

from doctrove_builder.importing.errors import NothingImported, OptionRefused
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
from doctrove_builder.importing.llms_txt.addresses import Addresses, page_paths
from doctrove_builder.importing.llms_txt.splitting import Part, split_pages
from doctrove_builder.importing.markdown.kind import KIND as MARKDOWN
from doctrove_builder.importing.markdown.kind import read as read_markdown
from doctrove_builder.importing.markdown.lines import Line, runs
from doctrove_builder.importing.materialise import page_file
from doctrove_builder.importing.option_values import make_options
from doctrove_builder.importing.readdressed import addresses_in, readdressed
from doctrove_builder.importing.source_tree import MIB, SourceTree, tree_of
from doctrove_schema.model import Origin

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BYTES = 64 * MIB
_TEXTS = (".txt", ".md", ".markdown")
_NAME = re.compile(r"p(\d+)\.md")
_ORIGINAL = re.compile(r"(?:.*/)?p(\d+)\.md")


def read(tree: SourceTree, options: Options) -> Imported:
    """Read a text of pages; raises `NothingImported` when the source holds none."""
    notes: list[Note] = []
    file, parts, files = _parts(tree, options, notes)
    if not parts:
        raise NothingImported(f"{file} holds no text")
    urls = Addresses([part.url for part in parts], base=options.base_url)
    paths = page_paths([part.title for part in parts], urls.absolute)
    texts = {
        f"pages/p{number}.md": _with_links(part, number, urls) for number, part in enumerate(parts)
    }
    asked = make_options(
        MARKDOWN,
        {"docs": "pages", "split-level": options.number("split-level")},
        library=options.library,
        version="",
        open_tree=lambda _: tree,
    )
    imported = read_markdown(tree_of(texts, name=tree.name), asked)
    pages = {
        int(found[1]): page
        for page in imported.pages
        if (found := re.fullmatch(r"p(\d+)|index", page.path)) and found[1]
    }
    made = [
        _page(pages[number], number, parts, files, paths, urls)
        for number in range(len(parts))
        if number in pages
    ]
    notes += [_placed(note, files, parts) for note in imported.notes]
    licences = find_licences(tree)
    return Imported(
        pages=tuple(made),
        licenses=licences.texts,
        license=licences.expression,
        homepage=options.base_url,
        split_level=options.number("split-level"),
        counts=imported.counts,
        notes=tuple(notes),
    )


def _parts(
    tree: SourceTree, options: Options, notes: list[Note]
) -> tuple[str, list[Part], list[str]]:
    """Return the file that was read, its pages, and the file that each page stands in."""
    file = options.text("file") or _full_file(tree)
    if file and file not in tree:
        raise OptionRefused(f"{tree.name} holds no file {file}")
    if file:
        parts = [part for part in split_pages(tree.read_text(file, limit=MAX_BYTES)) if _said(part)]
        return file, parts, [file] * len(parts)
    index = _file_named(tree, "llms.txt")
    if not index:
        raise NothingImported(f"{tree.name} holds no llms-full.txt and no llms.txt")
    text = tree.read_text(index, limit=MAX_BYTES)
    linked = list(_linked(tree, index, text, notes))
    if not linked:
        message = "it links to pages that are not in the source; the list itself is read"
        notes.append(Note(kind="pages-elsewhere", place=index, message=message))
        lines = tuple(text.split("\n"))
        return index, [Part(options.library, "", 1, lines)], [index]
    return index, [part for _, part in linked], [path for path, _ in linked]


def _said(part: Part) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in part.lines)


def _full_file(tree: SourceTree) -> str:
    full = _file_named(tree, "llms-full.txt") or _file_named(tree, "llms-full.md")
    if full:
        return full
    texts = [path for path in tree.paths if path.lower().endswith(_TEXTS)]
    single = len(texts) == 1 and len(tree.paths) == 1 and posixpath.basename(texts[0]) != "llms.txt"
    return texts[0] if single else ""


def _file_named(tree: SourceTree, name: str) -> str:
    found = [path for path in tree.paths if posixpath.basename(path).lower() == name]
    return min(found, key=lambda path: (path.count("/"), path), default="")


def _linked(tree: SourceTree, index: str, text: str, notes: list[Note]) -> list[tuple[str, Part]]:
    """Return the pages that llms.txt links to, where the source holds them."""
    folder = posixpath.dirname(index)
    found: dict[str, Part] = {}
    for address, image in addresses_in(text):
        path = unquote(urlsplit(address).path).strip("/")
        if image or not path:
            continue
        names = (path, f"{path}.md", f"{path}/index.md", re.sub(r"\.html?$", ".md", path))
        tails = [
            "/".join(name.split("/")[at:]) for name in names for at in range(name.count("/") + 1)
        ]
        tries = [posixpath.normpath(posixpath.join(folder, tail)) for tail in tails if tail]
        file = next((one for one in tries if one in tree and one.lower().endswith(_TEXTS)), "")
        if not file:
            notes.append(Note(kind="page-missing", place=index, message=f"{address} is not here"))
        elif file not in found and file != index:
            lines = tuple(tree.read_text(file).split("\n"))
            title = next((line.lstrip("# ") for line in lines if line.startswith("# ")), file)
            found[file] = Part(title, address, 1, lines)
    return list(found.items())


def _with_links(part: Part, number: int, urls: Addresses) -> str:
    def target(address: str, image: bool) -> str:
        page, rest = urls.target(number, address)
        if page is None or image:
            return rest if page is None else address
        return f"p{page}.md#{rest}" if rest else f"p{page}.md"

    return _relinked("\n".join(part.lines), target)


def _relinked(text: str, target: Callable[[str, bool], str | None]) -> str:
    lines = [Line(row, number) for number, row in enumerate(text.split("\n"))]
    made: list[str] = []
    for is_text, run in runs(lines):
        joined = "\n".join(line.text for line in run)
        made.append(readdressed(joined, target) if is_text else joined)
    return "\n".join(made)


def _page(  # noqa: PLR0913, PLR0917 - what is known of all pages
    page: ImportedPage,
    number: int,
    parts: list[Part],
    files: list[str],
    paths: list[str],
    urls: Addresses,
) -> ImportedPage:
    """Give a page its path, address and origins back."""
    path = paths[number]
    here = posixpath.dirname(page_file(path)) or "."

    def target(address: str, _image: bool) -> str:
        name, _, fragment = address.partition("#")
        found = _NAME.fullmatch(name)
        if found is None or int(found[1]) >= len(paths):
            return address
        other = quote(posixpath.relpath(page_file(paths[int(found[1])]), here), safe="/@~!$&'*+,;=")
        return f"{other}#{fragment}" if fragment else other

    shift = parts[number].first - 1
    spans = tuple(
        (first, last, _moved(origin, files[number], shift)) for first, last, origin in page.origins
    )
    url = urls.absolute[number]
    return replace(
        page,
        path=path,
        title=parts[number].title or page.title,
        markdown=_relinked(page.markdown, target),
        origins=spans,
        url=url if url.startswith(("https://", "http://")) else "",
    )


def _moved(origin: Origin, file: str, shift: int) -> Origin:
    lines = origin.lines and (origin.lines[0] + shift, origin.lines[1] + shift)
    return Origin(file=file, lines=lines)


def _placed(note: Note, files: list[str], parts: list[Part]) -> Note:
    """Name the place in the source rather than in a page of ours."""
    name, _, line = note.place.partition(":")
    found = _ORIGINAL.fullmatch(name)
    if found is None or int(found[1]) >= len(files):
        return note
    number = int(found[1])
    at = f":{int(line) + parts[number].first - 1}" if line.isdigit() else ""
    return replace(
        note, place=f"{files[number]}{at}", message=_ORIGINAL.sub("a page", note.message)
    )


KIND = Kind(
    name="llms-txt",
    summary=(
        "llms-full.txt: the pages that a site put into one text, each a page again; or the pages"
        " that llms.txt names, where the source holds them"
    ),
    sources="a file, a folder or archive that holds one, or https://HOST/llms-full.txt",
    options=(
        Option(name="file", help="the file to read, where the source holds several"),
        split_level_option(2),
    ),
    read=read,
)
