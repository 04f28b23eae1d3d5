"""Signatures of objects as Python code that a reader could have written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import griffe

from doctrove_builder.importing.python.annotations import code_text, read_annotation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WIDTH = 88
MAX_VALUE = 200
"""Characters of a default or a value that are shown; what is longer becomes `...`."""

MAX_FIELDS = 200

_SHOWN = frozenset(
    """
    abstractmethod asynccontextmanager cached_property classmethod contextmanager dataclass
    dataclass_transform define deprecated final frozen mutable override overload property
    runtime_checkable singledispatch singledispatchmethod staticmethod total_ordering
    """.split()  # noqa: SIM905 - words
)
"""Decorators that change how an object is used."""

_KINDS = griffe.ParameterKind


def function_lines(function: griffe.Function, *, name: str = "") -> list[str]:
    """Return the overloads of a function, or its own signature, with the decorators that matter."""
    lines: list[str] = []
    for one in function.overloads or [function]:
        lines += decorators(one.decorators)
        lines += _signature(one, name or function.name, indent="")
    return lines


def property_lines(attribute: griffe.Attribute) -> list[str]:
    """Return the signature of a property."""
    cached = "cached" in attribute.labels
    returned = read_annotation(attribute.annotation).type
    arrow = f" -> {returned}" if returned else ""
    decorator = "@cached_property" if cached else "@property"
    return [decorator, f"def {attribute.name}(self){arrow}"]


def class_lines(cls: griffe.Class, init: griffe.Function | None, *, name: str) -> list[str]:
    """Return a class with its bases, and how it is made: its `__init__`, else its fields."""
    keywords = [f"{key}={value}" for key, value in _keywords(cls)]
    bases = ", ".join([*(code_text(base) for base in cls.bases), *keywords])
    head = f"class {name}({bases})" if bases else f"class {name}"
    lines = decorators(cls.decorators)
    inside: list[str] = []
    if init is not None:
        for one in init.overloads or [init]:
            inside += [f"    {line}" for line in decorators(one.decorators)]
            inside += _signature(one, init.name, indent="    ")
    else:
        inside = [f"    {line}" for line in field_lines(cls)]
    return [*lines, f"{head}:" if inside else head, *inside]


def field_lines(cls: griffe.Class) -> list[str]:
    """Return the fields of a class: those of data classes, models, enumerations."""
    fields = [
        member
        for member in cls.members.values()
        if isinstance(member, griffe.Attribute)
        and not member.name.startswith("_")
        and ("class-attribute" in member.labels or member.annotation is not None)
        and "property" not in member.labels
    ]
    lines = [value_line(member) for member in fields[:MAX_FIELDS]]
    return [*lines, "..."] if len(fields) > MAX_FIELDS else lines


def value_line(attribute: griffe.Attribute) -> str:
    """Return `name: type = value`."""
    kind = read_annotation(attribute.annotation).type
    value = _short(attribute.value)
    return f"{attribute.name}{f': {kind}' if kind else ''}{f' = {value}' if value else ''}"


def decorators(found: Iterable[griffe.Decorator]) -> list[str]:
    """Return the decorators that a user of the object wants to know of."""
    shown: list[str] = []
    for one in found:
        path = code_text(one.value).partition("(")[0]
        last = path.rpartition(".")[2]
        if last in _SHOWN or last in {"setter", "deleter"}:
            shown.append(f"@{_short(one.value)}")
    return shown


def _signature(function: griffe.Function, name: str, *, indent: str) -> list[str]:
    word = "async def" if "async" in function.labels else "def"
    returned = read_annotation(function.returns).type
    arrow = f" -> {returned}" if returned else ""
    parts = list(_parameters(function.parameters))
    types = _type_parameters(function)
    line = f"{indent}{word} {name}{types}({', '.join(parts)}){arrow}"
    if len(line) <= WIDTH or not parts:
        return [line]
    inside = [f"{indent}    {part}," for part in parts]
    return [f"{indent}{word} {name}{types}(", *inside, f"{indent}){arrow}"]


def _parameters(parameters: griffe.Parameters) -> Iterator[str]:
    positional = any(one.kind is _KINDS.positional_only for one in parameters)
    starred = any(one.kind is _KINDS.var_positional for one in parameters)
    for one in parameters:
        if positional and one.kind is not _KINDS.positional_only:
            positional = False
            yield "/"
        if one.kind is _KINDS.keyword_only and not starred:
            starred = True
            yield "*"
        yield _parameter(one)
    if positional:
        yield "/"


def _parameter(one: griffe.Parameter) -> str:
    stars = {_KINDS.var_positional: "*", _KINDS.var_keyword: "**"}.get(
        one.kind or _KINDS.keyword_only, ""
    )
    kind = read_annotation(one.annotation).type
    text = f"{stars}{one.name}{f': {kind}' if kind else ''}"
    if one.default is None or stars:
        return text
    return f"{text} = {_short(one.default)}" if kind else f"{text}={_short(one.default)}"


def _type_parameters(function: griffe.Function) -> str:
    names = [one.name for one in function.type_parameters]
    return f"[{', '.join(names)}]" if names else ""


def _keywords(cls: griffe.Class) -> Iterator[tuple[str, str]]:
    for key, value in cls.keywords.items():
        yield key, _short(value)


def _short(value: str | griffe.Expr | None) -> str:
    if value is None:
        return ""
    text = code_text(value)
    return text if len(text) <= MAX_VALUE and "\n" not in text else "..."
