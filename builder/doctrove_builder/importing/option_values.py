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
    values: dict[str, OptionValue] = {}
    for option, value in check_options(kind, written):
        if option.type != "source":
            values[option.name] = value
        elif value:
            values[option.name] = open_tree(str(value))
    return Options(library=library, version=version, values=values)


def check_options(kind: Kind, written: Mapping[str, Written]) -> list[tuple[Option, Written]]:
    """Return the value of every option, before anything is read; raises `OptionRefused`."""
    known = {option.name: option for option in kind.options}
    for name in written:
        if name not in known:
            near = nearest(name, known)
            listed = f"its options are: {', '.join(known)}" if known else "it has none"
            raise OptionRefused(
                f"the kind {kind.name} has no option {name!r}",
                hint=f"do you mean {near}?" if near else listed,
            )
    return [
        (option, _value(option, written[name]) if name in written else option.default)
        for name, option in known.items()
    ]


def _value(option: Option, written: Written) -> Written:
    check = _CHECKS.get(option.type, _text)
    value = check(option, written)
    if value is None:
        what = f"one of {', '.join(option.choices)}" if option.choices else _WORDS[option.type]
        if option.most is not None:
            what += f" from {option.least} to {option.most}"
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


def _number(option: Option, written: Written) -> Written | None:
    text = str(written)
    if isinstance(written, bool) or not (text.isascii() and text.isdigit() and len(text) < 10):
        return None
    number = int(text)
    fits = option.least <= number and (option.most is None or number <= option.most)
    return number if fits else None


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
