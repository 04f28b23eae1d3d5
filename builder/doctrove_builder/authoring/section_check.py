"""A short check of one section in a single-file volume, equal to the JSON Schema's.

Says yes or no. Who says no asks the schema for the reasons; a property test holds the two equal.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from doctrove_builder.authoring.marked import Marked, MarkedList, MarkedMapping, Scalar
from doctrove_schema.schemas import schema_text

if TYPE_CHECKING:
    from collections.abc import Callable


def is_section(value: Marked) -> bool:
    """Say whether a value is what `$defs/section` of `volume-file.schema.json` describes."""
    if not isinstance(value, MarkedMapping):
        return False
    entries = value.entries
    if "heading" not in entries or "body" not in entries:
        return False
    checks = _checks()
    for key, entry in entries.items():
        check = checks.get(key)
        if check is None:
            if not key.startswith("x-"):
                return False
        elif not check(entry.value):
            return False
    return True


def is_section_id(text: str) -> bool:
    """Say whether a text is what `$defs/sectionId` of the schema describes."""
    return _checks()["id"](Scalar(text=text, value=text, at=(1, 1), end_line=1))


@cache
def _checks() -> dict[str, Callable[[Marked], bool]]:
    definitions: dict[str, Any] = json.loads(schema_text("volume-file"))["$defs"]
    text = _text_check(definitions["text"])
    name = _text_check(definitions["name"])
    return {
        "id": _text_check(definitions["sectionId"]),
        "heading": text,
        "path": _text_check(definitions["url"]),
        "body": text,
        "symbols": lambda value: isinstance(value, MarkedList) and all(map(name, value.items)),
    }


def _text_check(definition: dict[str, Any]) -> Callable[[Marked], bool]:
    search = re.compile(definition["pattern"]).search
    longest: int | None = definition.get("maxLength")

    def check(value: Marked) -> bool:
        if not isinstance(value, Scalar) or not value.settled or not isinstance(value.value, str):
            return False
        text = value.value
        return (longest is None or len(text) <= longest) and search(text) is not None

    return check
