"""Marked values against the JSON Schemas, each breach as a problem at the place it stands.

The schemas carry the words: `title` completes "which is not ...", `description` is the hint,
`examples` show what to write, and `x-rule` names the rule where there is a special one.
"""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from jsonschema import Draft202012Validator

from doctrove_builder.authoring.fault import fault
from doctrove_builder.authoring.marked import (
    Entry,
    Marked,
    MarkedList,
    MarkedMapping,
    Place,
    Scalar,
)
from doctrove_builder.authoring.quoting import shown, write_quoted
from doctrove_builder.authoring.section_check import is_section
from doctrove_builder.rules import BuildRule
from doctrove_schema.names import nearest
from doctrove_schema.schemas import schema_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jsonschema import ValidationError

    from doctrove_schema.problem import Problem

Plain: TypeAlias = "str | int | float | bool | list[Plain] | dict[str, Plain] | Scalar | None"
Schema: TypeAlias = dict[str, Any]
"""A JSON Schema; its values are of every type."""

MAX_TOLD = 1000
"""Problems of one file that are told; a machine-made file must not take a build hostage."""

_TYPES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
}
_TEXT_RULES = {rule.value: rule for rule in BuildRule}


def breaches(root: MarkedMapping, *, schema: str, source: str) -> tuple[Problem, ...]:
    """Return a problem for each value that the schema of this name does not allow.

    After `MAX_TOLD` of them one more says that there are others.
    """
    told = tuple(islice(_breaches(root, schema=schema, source=source), MAX_TOLD + 1))
    if len(told) <= MAX_TOLD:
        return told
    last = told[-1]
    more = fault(
        BuildRule.TOO_MANY_PROBLEMS,
        f"the file has more than {MAX_TOLD:,} wrong keys and values; the rest is not told",
        source=source,
        at=(last.line or 1, last.column or 1),
        hint="correct those above, and build again",
    )
    return (*told[:-1], more)


def _breaches(root: MarkedMapping, *, schema: str, source: str) -> Iterator[Problem]:
    checked: Marked = root
    if schema == "volume-file" and isinstance(sections := _value(root, "sections"), MarkedList):
        # Checking thousands of sections one by one is slow; nearly all pass the short check.
        yield from _section_breaches(sections, source=source)
        checked = _without_items(root, "sections")
    yield from _told(_validator(schema).iter_errors(plain(checked)), checked, source=source)


def plain(value: Marked) -> Plain:
    """Return a value as JSON Schema sees it; what YAML readers disagree on stays a `Scalar`."""
    match value:
        case Scalar():
            return value.value if value.settled else value
        case MarkedList():
            return [plain(item) for item in value.items]
        case MarkedMapping():
            return {key: plain(entry.value) for key, entry in value.entries.items()}


class _Validator(Protocol):
    def iter_errors(self, instance: Plain) -> Iterable[ValidationError]: ...


@cache
def _validator(schema: str) -> _Validator:
    # Where it looks for text or numbers, a `Scalar` is neither: that is the point of handing it in.
    return cast("_Validator", Draft202012Validator(json.loads(schema_text(schema))))


@cache
def _section_validator() -> _Validator:
    whole: Schema = json.loads(schema_text("volume-file"))
    section: Schema = {"$ref": "#/$defs/section", "$defs": whole["$defs"]}
    return cast("_Validator", Draft202012Validator(section))


def _section_breaches(sections: MarkedList, *, source: str) -> Iterator[Problem]:
    for number, item in enumerate(sections.items, 1):
        if not is_section(item):
            errors = _section_validator().iter_errors(plain(item))
            yield from _told(errors, item, source=source, name=f"section {number}")


def _without_items(root: MarkedMapping, key: str) -> MarkedMapping:
    entry = root.entries[key]
    empty = MarkedList(items=(), at=entry.value.at, end_line=entry.value.end_line)
    entries = {**root.entries, key: Entry(key=key, key_at=entry.key_at, value=empty)}
    return MarkedMapping(entries=entries, at=root.at, end_line=root.end_line)


def _told(
    errors: Iterable[ValidationError], root: Marked, *, source: str, name: str = ""
) -> Iterator[Problem]:
    # What is missing comes once for each key, and a wrong type breaks other rules too: told once.
    listed = list(islice(errors, 2 * MAX_TOLD))
    wrong_type = {tuple(e.absolute_path) for e in listed if e.validator == "type"}
    told: set[Problem] = set()
    for error in listed:
        if error.validator != "type" and tuple(error.absolute_path) in wrong_type:
            continue
        value, called = _found(root, error.absolute_path, name)
        for rule, at, message, hint in _breach(error, value, called):
            problem = fault(rule, message, source=source, at=at, hint=hint)
            if problem not in told:
                told.add(problem)
                yield problem


_Breach: TypeAlias = tuple[BuildRule, Place, str, str]


def _breach(error: ValidationError, value: Marked, name: str) -> Iterator[_Breach]:
    schema: Schema = error.schema if isinstance(error.schema, dict) else {}
    match error.validator:
        case "additionalProperties":
            yield from _unknown_keys(value, schema["properties"], name)
        case "required":
            yield from _missing_keys(value, schema["required"], schema["properties"], name)
        case "type":
            yield _wrong_type(value, str(error.validator_value), schema, name)
        case _:
            rule = _TEXT_RULES.get(schema.get("x-rule", ""), BuildRule.WRONG_VALUE)
            yield rule, value.at, _wrong_value(error, value, schema, name), _hint(schema)


def _unknown_keys(value: Marked, known: Mapping[str, Schema], name: str) -> Iterator[_Breach]:
    assert isinstance(value, MarkedMapping)  # the schema rule holds for objects alone
    for key, entry in value.entries.items():
        if key in known or key.startswith("x-"):
            continue
        meant = nearest(key, [k for k in known if k not in value.entries] or known)
        meant = meant or nearest(key, known)
        where = f" in {name}" if name else ""
        if key.startswith("X-"):
            meant = key.lower()
        hint = f"do you mean `{meant}`?" if meant else f"known keys: {', '.join(known)}"
        message = f"{shown(key)} is not a key that is known{where}"
        yield BuildRule.UNKNOWN_KEY, entry.key_at, message, f"{hint} (keys of your own: `x-...`)"


def _missing_keys(
    value: Marked, required: Iterable[str], properties: Mapping[str, Schema], name: str
) -> Iterator[_Breach]:
    assert isinstance(value, MarkedMapping)  # the schema rule holds for objects alone
    for key in required:
        if key not in value.entries:
            example = _example(properties[key])
            message = f"{name or 'the file'} has no `{key}`"
            yield BuildRule.MISSING_KEY, value.at, message, f"add `{key}: {example or '...'}`"


def _wrong_type(value: Marked, expected: str, schema: Schema, name: str) -> _Breach:
    if isinstance(value, Scalar):
        if expected == "string" and value.text and value.read_as:
            return (
                BuildRule.YAML_UNQUOTED,
                value.at,
                f"{name} is {shown(value.text)} without quotes, and is read as {value.read_as}",
                f"write {shown(write_quoted(value.text))}",
            )
        if value.value is None:
            message = f"{name} has no value"
            return BuildRule.WRONG_TYPE, value.at, message, "write one, or remove the line"
        is_so = f"is {shown(value.text)}"
    else:
        is_so = "is a list" if isinstance(value, MarkedList) else "is a mapping"
    message = f"{name} {is_so}, where {_TYPES[expected]} belongs"
    example = _example(schema)
    hint = f"for instance `{example}`" if example else _hint(schema)
    if expected == "array" and isinstance(value, Scalar) and "sections" not in name:
        hint = f"write {shown(f'[{write_quoted(value.text)}]')}"
    if expected == "boolean":
        hint = "write `true` or `false`"
    if expected in {"integer", "number"} and isinstance(value, Scalar) and _is_number(value.text):
        message = f"{name} is the text {shown(write_quoted(value.text))}, not a number"
        hint = "remove the quotes"
    return BuildRule.WRONG_TYPE, value.at, message, hint


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", text) is not None


_TOLD = {
    "minimum": "{name} is {value}, less than {limit}",
    "maximum": "{name} is {value}, more than {limit}",
    "maxLength": "{name} is longer than {limit} letters",
    "minItems": "{name} is an empty list",
    "uniqueItems": "{name} holds the same item twice",
}


def _wrong_value(error: ValidationError, value: Marked, schema: Schema, name: str) -> str:
    text = shown(value.text) if isinstance(value, Scalar) else "what it is"
    if told := _TOLD.get(str(error.validator)):
        return told.format(name=name, value=text, limit=error.validator_value)
    if isinstance(value, Scalar) and not value.text.strip():
        return f"{name} is blank"
    return f"{name} is {text}, which is not {schema.get('title', 'allowed')}"


def _hint(schema: Schema) -> str:
    if "enum" in schema:
        return f"write one of: {', '.join(schema['enum'])}"
    description = str(schema.get("description", "")).rstrip(".")
    if description[1:2].islower():
        description = description[0].lower() + description[1:]
    example = _example(schema)
    return f"{description}, for instance `{example}`" if example else description


def _example(schema: Schema) -> str:
    examples = schema.get("examples")
    return _flow(examples[0]) if examples else ""


def _flow(value: Plain) -> str:
    """Write an example as YAML on one line."""
    if isinstance(value, list):
        return f"[{', '.join(_flow(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_flow(item)}' for key, item in value.items())}}}"
    if isinstance(value, str):
        return value if value.isidentifier() else write_quoted(value)
    return json.dumps(value)


def _value(mapping: MarkedMapping, key: str) -> Marked | None:
    entry = mapping.entries.get(key)
    return entry.value if entry else None


def _found(root: Marked, path: Iterable[str | int], name: str) -> tuple[Marked, str]:
    """Return the value at a path below one that is called `name`, and what to call it."""
    value = root
    for step in path:
        if isinstance(value, MarkedMapping):
            value, name = value.entries[str(step)].value, f"`{step}`"
        elif isinstance(value, MarkedList):
            index = int(step)
            value, name = value.items[index], f"item {index + 1} of {name}"
    return value, name
