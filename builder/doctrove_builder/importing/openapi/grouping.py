"""Which operations and schemas stand on a page together, so that no page grows without a bound."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.json_values import as_list, as_mapping, as_text
from doctrove_schema.sections import slug

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_builder.importing.openapi.operations import Operation

SCHEMAS = "schemas"
"""Path of the page of schemas, or of the folder of such pages."""

MANY = 150
"""More operations without a tag, or schemas, than this are spread over several pages."""

LARGE = 400_000
"""Bytes of schemas, as JSON, that stand on one page where they are many."""

_VERSION = re.compile(r"v?\d[\d.]*(?:[a-z]\w*)?", re.IGNORECASE)


def operation_groups(
    root: Mapping[str, object], operations: Sequence[Operation]
) -> dict[str, list[Operation]]:
    """Return the operations by their first tag, in the order of the description's own list.

    Those without a tag are one group, or where they are many, one for each resource: the first
    part of the path that names something.
    """
    order = [as_text(as_mapping(tag).get("name")) for tag in as_list(root.get("tags"))]
    groups: dict[str, list[Operation]] = {tag: [] for tag in order if tag}
    bare = sum(not one.tags for one in operations)
    for one in operations:
        if one.tags:
            tag = one.tags[0]
        elif one.webhook:
            tag = "Webhooks"
        else:
            tag = _resource(one.call) if bare > MANY else "Operations"
        groups.setdefault(tag, []).append(one)
    return {tag: members for tag, members in groups.items() if members}


def schema_pages(named: Mapping[str, object]) -> dict[str, str]:
    """Return the page of each schema: one for all, or where they are many, one for each letter.

    Where a letter's schemas are large together, it has further pages: `schemas/w-2`.
    """
    if len(named) <= MANY:
        return dict.fromkeys(named, SCHEMAS)
    pages: dict[str, str] = {}
    sizes: Counter[str] = Counter()
    for name in sorted(named):
        letter = _letter(name)
        sizes[letter] += len(msgspec.json.encode(named[name]))
        part = sizes[letter] // LARGE
        pages[name] = f"{SCHEMAS}/{letter}" + (f"-{part + 1}" if part else "")
    return {name: pages[name] for name in named}


def schema_title(page: str) -> str:
    """Return the title of a page of schemas."""
    letter, _, part = page.rpartition("/")[2].partition("-")
    if page == SCHEMAS:
        return "Schemas"
    return f"Schemas: {letter.upper()}" + (f", part {part}" if part else "")


def _letter(name: str) -> str:
    first = slug(name)[:1].lower()
    return first if first.isalpha() else "other"


def _resource(call: str) -> str:
    parts = call.partition(" ")[2].split("/")
    named = (part for part in parts if part and "{" not in part and not _VERSION.fullmatch(part))
    return next(named, "Operations")
