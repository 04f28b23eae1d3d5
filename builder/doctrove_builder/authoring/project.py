"""doctrove.yaml to the project's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.authoring.mapping import parse_mapping
from doctrove_builder.authoring.values import address, date
from doctrove_builder.model import Project

if TYPE_CHECKING:
    from doctrove_builder.authoring.marked import MarkedMapping
    from doctrove_builder.model import Document
    from doctrove_schema.problem import Problem

SPLIT_LEVEL = 2
"""Headings down to this level start a section, unless a project or volume says otherwise."""


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


def _options(mapping: MarkedMapping) -> dict[str, str | int | bool]:
    found: dict[str, str | int | bool] = {}
    for key in mapping.entries:
        scalar = mapping.scalar(key)
        if scalar and isinstance(scalar.value, str | int | bool) and not key.startswith("x-"):
            found[key] = scalar.value
    return found
