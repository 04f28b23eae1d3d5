"""Schemas in words: their type on one line, their properties as a list."""

from __future__ import annotations

import json
import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING

from doctrove_builder.importing.json_values import as_list, as_mapping, as_text, is_object
from doctrove_builder.importing.materialise import page_file
from doctrove_builder.importing.openapi.texts import described, item
from doctrove_builder.importing.prose.inlines import code_span, escape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_builder.importing.openapi.references import References

MAX_DEPTH = 5
"""Of properties in properties; deeper ones are named by their type."""

MAX_EXAMPLES = 3
"""Of one schema, in words."""

MAX_LISTED = 60
"""Values of an enumeration that are listed."""

_LIMITS = (
    ("minimum", "at least {}"),
    ("maximum", "at most {}"),
    ("exclusiveMinimum", "more than {}"),
    ("exclusiveMaximum", "less than {}"),
    ("multipleOf", "a multiple of {}"),
    ("minLength", "length at least {}"),
    ("maxLength", "length at most {}"),
    ("minItems", "at least {} items"),
    ("maxItems", "at most {} items"),
    ("pattern", "matches {}"),
)
_MATCHING = ("for each name that matches",)
_CHOICES = (("oneOf", "one of"), ("anyOf", "any of"))


@dataclass(frozen=True, slots=True)
class Schemas:
    """Writes schemas; knows which of them have sections."""

    references: References
    file: str
    """The description's own file."""

    sections: Mapping[str, tuple[str, str]]
    """Page and anchor by the schema's name."""

    page: str
    """Path of the page that is written."""

    base: str = ""

    def type_of(self, schema: object, file: str, depth: int = 0) -> str:
        """Return a schema's type as Markdown on one line."""
        if schema is True or (is_object(schema) and not schema):
            return "any"
        if schema is False:
            return "nothing"
        if named := self._link(schema, file):
            return named
        found = self.references.follow(schema, file)
        value = found.value
        if depth > MAX_DEPTH or not value:
            return "any"
        said = self._composed(value, found.file, depth) or self._simple(value, found.file, depth)
        return f"{said} or null" if value.get("nullable") is True else said

    def lines(self, schema: object, file: str, *, depth: int = 0) -> list[str]:
        """Return what a schema consists of: its properties, or those of its items."""
        if depth > MAX_DEPTH or self._link(schema, file):
            return []
        found = self.references.follow(schema, file)
        made: list[str] = []
        for part in as_list(found.value.get("allOf")):
            made += self.lines(part, found.file, depth=depth + 1)
        for number, inner in enumerate(as_list(found.value.get("prefixItems")), 1):
            inside = self.lines(inner, found.file, depth=depth + 1)
            made += item([f"Item {number}:", *inside]) if inside else []
        required = {as_text(name) for name in as_list(found.value.get("required"))}
        for name, inner in as_mapping(found.value.get("properties")).items():
            words = ("required",) if name in required else ()
            made += self._property(name, inner, found.file, depth, more=words)
        for pattern, inner in as_mapping(found.value.get("patternProperties")).items():
            made += self._property(pattern, inner, found.file, depth, more=_MATCHING)
        if made:
            return made
        for key in ("items", "additionalProperties"):
            if is_object(found.value.get(key)):
                return self.lines(found.value[key], found.file, depth=depth + 1)
        for key, _ in _CHOICES:
            for part in as_list(found.value.get(key)):
                inner_lines = self.lines(part, found.file, depth=depth + 1)
                title = as_text(as_mapping(part).get("title")) or self.type_of(part, found.file)
                made += item([f"{title}:", *inner_lines]) if inner_lines else []
        return made

    def facts(self, schema: object, file: str, depth: int = 0) -> list[str]:
        """Return a schema's limits, values and default, each a few words of Markdown."""
        if depth > MAX_DEPTH or self._link(schema, file):
            return []
        found = self.references.follow(schema, file)
        value = found.value
        made: list[str] = []
        listed = as_list(value.get("enum"))
        if listed:
            shown = ", ".join(map(_literal, listed[:MAX_LISTED]))
            more = f" and {len(listed) - MAX_LISTED} more" if len(listed) > MAX_LISTED else ""
            made.append(f"one of {shown}{more}")
        if "const" in value:
            made.append(f"always {_literal(value['const'])}")
        for key, words in _LIMITS:
            limit = value.get(key)
            if limit is not None and not isinstance(limit, bool):
                made.append(words.format(_literal(limit) if key == "pattern" else limit))
        if value.get("default") is not None:
            made.append(f"default {_literal(value['default'])}")
        given = (value.get("example"), *as_list(value.get("examples")))
        plain = [one for one in given if one is not None and not isinstance(one, dict | list)]
        plain = [one for at, one in enumerate(plain) if one not in plain[:at]]
        if plain:
            made.append(f"for example {' or '.join(map(_literal, plain[:MAX_EXAMPLES]))}")
        if "items" in value:
            made += [f"each {fact}" for fact in self.facts(value["items"], found.file, depth + 1)]
        return made

    def _property(
        self,
        name: str,
        schema: object,
        file: str,
        depth: int,
        *,
        more: Sequence[str] = (),
    ) -> list[str]:
        found = self.references.follow(schema, file)
        words = [self.type_of(schema, file), *more]
        words += [
            word
            for key, word in (("readOnly", "read-only"), ("writeOnly", "write-only"))
            if found.value.get(key) is True
        ]
        words += ["deprecated"] if found.value.get("deprecated") is True else []
        words += self.facts(schema, file)
        own = as_mapping(schema) if self._link(schema, file) else found.value
        text = described(own.get("description"), self.base)
        head = f"{code_span(name)} ({', '.join(words)})"
        lines = [f"{head}: {text[0]}", *text[1:]] if text else [head]
        below = self.lines(schema, file, depth=depth + 1)
        if below:
            lines += ["", *below] if len(text) > 1 else below
        return item(lines)

    def _link(self, schema: object, file: str) -> str:
        """Return a link to the section of a schema that is named; empty for another."""
        if not isinstance(as_mapping(schema).get("$ref"), str):
            return ""
        found = self.references.follow(schema, file)
        if found.file != self.file or found.keys[:2] != ("components", "schemas"):
            return ""
        name = found.keys[-1]
        if len(found.keys) != 3 or name not in self.sections:
            return ""
        page, anchor = self.sections[name]
        away = "" if page == self.page else self._address(page)
        return f"[{escape(name)}]({away}#{anchor})"

    def _address(self, page: str) -> str:
        """Return the file of another page, relative to that of the page that is written."""
        return posixpath.relpath(page_file(page), posixpath.dirname(page_file(self.page)) or ".")

    def _composed(self, value: Mapping[str, object], file: str, depth: int) -> str:
        for key, words in _CHOICES:
            parts = as_list(value.get(key))
            if parts:
                names = list(dict.fromkeys(self.type_of(one, file, depth + 1) for one in parts))
                return names[0] if len(names) == 1 else f"{words} {_listed(names)}"
        parts = as_list(value.get("allOf"))
        if parts:
            names = [self.type_of(one, file, depth + 1) for one in parts]
            known = list(dict.fromkeys(name for name in names if name not in {"object", "any"}))
            return " and ".join(known) or "object"
        return ""

    def _simple(self, value: Mapping[str, object], file: str, depth: int) -> str:
        written = value.get("type")
        kinds = [as_text(one) for one in as_list(written)] or [as_text(written)]
        return " or ".join(self._one(kind, value, file, depth) for kind in kinds)

    def _tuple(self, first: Sequence[object], rest: object, file: str, depth: int) -> str:
        """Return an array whose first items have schemas of their own (`prefixItems`)."""
        names = [self.type_of(one, file, depth + 1) for one in first]
        more = "" if rest is False else f", then {self.type_of(rest, file, depth + 1)}"
        return f"array of {', '.join(names)}{more}"

    def _one(self, kind: str, value: Mapping[str, object], file: str, depth: int) -> str:
        first = as_list(value.get("prefixItems"))
        if first and kind in {"array", ""}:
            return self._tuple(first, value.get("items", True), file, depth)
        if kind == "array" or (not kind and "items" in value):
            return f"array of {self.type_of(value.get('items', True), file, depth + 1)}"
        if kind == "object" or (not kind and ("properties" in value)):
            inner = value.get("additionalProperties")
            if is_object(inner) and not value.get("properties"):
                return f"map of {self.type_of(inner, file, depth + 1)}"
            return "object"
        form = as_text(value.get("format")) if kind != "null" else ""
        return f"{escape(kind or 'any')} ({escape(form)})" if form else escape(kind or "any")


def shown_examples(schema: Mapping[str, object]) -> list[object]:
    """Return the examples of a schema that want a block: objects and lists."""
    found = (schema.get("example"), *as_list(schema.get("examples")))
    return [one for one in found if isinstance(one, dict | list) and one]


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _literal(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return code_span(text[:400]) or '`""`'
