"""Nodes that stand in a docutils document for what Sphinx adds to reStructuredText."""

from __future__ import annotations

from typing import Any, TypeAlias

from docutils import nodes

Loose: TypeAlias = Any
"""A node or a state of docutils: its attributes are not in its type."""


class CrossReference(nodes.Inline, nodes.TextElement):
    """`:role:`text <target>``; attributes: role, target."""


class Described(nodes.General, nodes.Element):
    """An object's description; attributes: kind, name, symbols, signatures, language, lines."""


class AutoDescribed(nodes.General, nodes.Element):
    """An autodoc directive; attributes: kind, name, given (options), file, line."""


class Alternatives(nodes.General, nodes.Element):
    """A set of tabs; its children are `Alternative`s and other blocks."""


class Alternative(nodes.General, nodes.Element):
    """One tab; attribute: label."""


class Boxed(nodes.General, nodes.Element):
    """A card or a fold: a box with a title; attributes: kind, label."""
