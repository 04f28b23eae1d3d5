"""The settings between `---` or `+++` lines above a page: read as data, whatever keys there are."""

from __future__ import annotations

import re
import tomllib
from typing import Any, NamedTuple, cast

import yaml

from doctrove_builder.importing.markdown.plain import mapping_of

MAX_BYTES = 256 * 1024

_YAML = re.compile(r"(?:\s*\n)?---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


class Front(NamedTuple):
    """What stands above a page."""

    values: dict[str, object]
    lines: int
    """How many lines of the file it takes."""

    def text(self, *names: str) -> str:
        """Return the first of the keys that has a text or a number; empty when none has."""
        for name in names:
            value = self.values.get(name)
            if isinstance(value, str | int | float) and not isinstance(value, bool):
                return " ".join(str(value).split())
        return ""

    def number(self, *names: str) -> float | None:
        """Return the first of the keys that has a number."""
        for name in names:
            value = self.values.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return value
        return None


def split_front(text: str) -> Front:
    """Read the front matter of a page; what cannot be read is taken off all the same."""
    found = _YAML.match(text)
    if found:
        return Front(load_yaml(found[1]), found[0].count("\n") or 1)
    found = _TOML.match(text)
    if found:
        try:
            return Front(tomllib.loads(found[1]), found[0].count("\n"))
        except (tomllib.TOMLDecodeError, RecursionError):
            return Front({}, found[0].count("\n"))
    return Front({}, 0)


def load_yaml(text: str) -> dict[str, object]:
    """Read a YAML mapping as plain data; empty when it is none. Tags make nothing but text."""
    return mapping_of(load_any_yaml(text))


def load_any_yaml(text: str) -> object:
    """Read YAML as plain data, unknown tags left out; None when it cannot be read."""
    if len(text) > MAX_BYTES or ("*" in text and _expands(text)):
        return None
    try:
        return yaml.load(text, Loader=_PlainLoader)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError):
        return None


def _expands(text: str) -> bool:
    """Say whether aliases are used in a number that could make a small text a huge value."""
    return len(re.findall(r"(?<![\w*])\*\w+", text)) > 50


class _PlainLoader(yaml.SafeLoader):
    """A safe loader that reads unknown tags (`!!python/name:...`, `!ENV`) as nothing."""


def _nothing(_loader: object, _suffix: object, _node: object) -> None:
    return None


cast("Any", _PlainLoader).add_multi_constructor("", _nothing)
