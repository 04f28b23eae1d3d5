"""What `:::` blocks and the settings of a site say about the members of objects.

mkdocstrings: YAML below the block, over `plugins: mkdocstrings: handlers: python: options` of
mkdocs.yml, key by key. mkautodoc: `:members: a b` and `:docstring:`.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.markdown.frontmatter import load_yaml
from doctrove_builder.importing.markdown.plain import list_of, mapping_of, texts_of
from doctrove_builder.importing.python.selection import (
    DEFAULT_FILTERS,
    Filters,
    Selection,
    filter_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MEMBERS = re.compile(r"[ \t]*:members:[ \t]*(.*)")
_GROUPS = ("selection", "rendering", "options")
"""Keys that hold options: the first two are those of old versions."""


class Asked(NamedTuple):
    """What a block asks for."""

    selection: Selection | None
    """None: nobody says anything of members."""

    refused: tuple[str, ...] = ()
    """Filters that cannot be used."""


def site_options(settings: Mapping[str, object]) -> Mapping[str, object] | None:
    """Return the options of mkdocstrings for Python in a site's settings; None without it."""
    plugins = settings.get("plugins")
    entries = list_of(plugins) or [plugins]
    for entry in entries:
        if entry == "mkdocstrings":
            return {}
        plugin = mapping_of(entry)
        if "mkdocstrings" in plugin:
            handlers = mapping_of(mapping_of(plugin["mkdocstrings"]).get("handlers"))
            return _options(mapping_of(handlers.get("python")))
    return None


def asked_for(texts: Sequence[str], *, site: Mapping[str, object] | None) -> Asked:
    """Read the indented lines below a block; `site` are the options that hold for all."""
    for text in texts:
        if found := _MEMBERS.fullmatch(text):
            return Asked(_listed(tuple(filter(str.isidentifier, found[1].split()))))
    if any(text.strip() == ":docstring:" for text in texts):
        return Asked(Selection(members=()))
    given = _options(load_yaml(dedent("\n".join(texts))))
    if site is None and not given:
        return Asked(None)
    return _asked({**(site or {}), **given})


def _listed(names: tuple[str, ...]) -> Selection | None:
    """Return what `:members: a b` asks for: members by name, whatever class they come from."""
    return Selection(members=names, inherited=True, undocumented=True) if names else None


def _options(holder: Mapping[str, object]) -> dict[str, object]:
    return {key: value for name in _GROUPS for key, value in mapping_of(holder.get(name)).items()}


def _asked(options: Mapping[str, object]) -> Asked:
    filters, refused = _filters(options.get("filters", ...))
    inherited = _choice(options.get("inherited_members"))
    return Asked(
        Selection(
            members=_choice(options.get("members")),
            inherited=inherited if inherited is not None else False,
            filters=filters,
            undocumented=options.get("show_if_no_docstring") is True,
        ),
        refused,
    )


def _choice(value: object) -> bool | tuple[str, ...] | None:
    """Return a truth value or names; None where nothing is said."""
    if isinstance(value, bool):
        return value
    return None if value is None else tuple(texts_of(value))


def _filters(value: object) -> tuple[Filters, tuple[str, ...]]:
    """Return the filters, and those that cannot be used; without any, the usual ones."""
    if value is ...:
        return DEFAULT_FILTERS, ()
    if value == "public":
        return "public", ()
    texts = texts_of(value)
    made = {text: filter_of(text) for text in texts}
    used = tuple(one for text in texts if (one := made[text]) is not None)
    return used, tuple(text for text, one in made.items() if one is None)
