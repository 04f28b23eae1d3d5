"""Say which code renders: a digest that changes when a rendering may."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.metadata import version


@cache
def code_version() -> str:
    """Return a digest of the source of what renders and of the template engine's version."""
    digest = sha256(version("jinja2").encode())
    for package in ("doctrove_builder.changes", "doctrove_builder.render"):
        for file in sorted(resources.files(package).iterdir(), key=lambda entry: entry.name):
            if file.name.endswith(".py"):
                digest.update(file.read_bytes())
    return digest.hexdigest()
