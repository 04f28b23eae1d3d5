"""What a tool returns: a text and a structure, each complete alone.

Some clients show a model only the structure, some only the text, and on errors most show the text
alone; so both say everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_server.errors import ToolError


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A section that an answer shows, in part or whole."""

    uri: str
    body: str
    source: str
    """Where people read it."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One tool's result, or its failure."""

    text: str
    """Markdown."""

    data: dict[str, object]
    """JSON."""

    is_error: bool = False
    shown: tuple[Shown, ...] = ()
    """The originals of the sections in it; not sent."""


class Result(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of the results' structures; field names in JSON are camel case."""


def answered(text: str, result: Result) -> Answer:
    """Return the answer of a call that went well."""
    # Through JSON, so that the structure holds what arrives: arrays are lists, not tuples.
    return Answer(text=text, data=msgspec.json.decode(msgspec.json.encode(result)))


def failed(error: ToolError) -> Answer:
    """Return the answer of a call that failed, with the code that the seed lists."""
    return failure(error.code, str(error))


def failure(code: str, message: str) -> Answer:
    """Return a failure from its code and message."""
    data: dict[str, object] = {"error": {"code": code, "message": message}}
    return Answer(text=f"Error ({code}): {message}", data=data, is_error=True)


def notes(notices: Iterable[str]) -> str:
    """Return notices as lines of a text's end; empty when there are none."""
    return "".join(f"\nNote: {notice}" for notice in notices)


def plural(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun: `1 version`, `2 versions`, `0 libraries`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def number(value: float) -> str:
    """Return a score as people write it: `1`, `0.5`, `0.1667`."""
    return f"{value:.4f}".rstrip("0").rstrip(".")
