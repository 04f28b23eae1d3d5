"""What a tool may be called with: one table for the schema that clients see and for the check.

The schemas are flat, since clients in use drop tools whose schema holds more: every property has
one type, and there is no reference, union, null or title.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal, TypeGuard

import msgspec

from doctrove_server.errors import InvalidArguments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Value = str | int
Schema = dict[str, object]


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """One argument of a tool."""

    name: str
    kind: Literal["string", "integer"]
    description: str
    example: str | int
    is_library: bool = False
    """It names a library: a hint shows one that the catalogue has."""

    required: bool = False
    minimum: int = 1
    """Of an integer's value; of a string's length."""

    maximum: int | None = None
    """Of an integer's value."""

    default: int | None = None


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
    `InvalidArguments` for the first fault, required ones first, with a call that would do: for
    `library`, where the id of one is given.
    """
    like = _like(tool, parameters, library)
    if arguments is None:
        arguments = {}
    if not _is_object(arguments):
        raise InvalidArguments(f"the arguments of {tool} must be an object{like}")
    for parameter in parameters:
        if parameter.required and arguments.get(parameter.name) is None:
            raise InvalidArguments(f'{tool} lacks its required argument "{parameter.name}"{like}')
    by_name = {parameter.name: parameter for parameter in parameters}
    given: dict[str, Value] = {}
    for name, value in arguments.items():
        known = by_name.get(name)
        if known is None or value is None:
            continue
        final = _whole(value) if known.kind == "integer" else value
        if fault := _fault(known, final):
            raise InvalidArguments(f"{tool}.{name} {fault}{like}")
        if isinstance(final, str | int):
            given[name] = final
    return given


def _property(parameter: Parameter) -> Schema:
    bounds: Schema = (
        {"minLength": parameter.minimum}
        if parameter.kind == "string"
        else {"minimum": parameter.minimum, "maximum": parameter.maximum}
    )
    default: Schema = {} if parameter.default is None else {"default": parameter.default}
    return {
        "type": parameter.kind,
        "description": parameter.description,
        **bounds,
        **default,
        "examples": [parameter.example],
    }


def _fault(parameter: Parameter, value: object) -> str:
    if parameter.kind == "string":
        if not isinstance(value, str):
            return "must be a string"
        short = len(value) < parameter.minimum
        return f"must be at least {parameter.minimum} character long" if short else ""
    if not isinstance(value, int) or isinstance(value, bool):
        return "must be a whole number"
    if value < parameter.minimum:
        return f"must not be less than {parameter.minimum}"
    if parameter.maximum is not None and value > parameter.maximum:
        return f"must not be greater than {parameter.maximum}"
    return ""


def _whole(value: object) -> object:
    """Read 5.0 as 5: JSON knows one kind of number (RFC 8259, section 6)."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _like(tool: str, parameters: Sequence[Parameter], library: str) -> str:
    """Return the next step: a call that would do."""
    example = {
        p.name: library if p.is_library and library else p.example
        for p in parameters
        if p.required or p.kind == "integer"
    }
    return f". Call it like this: {tool}({json.dumps(example, ensure_ascii=False)})"


def _is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, dict)
