"""The settings: read from four layers, checked strictly, each fault naming where it came from.

Command line over environment over configuration file over defaults. Unset is: not there, null in
the file, an empty variable. Reads nothing by itself; the layers are arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from doctrove_schema.names import nearest
from doctrove_server.errors import ConfigError, WrongKeys
from doctrove_server.ranking.sections import PROFILES, ProfileName
from doctrove_server.sources.address import Address, read_address

if TYPE_CHECKING:
    from collections.abc import Mapping

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})
IN_MEMORY = ":memory:"
_DIGITS = re.compile(r"[0-9]{1,9}")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the server runs with."""

    remote: Address | None = None
    local_index: str = ""
    """Path as given; empty for the built-in index."""

    cache_ttl: int = 600
    """Seconds, 0 to 86,400; 0 keeps nothing."""

    timeout_ms: int = 15_000
    """1 to 300,000."""

    ranking: ProfileName = "tiered"
    most_answer_tokens: int = 8_000
    """Ceiling of each channel of `doc_extract`, 100 to 1,000,000; 0 for none."""

    context_memory: str | None = None
    """Path of the context memory, `IN_MEMORY` for one without a file, empty for none whatever the
    block says; None where nothing is said."""

    compression: dict[str, object] | None = None
    """The seed's block `mcp`, checked."""

    debug: bool = False

    @property
    def remembers(self) -> bool:
        """Whether there is a context memory: as was said, else where the block is there."""
        if self.context_memory is not None:
            return bool(self.context_memory)
        return self.compression is not None


class Given(msgspec.Struct, frozen=True):
    """A value and where it was given, for messages."""

    value: object
    place: str
    is_text: bool = False
    """From the command line or the environment, where everything is text."""


class _Row(msgspec.Struct, frozen=True):
    """One setting: its names in the layers, and how a value is read."""

    field: str
    variable: str
    key: str
    read: Callable[[Given], object]


def settings(
    *, flags: Mapping[str, Given], env: Mapping[str, str], file: Mapping[str, object], path: str
) -> Settings:
    """Lay the layers over one another; `path` names the file in messages.

    Raises `ConfigError` naming every wrong value that counts, one in each line.
    """
    values: dict[str, object] = {}
    faults: list[str] = []
    for row in _ROWS:
        given = _given(row, flags=flags, env=env, file=file, path=path)
        if given is None:
            continue
        try:
            values[row.field] = row.read(given)
        except WrongKeys as error:
            faults += [f'"{key}" in {path}: {text}' for key, text in error.faults]
        except ValueError as error:
            faults.append(f"{given.place}: {error}")
    if faults:
        raise ConfigError("\n".join(faults))
    return msgspec.convert(values, Settings)


def without_effect(chosen: Settings, *, path: str) -> tuple[str, ...]:
    """Return a warning for each part of a configuration file that another setting switches off."""
    if chosen.compression is None or chosen.remembers:
        return ()
    off = "the context memory is switched off (--context-memory, DOCTROVE_CONTEXT_MEMORY or"
    return (f'{path}: "mcp" has no effect: {off} "contextMemory" is false)',)


def unknown_keys(file: Mapping[str, object], *, path: str) -> tuple[str, ...]:
    """Return a warning for each key of a configuration file that is no setting."""
    known = [row.key for row in _ROWS]
    warnings: list[str] = []
    for key in file:
        if key not in known and key != "$schema" and not key.startswith("x-"):
            near = nearest(key, known)
            meant = f'; did you mean "{near}"?' if near else ""
            warnings.append(f'{path}: "{key[:60]}" is not a setting and is ignored{meant}')
    return tuple(warnings)


def whole_number(given: Given, *, low: int, high: int) -> int:
    """Read a whole number: digits alone where all is text, else a number."""
    value = given.value
    if given.is_text and isinstance(value, str) and _DIGITS.fullmatch(value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{_shown(given)} is not a whole number from {low} to {high}")
    return value


def _given(
    row: _Row,
    *,
    flags: Mapping[str, Given],
    env: Mapping[str, str],
    file: Mapping[str, object],
    path: str,
) -> Given | None:
    if row.field in flags:
        return flags[row.field]
    if env.get(row.variable):
        return Given(env[row.variable], f"environment variable {row.variable}", is_text=True)
    value = file.get(row.key)
    if value is None or value == "":
        return None
    return Given(value, f'"{row.key}" in {path}')


def _address(given: Given) -> Address:
    try:
        return read_address(given.value if isinstance(given.value, str) else "")
    except ValueError as error:
        raise ValueError(f"the address cannot be used: {error}") from None


def _path(given: Given) -> str:
    if not isinstance(given.value, str) or not given.value.strip() or "\0" in given.value:
        raise ValueError(f"{_shown(given)} is not a path")
    return given.value


def _boolean(given: Given) -> bool:
    value = given.value
    if isinstance(value, bool):
        return value
    word = value.lower() if given.is_text and isinstance(value, str) else ""
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise ValueError(f"{_shown(given)} is not true or false")


def _profile(given: Given) -> ProfileName:
    for name in PROFILES:
        if given.value == name:
            return name
    raise ValueError(f"{_shown(given)} is not one of {', '.join(PROFILES)}")


def _cache_ttl(given: Given) -> int:
    return whole_number(given, low=0, high=86_400)


def _timeout(given: Given) -> int:
    return whole_number(given, low=1, high=300_000)


def _ceiling(given: Given) -> int:
    number = whole_number(given, low=0, high=1_000_000)
    if 0 < number < 100:
        raise ValueError(f"{_shown(given)} is neither 0 nor at least 100")
    return number


def _memory(given: Given) -> str:
    """Read where the memory is: a path, or a word for on or off (`./true` is a file)."""
    word = given.value.lower() if isinstance(given.value, str) else ""
    if given.value is True or word in _TRUE:
        return IN_MEMORY
    if given.value is False or word in _FALSE:
        return ""
    try:
        return _path(given)
    except ValueError:
        raise ValueError(f"{_shown(given)} is not true, false or a path") from None


def _block(given: Given) -> object:
    from doctrove_server.compression.settings import (  # noqa: PLC0415 - where there is one
        read_settings,
    )

    read_settings(given.value)
    return given.value


def _shown(given: Given) -> str:
    text = msgspec.json.encode(given.value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."


_ROWS = (
    _Row("local_index", "DOCTROVE_LOCAL_INDEX", "localIndex", _path),
    _Row("timeout_ms", "DOCTROVE_TIMEOUT_MS", "timeoutMs", _timeout),
    _Row("cache_ttl", "DOCTROVE_CACHE_TTL", "cacheTtl", _cache_ttl),
    _Row("remote", "DOCTROVE_INDEX_URL", "indexUrl", _address),
    _Row("ranking", "DOCTROVE_RANKING", "ranking", _profile),
    _Row("most_answer_tokens", "DOCTROVE_MAX_ANSWER_TOKENS", "maxAnswerTokens", _ceiling),
    _Row("context_memory", "DOCTROVE_CONTEXT_MEMORY", "contextMemory", _memory),
    _Row("compression", "", "mcp", _block),
    _Row("debug", "DOCTROVE_DEBUG", "debug", _boolean),
)
