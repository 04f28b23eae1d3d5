"""What a tool may be called with: one table for the schema that clients see and for the check.

The schemas are flat, since clients in use drop tools whose schema holds more: every property has
one type, and there is no reference, union, null or title.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeGuard

import msgspec

from doctrove_schema.names import nearest
from doctrove_server.errors import InvalidArguments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Value = str | int | tuple[str, ...]
Schema = dict[str, object]


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """One argument of a tool."""

    name: str
    kind: Literal["string", "integer", "strings"]
    """`strings` are a list; one string with commas in it is read as a list too."""

    description: str
    example: Value
    is_library: bool = False
    """It names a library: a hint shows one that the catalogue has."""

    required: bool = False
    minimum: int = 1
    """Of an integer's value; of a string's length."""

    maximum: int | None = None
    """Of an integer's value."""

    default: int | None = None
    choices: tuple[str, ...] = ()
    """Of a string: the values that it may have; empty where any will do."""

    read: Callable[[object], object] | None = None
    """Turns another way to write the value into the value; what is neither it leaves as it is."""


def input_schema(parameters: Sequence[Parameter]) -> Schema:
    """Return the JSON Schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": {parameter.name: _property(parameter) for parameter in parameters},
        "required": [parameter.name for parameter in parameters if parameter.required],
    }


def checked(
    tool: str, parameters: Sequence[Parameter], arguments: object, *, library: str = ""
) -> dict[str, Value]:
    """Return the arguments that were given, checked against the table.

    null is as good as absent, and unknown names are let pass, as the seed has it. Raises
    `InvalidArguments` for the first fault, required ones first, with a call that would do: what
    was given well stands in it, and `library` where the id of one is missing.
    """
    if arguments is None:
        arguments = {}
    if not _is_object(arguments):
        like = _like(tool, parameters, {}, library=library)
        raise InvalidArguments(f"the arguments of {tool} must be an object{like}")
    given: dict[str, Value] = {}
    faults: dict[str, str] = {}
    for parameter in parameters:
        value = arguments.get(parameter.name)
        if value is None:
            if parameter.required:
                faults[parameter.name] = f'{tool} lacks its required argument "{parameter.name}"'
            continue
        final = _read(parameter, value)
        if fault := _fault(parameter, final):
            faults[parameter.name] = f"{tool}.{parameter.name} {fault}"
        elif isinstance(final, str | int | tuple):
            given[parameter.name] = final
    if faults:
        # A missing argument is said before a wrong one.
        name = min(faults, key=lambda name: arguments.get(name) is not None)
        like = _like(tool, parameters, given, library=library, about=name)
        raise InvalidArguments(f"{faults[name]}{like}")
    return given


def _property(parameter: Parameter) -> Schema:
    described: Schema = {"description": parameter.description}
    match parameter.kind:
        case "string":
            kind: Schema = {"type": "string", **described, "minLength": parameter.minimum}
        case "strings":
            kind = {"type": "array", "items": {"type": "string"}, **described}
        case "integer":
            bounds: Schema = {"minimum": parameter.minimum, "maximum": parameter.maximum}
            kind = {"type": "integer", **described, **bounds}
    if parameter.choices:
        kind["enum"] = list(parameter.choices)
    if parameter.default is not None:
        kind["default"] = parameter.default
    return {**kind, "examples": [_plain(parameter.example)]}


def _fault(parameter: Parameter, value: object) -> str:
    match parameter.kind:
        case "string":
            return _fault_of_text(parameter, value)
        case "strings":
            return "" if isinstance(value, tuple) else "must be a list of strings"
        case "integer":
            return _fault_of_number(parameter, value)


def _fault_of_text(parameter: Parameter, value: object) -> str:
    if parameter.choices and value not in parameter.choices:
        listed = " or ".join((", ".join(parameter.choices[:-1]), parameter.choices[-1]))
        one_of = listed.removeprefix(" or ")
        near = nearest(value, parameter.choices) if isinstance(value, str) else ""
        meant = (
            f", not {value}; perhaps you mean {near}" if near and str(value).isprintable() else ""
        )
        return f"must be {one_of}{meant}"
    if not isinstance(value, str):
        return "must be a string"
    short = len(value) < parameter.minimum
    return f"must be at least {parameter.minimum} character long" if short else ""


def _fault_of_number(parameter: Parameter, value: object) -> str:
    if not isinstance(value, int) or isinstance(value, bool):
        return "must be a whole number"
    if value < parameter.minimum:
        return f"must not be less than {parameter.minimum}"
    if parameter.maximum is not None and value > parameter.maximum:
        return f"must not be greater than {parameter.maximum}"
    return ""


def _read(parameter: Parameter, value: object) -> object:
    """Return a value as the tool takes it; one that cannot be read stays as it is."""
    if parameter.read is not None:
        value = parameter.read(value)
    match parameter.kind:
        case "integer":
            return _whole(value)
        case "strings":
            return _strings(value)
        case _:
            return value


def _whole(value: object) -> object:
    """Read 5.0 as 5: JSON knows one kind of number (RFC 8259, section 6)."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _strings(value: object) -> object:
    parts: object = value.split(",") if isinstance(value, str) else value
    if _is_list(parts) and all(isinstance(part, str) for part in parts):
        return tuple(str(part).strip() for part in parts)
    return value


def _like(
    tool: str,
    parameters: Sequence[Parameter],
    given: Mapping[str, Value],
    *,
    library: str,
    about: str = "",
) -> str:
    """Return the next step: a call that would do, with what was given and the one at fault."""
    example = {
        p.name: _short(given[p.name], p.example)
        if p.name in given
        else library
        if p.is_library and library
        else _plain(p.example)
        for p in parameters
        if p.required or p.name == about or p.name in given
    }
    return f". Call it like this: {tool}({json.dumps(example, ensure_ascii=False)})"


def _short(value: Value, example: Value) -> object:
    """Return a value as an example shows it; the parameter's own example for a long one."""
    text = "".join(value) if isinstance(value, tuple) else str(value)
    return _plain(value if len(text) <= _LONGEST_SHOWN and text.isprintable() else example)


_LONGEST_SHOWN = 100


def _plain(value: Value) -> object:
    return list(value) if isinstance(value, tuple) else value


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, dict)
