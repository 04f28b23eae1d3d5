"""The kinds that can be imported, each loaded when it is first used: some need an extra."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import OptionRefused
from doctrove_schema.names import nearest

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import Kind

MODULES = MappingProxyType(
    {
        "markdown": "doctrove_builder.importing.markdown.kind",
        "python": "doctrove_builder.importing.python.kind",
        "sphinx": "doctrove_builder.importing.sphinx.kind",
        "npm": "doctrove_builder.importing.npm.kind",
        "devdocs": "doctrove_builder.importing.devdocs.kind",
        "llms-txt": "doctrove_builder.importing.llms_txt.kind",
        "openapi": "doctrove_builder.importing.openapi.kind",
        "index": "doctrove_builder.importing.index.kind",
    }
)
"""By name, in order of use: the module that holds the kind as `KIND`."""


def load_kind(name: str) -> Kind:
    """Return a kind; raises `OptionRefused` for one that is unknown or needs what is missing."""
    if name not in MODULES:
        near = nearest(name, MODULES)
        hint = f"do you mean {near}?" if near else f"the kinds are: {', '.join(MODULES)}"
        raise OptionRefused(f"there is no kind {name!r}", hint=hint)
    try:
        kind: Kind = import_module(MODULES[name]).KIND
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("doctrove_"):
            raise
        raise OptionRefused(
            f"the kind {name} needs the package {error.name}",
            hint='install it with: pip install "doctrove[import]"',
        ) from error
    return kind
