"""Leaves out the ids of headings that a heading has by its text, so that readers see text alone."""

from __future__ import annotations

import re
from collections import Counter

from doctrove_builder.importing.markdown.lines import Line, Role, roles
from doctrove_schema.sections import slug

_HEADING = re.compile(r"(?P<start>#{1,6} (?P<text>.+?))(?: \{#(?P<id>[^}\s]+)\})?")
_PLAIN = re.compile(r"(?:[^`_*\[\]<>&\\~]|`[^`]+`)+")
"""Text whose slug is that of what is shown: nothing but code is marked up in it."""


def without_needless_ids(markdown: str, *, title: str) -> str:
    """Return a page's Markdown with ` {#id}` only where a build would name the heading otherwise.

    A build names a heading by its slug, and counts up where two are alike (`doctrove_schema`).
    """
    lines = markdown.split("\n")
    kinds = roles([Line(line, number) for number, line in enumerate(lines, 1)])
    found = {
        number: heading
        for number, (line, kind) in enumerate(zip(lines, kinds, strict=True))
        if kind is Role.TEXT and (heading := _HEADING.fullmatch(line))
    }
    claimed = Counter({slug(title): 1})
    for heading in found.values():
        claimed.update({slug(heading["text"]), heading["id"] or ""})
    for number, heading in found.items():
        own = slug(heading["text"])
        if own == heading["id"] and claimed[own] == 1 and _PLAIN.fullmatch(heading["text"]):
            lines[number] = heading["start"]
    return "\n".join(lines)
