"""The kind `openapi`: OpenAPI 3.0, 3.1 and 3.2 descriptions of HTTP APIs, JSON or YAML."""

from __future__ import annotations

import re
from dataclasses import replace as changed
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import NothingImported, OptionRefused, SourceRefused
from doctrove_builder.importing.imported import Imported, ImportedPage, Kind, Option, Options
from doctrove_builder.importing.json_values import as_list, as_mapping, as_text
from doctrove_builder.importing.licences import find_licences, licence_expression
from doctrove_builder.importing.openapi.grouping import (
    SCHEMAS,
    operation_groups,
    schema_pages,
    schema_title,
)
from doctrove_builder.importing.openapi.operations import (
    Operation,
    find_operations,
    operation_lines,
)
from doctrove_builder.importing.openapi.overview import overview_lines
from doctrove_builder.importing.openapi.page import PageWriter
from doctrove_builder.importing.openapi.references import References
from doctrove_builder.importing.openapi.schemas import MAX_EXAMPLES, Schemas, shown_examples
from doctrove_builder.importing.openapi.texts import bracketed, described, example, titled
from doctrove_builder.importing.prose.inlines import escape
from doctrove_schema.sections import claim, slug

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.importing.source_tree import SourceTree

_SUFFIXES = (".json", ".yaml", ".yml")
_NAME = re.compile(r"(?:.*/)?(?:openapi|swagger)[\w.-]*\.(?:json|ya?ml)", re.IGNORECASE)
_VERSION = re.compile(r"3\.\d+(?:\.\d+)?")


def read(tree: SourceTree, options: Options) -> Imported:
    """Read a description; raises `NothingImported` when the source holds none."""
    references = References(tree)
    file = _file(tree, options, references)
    document = references.document(file)
    root = as_mapping(document.value)
    operations = list(find_operations(references, file))
    named = as_mapping(as_mapping(root.get("components")).get("schemas"))
    taken: dict[str, set[str]] = {}
    schemas = Schemas(
        references=references,
        file=file,
        sections={
            name: (page, claim(_anchor(name), taken.setdefault(page, set())))
            for name, page in schema_pages(named).items()
        },
        page="index",
        base=options.base_url,
    )
    groups = operation_groups(root, operations)
    info = as_mapping(root.get("info"))
    pages = [_front(root, file, document.lines, schemas)]
    paths: set[str] = {"index", SCHEMAS}
    for tag, members in groups.items():
        path = claim(slug(tag) or "operations", paths)
        pages.append(_group(path, tag, members, root, references, changed(schemas, page=path)))
    pages += [
        _schemas(named, file, document.lines, changed(schemas, page=page))
        for page in sorted({page for page, _ in schemas.sections.values()})
    ]
    if not operations and not named:
        raise NothingImported(f"{file} describes no operation and no schema")
    licences = find_licences(tree)
    licence = as_mapping(info.get("license"))
    return Imported(
        pages=tuple(pages),
        licenses=licences.texts,
        license=_licence(licence) or licences.expression,
        name=as_text(info.get("title")),
        summary=as_text(info.get("summary")),
        homepage=as_text(as_mapping(root.get("externalDocs")).get("url")),
        counts={"operations": len(operations), "schemas": len(named)},
        notes=tuple(references.notes),
    )


def named(tree: SourceTree) -> tuple[str, str]:
    """Return an id made of the title, and the version, that a description says of its API."""
    references = References(tree)
    root = as_mapping(references.document(_file(tree, Options(), references)).value)
    info = as_mapping(root.get("info"))
    return slug(as_text(info.get("title"))), as_text(info.get("version"))


def _file(tree: SourceTree, options: Options, references: References) -> str:
    """Return the description's file: the one that is named, else the first that is one."""
    asked = options.text("file")
    if asked and asked not in tree:
        raise OptionRefused(f"{tree.name} holds no file {asked}")
    texts = [path for path in tree.paths if path.lower().endswith(_SUFFIXES)]
    likely = sorted(filter(_NAME.fullmatch, texts), key=lambda path: (path.count("/"), path))
    tries = [asked] if asked else [*likely, *(texts if len(texts) == 1 else ())]
    if not tries and len(tree.paths) == 1:
        tries = list(tree.paths)  # an address may end in no suffix
    old = ""
    refused: SourceRefused | None = None
    for path in dict.fromkeys(tries):
        try:
            root = as_mapping(references.document(path).value)
        except SourceRefused as error:
            refused = refused or error
            continue
        version = as_text(root.get("openapi"))
        if _VERSION.match(version):
            return path
        old = old or as_text(root.get("swagger")) or str(root.get("openapi") or "")
    if old:
        raise NothingImported(
            f"{tree.name} is described by version {old[:20]}, not by OpenAPI 3",
            hint="convert it to OpenAPI 3 first: many tools read both",
        )
    if refused is not None:
        raise refused
    raise NothingImported(
        f"{tree.name} holds no OpenAPI description",
        hint="name it with --option file=PATH if its name says it not",
    )


def _front(
    root: Mapping[str, object],
    file: str,
    lines: Mapping[tuple[str, ...], tuple[int, int]],
    schemas: Schemas,
) -> ImportedPage:
    info = as_mapping(root.get("info"))
    title = as_text(info.get("title")) or "API"
    writer = PageWriter()
    said = described(info.get("description"), schemas.base) or ["An HTTP API."]
    writer.add(said, file, lines.get(("info",)))
    for name, key, text in overview_lines(root, schemas):
        writer.add(text, file, lines.get(key), heading=name, anchor=slug(name))
    return writer.page("index", title)


def _group(  # noqa: PLR0913, PLR0917 - a page and all that it is made of
    path: str,
    tag: str,
    members: list[Operation],
    root: Mapping[str, object],
    references: References,
    schemas: Schemas,
) -> ImportedPage:
    tags = map(as_mapping, as_list(root.get("tags")))
    about = next((one for one in tags if one.get("name") == tag), as_mapping(None))
    writer = PageWriter()
    writer.add(described(about.get("description"), schemas.base))
    for one in members:
        text = operation_lines(one, references, schemas, security=root.get("security"))
        writer.add(
            text,
            one.file,
            one.lines,
            heading=escape(one.title),
            anchor=_anchor(one.name),
            symbols=tuple(dict.fromkeys((one.name, one.call))),
        )
    return writer.page(path, as_text(about.get("x-displayName")) or tag)


def _schemas(
    named: Mapping[str, object],
    file: str,
    lines: Mapping[tuple[str, ...], tuple[int, int]],
    schemas: Schemas,
) -> ImportedPage:
    writer = PageWriter()
    for name, schema in named.items():
        page, anchor = schemas.sections[name]
        if page != schemas.page:
            continue
        value = schemas.references.follow(schema, file).value
        text = described(value.get("description"), schemas.base)
        facts = schemas.facts(value, file)
        kind = schemas.type_of(value, file)
        text += ["", f"Type: {kind}{bracketed(facts)}"]
        text += titled("Properties", schemas.lines(value, file))
        for shown in shown_examples(value)[:MAX_EXAMPLES]:
            text += titled("Example", example(shown))
        where = lines.get(("components", "schemas", name))
        writer.add(text, file, where, heading=escape(name), anchor=anchor, symbols=(name,))
    return writer.page(schemas.page, schema_title(schemas.page))


def _licence(licence: Mapping[str, object]) -> str:
    """Return the identifier that OpenAPI 3.1 has, else a name that is an SPDX expression."""
    name = as_text(licence.get("name"))
    return as_text(licence.get("identifier")) or licence_expression(name)


def _anchor(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "operation"


KIND = Kind(
    name="openapi",
    summary="an OpenAPI 3 description of an HTTP API: a section for each operation and schema",
    sources="a file (JSON or YAML), a folder or archive that holds one, or https://HOST/FILE",
    options=(Option(name="file", help="the description's file, where the source holds several"),),
    read=read,
    named=named,
)
