"""What is wrong with the seed's block, key by key, in words for whoever wrote it.

Reads the types of the settings, so that a new key needs nothing here. All faults are found at once;
what several keys say together is judged elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec
from msgspec import inspect

from doctrove_schema.names import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Fault = tuple[str, str]
"""The path of a key, and what is wrong with it."""

_LONGEST = 60
"""Characters of a value or a key that a message repeats."""


def block_faults(block: object, kind: type[msgspec.Struct], *, place: str) -> tuple[Fault, ...]:
    """Return all faults of a value that should be of a kind; `place` is the path of the value."""
    return tuple(_faults(block, inspect.type_info(kind), place))


def without_nulls(block: object) -> object:
    """Return a block without the keys whose value is null: they count as not there."""
    if isinstance(block, dict):
        parts = cast("dict[str, object]", block)
        return {key: without_nulls(one) for key, one in parts.items() if one is not None}
    if isinstance(block, list):
        return [without_nulls(one) for one in cast("list[object]", block)]
    return block


def _faults(value: object, kind: inspect.Type, place: str) -> Iterator[Fault]:
    if isinstance(kind, inspect.StructType):
        yield from _of_object(value, kind, place)
    elif isinstance(kind, inspect.VarTupleType):
        yield from _of_list(value, kind, place)
    elif wanted := _wanted(value, kind):
        yield place, f"{_shown(value)} is not {wanted}"


def _of_object(value: object, kind: inspect.StructType, place: str) -> Iterator[Fault]:
    fields = {field.encode_name: field for field in kind.fields}
    if not isinstance(value, dict):
        yield place, f"{_shown(value)} is not an object; its keys are {', '.join(fields)}"
        return
    given = cast("Mapping[str, object]", value)
    for key, own in given.items():
        field = fields.get(key)
        if field is None:
            yield f"{place}.{key[:_LONGEST]}", _no_key(key, tuple(fields))
            continue
        ending = _default(field)
        for path, text in _faults(own, field.type, f"{place}.{key}"):
            yield path, text + (ending if path == f"{place}.{key}" else "")
    for key, field in fields.items():
        if field.required and key not in given:
            yield f"{place}.{key}", "it is missing; it has no default"


def _of_list(value: object, kind: inspect.VarTupleType, place: str) -> Iterator[Fault]:
    if not isinstance(value, list):
        yield place, f"{_shown(value)} is not a list"
        return
    items = cast("Sequence[object]", value)
    least, most = kind.min_length or 0, kind.max_length
    if len(items) < least or (most is not None and len(items) > most):
        yield place, f"it has {len(items)} values, and must have {least} to {most}"
    for number, one in enumerate(items[: most or len(items)]):
        yield from _faults(one, kind.item_type, f"{place}[{number}]")


def _wanted(value: object, kind: inspect.Type) -> str:
    """Return in words what a value should have been; nothing where it is right."""
    match kind:
        case inspect.LiteralType(values=values):
            words = ", ".join(_shown(one) for one in values)
            known = isinstance(value, str) and value in values
            return "" if known else f"one of {words}" if len(values) > 1 else words
        case inspect.BoolType():
            return "" if isinstance(value, bool) else "true or false"
        case inspect.IntType():
            right = isinstance(value, int) and not isinstance(value, bool)
            return "" if right and _within(cast("int", value), kind) else _range("a whole", kind)
        case inspect.FloatType():
            right = isinstance(value, int | float) and not isinstance(value, bool)
            return "" if right and _within(cast("float", value), kind) else _range("a", kind)
        case _:
            raise NotImplementedError(f"no words for {kind}")


def _within(value: float, kind: inspect.IntType | inspect.FloatType) -> bool:
    return not (
        (kind.ge is not None and value < kind.ge)
        or (kind.gt is not None and value <= kind.gt)
        or (kind.le is not None and value > kind.le)
    )


def _range(article: str, kind: inspect.IntType | inspect.FloatType) -> str:
    if kind.gt is not None:
        return f"{article} number above {kind.gt:g}, {kind.le or 0:.0f} at most"
    return f"{article} number from {kind.ge or 0:.0f} to {kind.le or 0:.0f}"


def _no_key(key: str, known: tuple[str, ...]) -> str:
    near = nearest(key, known)
    meant = f'did you mean "{near}"? ' if near else ""
    return f"there is no such key; {meant}the keys there are {', '.join(known)}"


def _default(field: inspect.Field) -> str:
    shown = _shown(field.default) if not field.required else ""
    return f"; left out, it is {shown}" if shown and not shown.endswith("...") else ""


def _shown(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
