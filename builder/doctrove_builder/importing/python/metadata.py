"""What a distribution says of itself: PKG-INFO, METADATA, or pyproject.toml; read, never built."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec
from packaging.metadata import parse_email
from packaging.utils import canonicalize_name

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.licences import spdx_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.importing.source_tree import SourceTree

LICENCE_BEGINNING = 3_000
"""Characters of a licence's text that say which it is; those of bundled parts may follow."""

MAX_BYTES = 4 * 1024 * 1024
_REPOSITORY = ("source", "sourcecode", "repository", "github", "code", "gitlab")
_HOMEPAGE = ("homepage", "documentation", "docs", "home")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The parts of a distribution's metadata that a library's entry shows."""

    name: str = ""
    version: str = ""
    summary: str = ""
    license: str = ""
    homepage: str = ""
    repository: str = ""
    description: str = ""
    """Its README, where the metadata holds it."""

    description_type: str = ""
    file: str = ""
    description_line: int = 0
    """Line of the file on which the description begins; 0 when it is not there line by line."""


class _Project(msgspec.Struct, frozen=True):
    """The table `[project]` of pyproject.toml, as far as it is used."""

    name: str = ""
    version: str = ""
    description: str = ""
    license: str | dict[str, object] = ""
    urls: dict[str, str] = msgspec.field(default_factory=dict[str, str])


class _Toml(msgspec.Struct, frozen=True):
    project: _Project = _Project()


def read_metadata(tree: SourceTree) -> Metadata:
    """Read the metadata of a source; all empty where there is none."""
    for path in _candidates(tree):
        try:
            text = tree.read_text(path, limit=MAX_BYTES)
        except FileRefused:
            continue
        if path.endswith("pyproject.toml"):
            return _of_project(text, path)
        return _of_headers(text, path)
    return Metadata()


def _candidates(tree: SourceTree) -> list[str]:
    found = [path for path in tree.paths if path.count("/") <= 1]
    wheel = [path for path in found if path.endswith(".dist-info/METADATA")]
    sdist = [path for path in found if path == "PKG-INFO"]
    return [*wheel, *sdist, *(path for path in found if path == "pyproject.toml")]


def _of_headers(text: str, path: str) -> Metadata:
    raw, unparsed = parse_email(text)
    described = raw.get("description", "")
    made = _with_urls(
        Metadata(
            name=raw.get("name", ""),
            version=raw.get("version", ""),
            summary=raw.get("summary", ""),
            license=raw.get("license_expression", "") or _licence(raw.get("license", "")),
            homepage=raw.get("home_page", ""),
            description=described or "".join(unparsed.get("description", [])),
            description_type=raw.get("description_content_type", "") or "text/x-rst",
            file=path,
        ),
        raw.get("project_urls", {}),
    )
    head, _, body = text.partition("\n\n")
    first = described.strip().split("\n", 1)[0].strip()
    if first and body.lstrip("\n").split("\n", 1)[0].strip() == first:
        blank = len(body) - len(body.lstrip("\n"))
        return replace(made, description_line=head.count("\n") + 3 + blank)
    return made


def _of_project(text: str, path: str) -> Metadata:
    try:
        project = msgspec.toml.decode(text, type=_Toml).project
    except (msgspec.DecodeError, RecursionError):
        return Metadata()
    return _with_urls(
        Metadata(
            name=project.name,
            version=project.version,
            summary=project.description,
            license=_short(project.license) if isinstance(project.license, str) else "",
            file=path,
        ),
        project.urls,
    )


def _with_urls(made: Metadata, urls: Mapping[str, str]) -> Metadata:
    known = {canonicalize_name(label).replace("-", ""): url for label, url in urls.items()}
    repository = next((known[name] for name in _REPOSITORY if name in known), "")
    homepage = made.homepage or next((known[name] for name in _HOMEPAGE if name in known), "")
    return replace(made, repository=repository, homepage=homepage or repository)


def _licence(text: str) -> str:
    """Return the name of a licence, or that of the text that some put in the name's place."""
    return _short(text) or (spdx_of(text[:LICENCE_BEGINNING]) if len(text) > 200 else "")


def _short(licence: str) -> str:
    """Return a licence field that is a name, not a whole text."""
    return licence if len(licence) <= 60 and re.fullmatch(r"[\w .+()-]*", licence) else ""
