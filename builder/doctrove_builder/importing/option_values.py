"""Options of a kind as written, on the command line or in doctrove.yaml, to checked values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import OptionRefused
from doctrove_builder.importing.imported import Options
from doctrove_schema.names import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from doctrove_builder.importing.imported import Kind, Option, OptionValue
    from doctrove_builder.importing.source_tree import SourceTree

_TRUE, _FALSE = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})

Written = str | int | bool | tuple[str, ...]


def make_options(
    kind: Kind,
    written: Mapping[str, Written],
    *,
    library: str,
    version: str,
    open_tree: Callable[[str], SourceTree],
) -> Options:
    """Check what is written and complete it; raises `OptionRefused`.

    `open_tree` opens the second source that an option of type `source` names.
    """
    known = {option.name: option for option in kind.options}
    for name in written:
        if name not in known:
            near = nearest(name, known)
            listed = f"its options are: {', '.join(known)}" if known else "it has none"
            raise OptionRefused(
                f"the kind {kind.name} has no option {name!r}",
                hint=f"do you mean {near}?" if near else listed,
            )
    values: dict[str, OptionValue] = {}
    for name, option in known.items():
        value = _value(option, written[name]) if name in written else option.default
        if option.type == "source":
            if value:
                values[name] = open_tree(str(value))
        else:
            values[name] = value
    return Options(library=library, version=version, values=values)


def _value(option: Option, written: Written) -> Written:
    check = _CHECKS.get(option.type, _text)
    value = check(option, written)
    if value is None:
        what = f"one of {', '.join(option.choices)}" if option.choices else _WORDS[option.type]
        raise OptionRefused(f"the option {option.name} is {written!r}, not {what}")
    return value


def _text(_option: Option, written: Written) -> Written | None:
    if isinstance(written, tuple):
        return None
    return written if isinstance(written, str) else str(written).lower()


def _flag(_option: Option, written: Written) -> Written | None:
    if isinstance(written, bool):
        return written
    word = str(written).lower()
    return True if word in _TRUE else False if word in _FALSE else None


def _number(_option: Option, written: Written) -> Written | None:
    if isinstance(written, int) and not isinstance(written, bool):
        return written
    text = str(written)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _list(_option: Option, written: Written) -> Written | None:
    if isinstance(written, tuple):
        return written
    return tuple(part.strip() for part in str(written).split(",") if part.strip())


def _choice(option: Option, written: Written) -> Written | None:
    return written if isinstance(written, str) and written in option.choices else None


_CHECKS: Mapping[str, Callable[[Option, Written], Written | None]] = {
    "flag": _flag,
    "number": _number,
    "list": _list,
    "choice": _choice,
}
_WORDS = {
    "text": "a text",
    "source": "a source",
    "flag": "true or false",
    "number": "a whole number",
    "list": "a list",
    "choice": "a choice",
}
