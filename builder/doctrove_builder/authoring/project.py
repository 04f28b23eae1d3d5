"""doctrove.yaml to the project's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.authoring.mapping import parse_mapping
from doctrove_builder.authoring.values import address, date
from doctrove_builder.model import SEARCHED, Options, Project

if TYPE_CHECKING:
    from doctrove_builder.authoring.marked import MarkedMapping
    from doctrove_builder.model import Document
    from doctrove_schema.problem import Problem


def read_project(document: Document | None) -> tuple[Project, tuple[Problem, ...]]:
    """Read doctrove.yaml; without one every setting has its default."""
    if document is None:
        return Project(), ()
    mapping, problems = parse_mapping(document.text, source=document.path, schema="doctrove")
    if mapping is None:
        return Project(), problems
    updated, date_problems = date(mapping, "updated", source=document.path)
    base_url = address(mapping, "base_url")
    project = Project(
        title=mapping.line("title", default=Project().title),
        description=mapping.line("description"),
        base_url=base_url if base_url.endswith("/") or not base_url else f"{base_url}/",
        language=mapping.line("language", default=Project().language),
        repository=address(mapping, "repository"),
        updated=updated,
        options=_options(mapping.mapping("options")),
    )
    return project, (*problems, *date_problems)


def _options(mapping: MarkedMapping) -> Options:
    """Take over what has the right type; the schema's check has said what has not."""
    default = Options()
    found: dict[str, object] = {}
    for name in Options.__struct_fields__:
        scalar = mapping.scalar(name)
        if scalar and type(scalar.value) is type(getattr(default, name)):
            found[name] = scalar.value
    options = msgspec.convert(found, Options)
    if not 1 <= options.split_level <= 6:
        options = msgspec.structs.replace(options, split_level=default.split_level)
    if options.search not in SEARCHED:
        options = msgspec.structs.replace(options, search=default.search)
    return options
