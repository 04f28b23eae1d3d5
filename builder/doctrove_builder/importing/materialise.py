"""What a kind read to the files of a volume, in the format that authors write; pure.

Every page is parsed as a build will parse it, so that its sections, their origins and the report's
figures are those of the published volume.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from doctrove_builder.importing.coverage import Coverage
from doctrove_builder.importing.heading_ids import without_needless_ids
from doctrove_builder.importing.imported import Imported, ImportedPage, Note
from doctrove_builder.importing.origins import Digests, origin_of_lines
from doctrove_builder.markdown import parse_page
from doctrove_builder.model import Document, PageSource
from doctrove_builder.provenance import FORMAT, PROVENANCE, Provenance
from doctrove_schema.names import encode_name
from doctrove_schema.sections import section_id
from doctrove_schema.tokens import estimate_tokens

if TYPE_CHECKING:
    from doctrove_builder.importing.source_tree import SourceTree
    from doctrove_schema.model import Origin
    from doctrove_schema.problem import Problem

LICENSES = "_licenses"
"""Folder of a volume that keeps the texts of the licences of what is republished."""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_FRONT = ("index", "readme")


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What the user says of a volume, apart from its content."""

    library: str
    version: str
    kind: str
    source: str
    """As written."""

    sha256: str = ""
    license: str = ""
    repository: str = ""
    commit: str = ""
    base_url: str = ""


class VolumeFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one imported volume and the report on them."""

    files: Mapping[str, bytes]
    """By path below the volume's folder."""

    library: Mapping[str, str]
    """Keys of library.yaml that the source itself knows."""

    coverage: Coverage


class _Page(msgspec.Struct, frozen=True, kw_only=True):
    file: str
    text: str
    first_line: int
    """Line of the file that holds the first line of the imported Markdown."""

    parsed: PageSource
    problems: tuple[tuple[str, int | None, str], ...]


def materialise(imported: Imported, given: Given, tree: SourceTree | None) -> VolumeFiles:
    """Write a volume's files; `tree` is the source that origins name lines of."""
    pages = [_page(page, split_level=imported.split_level) for page in imported.pages]
    provenance = _provenance(imported, given, pages, Digests(tree))
    files: dict[str, bytes] = {page.file: page.text.encode() for page in pages}
    files |= {path: data for path, data in imported.assets.items() if path not in files}
    for name, text in imported.licenses.items():
        files[f"{LICENSES}/{encode_name(posixpath.basename(name))}"] = text.encode()
    files["volume.yaml"] = _volume_yaml(imported, given, pages).encode()
    hashes = {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items())}
    provenance = msgspec.structs.replace(provenance, files=hashes)
    files[PROVENANCE] = msgspec.json.format(msgspec.json.encode(provenance), indent=1) + b"\n"
    return VolumeFiles(
        files=dict(sorted(files.items())),
        library=_library(imported, given),
        coverage=_coverage(imported, given, pages),
    )


def library_yaml(library: str, known: Mapping[str, str]) -> str:
    """Return a library.yaml with what the source knows of its library."""
    keys = {"id": library, "name": known.get("name") or library}
    keys |= {key: value for key, value in known.items() if value and key != "name"}
    return "".join(f"{key}: {quoted(value)}\n" for key, value in keys.items())


def page_file(path: str) -> str:
    """Return the file of a page below its volume's folder."""
    folder, _, name = path.rpartition("/")
    parts = [encode_name(part) for part in folder.split("/") if part]
    if name.lower() in _FRONT and path != "index":
        name = f"{name}-page"  # a folder's page is named by the folder
    return "/".join((*parts, f"{encode_name(name)}.md"))


def _page(page: ImportedPage, *, split_level: int) -> _Page:
    file = page_file(page.path)
    front = _front_matter(page)
    markdown = without_needless_ids(page.markdown.strip("\n"), title=page.title)
    text = _cleaned(f"{front}\n{markdown}\n")
    skipped = len(page.markdown) - len(page.markdown.lstrip("\n"))
    path = file.removesuffix(".md")
    parsed, problems = parse_page(
        Document(path=file, text=text), path=path, split_level=split_level
    )
    return _Page(
        file=file,
        text=text,
        first_line=front.count("\n") + 2 - skipped,
        parsed=parsed,
        problems=tuple(_said(problem) for problem in problems),
    )


def _cleaned(text: str) -> str:
    """Return a text as builds read it: Unicode form C, no controls but tab and line end."""
    return _CONTROL.sub("", unicodedata.normalize("NFC", text))


def _said(problem: Problem) -> tuple[str, int | None, str]:
    return str(problem.rule.value), problem.line, problem.message


def _front_matter(page: ImportedPage) -> str:
    keys: dict[str, str | int] = {"title": " ".join(page.title.split()) or page.path}
    if page.description.strip():
        keys["description"] = " ".join(page.description.split())
    if page.order is not None:
        keys["order"] = page.order
    lines = (f"{k}: {v if isinstance(v, int) else quoted(v)}\n" for k, v in keys.items())
    return f"---\n{''.join(lines)}---\n"


def _volume_yaml(imported: Imported, given: Given, pages: list[_Page]) -> str:
    lines = ["# Written by doctrove-import.\n"]
    if encode_name(given.version) != given.version:
        lines.append(f"version: {quoted(given.version)}\n")
    if imported.summary.strip():
        lines.append(f"summary: {quoted(' '.join(imported.summary.split()))}\n")
    if imported.released:
        lines.append(f"released: {quoted(imported.released)}\n")
    lines.append(f"split_level: {imported.split_level}\n")
    if all(page.order is None for page in imported.pages) and pages:
        lines.append("order:\n")
        lines += [f"  - {quoted(page.parsed.path)}\n" for page in pages]
    return "".join(lines)


def _provenance(
    imported: Imported, given: Given, pages: list[_Page], digests: Digests
) -> Provenance:
    sections: dict[str, Origin] = {}
    symbols: dict[str, tuple[str, ...]] = {}
    addresses: dict[str, str] = {}
    for page, made in zip(imported.pages, pages, strict=True):
        for passage in made.parsed.passages:
            if not passage.body:
                continue
            anchor = passage.heading.anchor
            name = section_id(made.parsed.path, anchor)
            first, last = (line - made.first_line + 1 for line in passage.lines)
            if origin := origin_of_lines(page.origins, (first, last), digests):
                sections[name] = origin
            if found := page.symbols.get(anchor):
                symbols[name] = found
            url = page.url or _published(given.base_url, page.path)
            address = page.urls.get(anchor) or (url and _with_anchor(url, anchor))
            if is_address(address):
                addresses[name] = address
    return Provenance(
        format=FORMAT,
        kind=given.kind,
        source=given.source,
        sha256=given.sha256,
        license=given.license or imported.license,
        repository=_address(given.repository or imported.repository),
        commit=given.commit,
        sections=sections,
        symbols=symbols,
        addresses=addresses,
    )


def _published(base_url: str, page: str) -> str:
    bare = "" if page == "index" else quote(page, safe="/@")
    return f"{base_url.rstrip('/')}/{bare}" if base_url else ""


def _with_anchor(url: str, anchor: str) -> str:
    return f"{url}#{anchor}" if anchor else url


def _library(imported: Imported, given: Given) -> dict[str, str]:
    known = {
        "name": imported.name,
        "summary": imported.summary,
        "homepage": imported.homepage if is_address(imported.homepage) else "",
        "repository": _address(given.repository or imported.repository),
        "license": given.license or imported.license,
        "version_scheme": imported.version_scheme,
    }
    return {key: " ".join(value.split()) for key, value in known.items() if value.strip()}


def _coverage(imported: Imported, given: Given, pages: list[_Page]) -> Coverage:
    passages = [p for page in pages for p in page.parsed.passages if p.body]
    return Coverage(
        library=given.library,
        version=given.version,
        kind=given.kind,
        source=given.source,
        license=given.license or imported.license,
        pages=len(pages),
        sections=len(passages),
        tokens=sum(estimate_tokens(passage.body) for passage in passages),
        code_blocks=sum(_code_blocks(page.text) for page in pages),
        assets=len(imported.assets),
        counts=imported.counts,
        notes=(*imported.notes, *_page_notes(pages)),
    )


def _page_notes(pages: list[_Page]) -> list[Note]:
    """Say what a build would find wrong with the pages."""
    return [
        Note(kind=rule, place=page.file if line is None else f"{page.file}:{line}", message=message)
        for page in pages
        for rule, line, message in page.problems
    ]


def _code_blocks(text: str) -> int:
    """Count fences that open a block; each has one that closes it."""
    fences = sum(line.lstrip(" >").startswith(("```", "~~~")) for line in text.split("\n"))
    return fences // 2


def _address(text: str) -> str:
    return text if is_address(text) else ""


def is_address(text: str) -> bool:
    """Say whether a text is an address of the web that a link may lead to."""
    has_host = re.match(r"https?://[^\s/?#]", text) is not None
    return has_host and not any(c in text for c in ' <>"\\\n')


def quoted(text: str) -> str:
    """Return a text as a double-quoted YAML scalar on one line."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
