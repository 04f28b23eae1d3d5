"""The kind `index`: a version of a library in another index, to merge or to publish anew."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin

from doctrove_builder.importing.errors import NothingImported, OptionRefused, SourceRefused
from doctrove_builder.importing.imported import Imported, ImportedPage, Kind, Note, Option, Options
from doctrove_builder.importing.markdown.lines import Line, runs
from doctrove_builder.importing.materialise import page_file
from doctrove_builder.importing.prose.inlines import escape
from doctrove_builder.importing.readdressed import readdressed
from doctrove_builder.importing.source_tree import MIB, SourceTree
from doctrove_schema.errors import InvalidIndex
from doctrove_schema.names import nearest
from doctrove_schema.reading import read_index
from doctrove_schema.sections import claim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.imported import OriginSpan
    from doctrove_schema.model import Entry, Index, Section

FILE = "index.json"
MAX_BYTES = 256 * MIB
_HEADING = re.compile(r"^ {0,3}#{1,2}(?=[ \t])", re.MULTILINE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_SAFE = re.compile(r"(?:https?|mailto):", re.IGNORECASE)


def read(tree: SourceTree, options: Options) -> Imported:
    """Read one version of one library; raises `SourceRefused` for what is no valid index."""
    file = options.text("file") or _file(tree)
    if file not in tree:
        raise OptionRefused(f"{tree.name} holds no file {file}")
    try:
        reading = read_index(tree.read_bytes(file, limit=MAX_BYTES), name=file)
    except InvalidIndex as error:
        raise SourceRefused(f"{file} is no doctrove-index@1: {error.faults[0]}") from error
    entry = _entry(reading.index, options)
    version = _version(entry, options)
    volume = entry.volumes[version]
    pages = _by_page(volume.sections)
    known = {path: page_file(path) for path in pages}
    made = tuple(_page(path, sections, known) for path, sections in pages.items())
    notes = tuple(Note(kind="index-warning", place=file, message=text) for text in reading.warnings)
    return Imported(
        pages=tuple(page for page in made if page.markdown.strip()),
        license=entry.license,
        name=entry.name,
        summary=volume.summary or entry.summary,
        homepage=entry.homepage,
        version_scheme=entry.version_scheme,
        released=volume.released,
        counts={"sections of the index": len(volume.sections)},
        notes=notes,
    )


def _file(tree: SourceTree) -> str:
    found = [path for path in tree.paths if posixpath.basename(path) == FILE]
    if not found and len(tree.paths) == 1:
        return tree.paths[0]
    if not found:
        raise NothingImported(f"{tree.name} holds no {FILE}")
    return min(found, key=lambda path: (path.count("/"), path))


def _entry(index: Index, options: Options) -> Entry:
    """Return the library that is meant: named by an option, of the volume's own id, or alone."""
    asked = options.text("entry")
    entries = {entry.id: entry for entry in index.entries}
    if not entries:
        raise NothingImported("the index has no libraries")
    if asked and asked not in entries:
        near = nearest(asked, entries)
        hint = f"do you mean {near}?" if near else f"it has: {', '.join(list(entries)[:20])}"
        raise OptionRefused(f"the index has no library {asked!r}", hint=hint)
    if not asked and options.library not in entries and len(entries) > 1:
        listed = ", ".join(list(entries)[:20])
        raise OptionRefused(
            f"the index has no library {options.library!r}",
            hint=f"name one with the option `entry`: {listed}",
        )
    wanted = asked or options.library
    return entries.get(wanted) or next(iter(entries.values()))


def _version(entry: Entry, options: Options) -> str:
    asked = options.text("entry-version") or options.version
    if asked in entry.volumes:
        return asked
    if not entry.volumes:
        raise NothingImported(f"the index has no documentation of {entry.id}")
    near = nearest(asked, entry.volumes) or next(iter(entry.volumes))
    raise OptionRefused(
        f"the index has no version {asked!r} of {entry.id}", hint=f"the nearest is {near}"
    )


def _by_page(sections: Sequence[Section]) -> dict[str, list[Section]]:
    """Return the sections by page path; one without an anchor is the text that begins a page."""
    named = {section.page or section.id.rpartition("/")[0] for section in sections}
    found: dict[str, list[Section]] = {}
    for section in sections:
        page = section.page or (section.id if section.id in named else "")
        found.setdefault(page or section.id.rpartition("/")[0] or "index", []).append(section)
    return found


def _page(path: str, sections: Sequence[Section], known: dict[str, str]) -> ImportedPage:
    lead = next((one for one in sections if one.id == path and not one.trail), None)
    trails = [one.trail[0] for one in sections if one.trail]
    title = lead.heading if lead else trails[0] if trails else posixpath.basename(path)
    lines: list[str] = []
    origins: list[OriginSpan] = []
    symbols: dict[str, tuple[str, ...]] = {}
    urls: dict[str, str] = {}
    taken: set[str] = set()
    for section in (*([lead] if lead else ()), *(one for one in sections if one is not lead)):
        body = _body(section, path, known)
        if not body:
            continue
        lines += [""] if lines else []
        first = len(lines) + 1
        anchor = ""
        if section is not lead:
            anchor = claim(section.id.removeprefix(f"{path}/").replace("/", "-"), taken)
            heading = " ".join(escape(section.heading).split()) or anchor
            lines += [f"## {heading} {{#{anchor}}}", ""]
        lines += body
        if section.source:
            origins.append((first, len(lines), section.source))
        if section.symbols:
            symbols[anchor] = section.symbols
        if section.path:
            urls[anchor] = section.path
    return ImportedPage(
        path=path,
        title=title,
        markdown="\n".join(lines) + "\n",
        origins=tuple(origins),
        symbols=symbols,
        urls=urls,
    )


def _body(section: Section, path: str, known: dict[str, str]) -> list[str]:
    """Return a section's text: headings below its own, links to pages and absolute addresses."""
    folder = posixpath.dirname(page_file(path))

    def target(address: str, image: bool) -> str | None:
        bare, _, fragment = address.partition("#")
        if not bare or _SCHEME.match(bare):
            return address if not bare or _SAFE.match(bare) else None
        joined = posixpath.normpath(posixpath.join(folder, unquote(bare)))
        page = re.sub(r"(?:/index)?(?:\.(?:md|html))?/?$", "", joined)
        if not image and page in known:
            way = quote(posixpath.relpath(known[page], folder or "."), safe="/@~!$&'*+,;=")
            return f"{way}#{fragment}" if fragment else way
        return urljoin(section.path, address) if _SAFE.match(section.path) else None

    lines = [Line(row, number) for number, row in enumerate(section.body.strip("\n").split("\n"))]
    made: list[str] = []
    for is_text, run in runs(lines):
        text = "\n".join(line.text for line in run)
        made.append(_HEADING.sub("###", readdressed(text, target)) if is_text else text)
    text = "\n".join(made)
    return text.split("\n") if text.strip() else []


KIND = Kind(
    name="index",
    summary="a version of a library in another doctrove-index@1",
    sources="an index.json, a folder or archive that holds one, or https://HOST/index.json",
    options=(
        Option(name="file", help="the index, where the source holds several"),
        Option(name="entry", help="id of the library in the index; that of the volume if empty"),
        Option(name="entry-version", help="version in the index; that of the volume if empty"),
    ),
    read=read,
)
