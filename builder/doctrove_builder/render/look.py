"""The look of a site: the built-in templates and assets, and what a project puts over them.

A project's `_templates/` may hold

- `NAME.html`: takes the place of the built-in template of that name. It normally begins with
  `{% extends "!NAME.html" %}`, where `!` means the built-in one, and overrides some of its blocks;
- templates of its own, which the others include;
- `project.css`: a style sheet that every page loads after the built-in one.

Other files there are left alone.
"""

from __future__ import annotations

import re
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.layout import ASSETS
from doctrove_builder.render.errors import TemplateInvalid, TemplateRefused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable
    from pathlib import Path

OVERRIDES = "_templates"
"""Folder of the authoring tree."""

PROJECT_STYLE = "project.css"
INLINED = "missing.js"
"""The asset that no page loads: it stands in the page for what is missing."""

MAX_BYTES = 100_000
"""Of one file in `_templates/`."""

MAX_FILES = 100

_HASH_DIGITS = 16
_NAMED = re.compile(rb'"\./([a-z]+\.(?:css|js|svg))"')


class AssetFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file that pages load."""

    name: str
    path: str
    """In `dist/`: the name holds the hash of the content, so a host may cache it for ever."""

    content: bytes


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """Everything besides the views that decides the bytes of a page."""

    templates: tuple[tuple[str, str], ...]
    """Name and text of the built-in ones, by name."""

    overrides: tuple[tuple[str, str], ...] = ()
    """Name and text of the project's, by name."""

    assets: tuple[AssetFile, ...]
    fingerprint: str
    """SHA-256 of all of the above, in hexadecimal."""


def make_look(overrides: Mapping[str, str] | None = None) -> Look:
    """Return the look of a site whose `_templates/` holds these texts, by path below it."""
    package = resources.files("doctrove_site_template")
    over = dict(sorted((overrides or {}).items()))
    contents = {name: file.read_bytes() for name, file in _files(package / "assets")}
    if style := over.pop(PROJECT_STYLE, ""):
        contents[PROJECT_STYLE] = style.encode()
    templates = tuple(
        (name, file.read_text("utf-8")) for name, file in _files(package / "templates")
    )
    assets = tuple(_asset(name, contents) for name in contents)
    parts = (templates, tuple(over.items()), tuple(asset.path for asset in assets))
    return Look(
        templates=templates,
        overrides=tuple(over.items()),
        assets=assets,
        fingerprint=sha256(msgspec.msgpack.encode(parts)).hexdigest(),
    )


def read_overrides(folder: Path) -> dict[str, str]:
    """Read the files of a `_templates/` folder, by their path below it; none when there is none.

    Raises `TemplateRefused` for a symbolic link, a file above `MAX_BYTES` or more than `MAX_FILES`
    files, and `TemplateInvalid` for one that is not UTF-8.
    """
    texts: dict[str, str] = {}
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.suffix != ".html" and name != PROJECT_STYLE:
            continue
        source = f"{OVERRIDES}/{name}"
        if file.is_symlink() or not file.resolve().is_relative_to(folder.resolve()):
            raise TemplateRefused("the file is a symbolic link", source=source)
        if file.stat().st_size > MAX_BYTES:
            raise TemplateRefused(f"the file is larger than {MAX_BYTES:,} bytes", source=source)
        if len(texts) == MAX_FILES:
            raise TemplateRefused(f"the folder holds more than {MAX_FILES} files", source=source)
        try:
            texts[name] = file.read_text("utf-8-sig")
        except UnicodeDecodeError as error:
            raise TemplateInvalid("the file is not UTF-8", source=source) from error
    return texts


def _files(folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.is_file() and not file.name.startswith((".", "__")):
            yield file.name, file


def _asset(name: str, contents: Mapping[str, bytes]) -> AssetFile:
    """Return one file; a script that names another one, as `"./NAME"`, names it with its hash."""

    def named(match: re.Match[bytes]) -> bytes:
        path = _asset(match[1].decode(), contents).path
        return f'"./{path.rpartition("/")[2]}"'.encode()

    content = contents[name]
    if name.endswith(".js"):
        content = _NAMED.sub(named, content)
    return AssetFile(name=name, path=_hashed(name, content), content=content)


def _hashed(name: str, content: bytes) -> str:
    stem, _, suffix = name.rpartition(".")
    return f"{ASSETS}/{stem}.{sha256(content).hexdigest()[:_HASH_DIGITS]}.{suffix}"
