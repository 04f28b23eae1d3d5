"""One operation as a section: how it is called, what it takes and what it answers."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.json_values import as_list, as_mapping, as_text, is_object
from doctrove_builder.importing.openapi.schemas import shown_examples
from doctrove_builder.importing.openapi.texts import bracketed, described, example, item, titled
from doctrove_builder.importing.prose.blocks import fenced
from doctrove_builder.importing.prose.inlines import code_span, escape
from doctrove_builder.importing.prose.tree import CodeBlock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from doctrove_builder.importing.openapi.references import References
    from doctrove_builder.importing.openapi.schemas import Schemas

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
MAX_EXAMPLES = 5
"""Of one content."""

_LANGUAGES = (("json", "json"), ("xml", "xml"), ("yaml", "yaml"), ("html", "html"))
_SAMPLES = ("x-codeSamples", "x-code-samples")


class Operation(NamedTuple):
    """One operation."""

    method: str
    path: str
    """Template of the path; the name of a webhook."""

    value: Mapping[str, object]
    shared: tuple[object, ...]
    """Parameters that its path gives to all operations."""

    file: str
    lines: tuple[int, int] | None
    webhook: bool
    caller: str = ""
    """Of a callback: its name and the call that it belongs to."""

    inherited: tuple[str, ...] = ()
    """Of a callback: the tags of the operation that it belongs to."""

    @property
    def call(self) -> str:
        """The method and the path: `GET /pets/{id}`."""
        return f"{self.method.upper()} {self.path}"

    @property
    def name(self) -> str:
        """What identifies it: its id, else the call."""
        return as_text(self.value.get("operationId")) or self.call

    @property
    def title(self) -> str:
        """What it does in a few words, else its name."""
        text = " ".join(as_text(self.value.get("summary")).split()).rstrip(".")
        return text if 0 < len(text) <= 120 else self.name

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that group it."""
        own = tuple(text for tag in as_list(self.value.get("tags")) if (text := as_text(tag)))
        return own or self.inherited


def find_operations(references: References, file: str) -> Iterator[Operation]:
    """Yield the operations of a description, webhooks last, in the order of the file.

    Each is followed by its callbacks; those of callbacks are not read.
    """
    root = as_mapping(references.document(file).value)
    for group in ("paths", "webhooks"):
        for path, written in as_mapping(root.get(group)).items():
            for one in _of_path(references, group, path, written, file):
                yield one
                yield from _callbacks(references, one)


def _of_path(
    references: References, group: str, path: str, written: object, file: str
) -> Iterator[Operation]:
    found = references.follow(written, file)
    own = found.file == file and not found.keys
    lines = references.document(file).lines if own else {}
    for method, value in found.value.items():
        if method.lower() in METHODS and is_object(value):
            yield Operation(
                method=method,
                path=path,
                value=as_mapping(value),
                shared=tuple(as_list(found.value.get("parameters"))),
                file=found.file,
                lines=lines.get((group, path, method)),
                webhook=group == "webhooks",
            )


def _callbacks(references: References, operation: Operation) -> Iterator[Operation]:
    for name, written in as_mapping(operation.value.get("callbacks")).items():
        found = references.follow(written, operation.file)
        for expression, path in found.value.items():
            for one in _of_path(references, "callbacks", expression, path, found.file):
                yield one._replace(
                    caller=f"{name} of {operation.call}",
                    inherited=operation.tags,
                    lines=operation.lines if one.file == operation.file else None,
                )


def operation_lines(
    operation: Operation, references: References, schemas: Schemas, *, security: object
) -> list[str]:
    """Return an operation's section below its heading."""
    value, file = operation.value, operation.file
    lines = fenced(CodeBlock(operation.call, "http"))
    if operation.webhook:
        lines += ["", "The API calls this webhook; your server answers."]
    if operation.caller:
        caller = code_span(operation.caller)
        lines += ["", f"The API calls this back ({caller}); your server answers."]
    if value.get("deprecated") is True:
        lines += ["", '!!! warning "Deprecated"', "", "    Do not use this operation any more."]
    summary = as_text(value.get("summary"))
    if summary and operation.title == operation.name:
        lines += ["", *described(summary, schemas.base)]
    text = described(value.get("description"), schemas.base)
    lines += ["", *text] if text else []
    lines += titled("Parameters", list(_parameters(operation, references, schemas)))
    lines += _body(value, file, references, schemas)
    lines += titled("Responses", list(_responses(value, file, references, schemas)))
    common = None if operation.caller else security
    lines += titled("Security", _security(value.get("security", common)))
    callbacks = as_mapping(value.get("callbacks"))
    lines += titled("Callbacks", [line for name in callbacks for line in item([code_span(name)])])
    lines += _more(value, schemas)
    return lines


def _parameters(operation: Operation, references: References, schemas: Schemas) -> Iterator[str]:
    found: dict[tuple[str, str], tuple[Mapping[str, object], str]] = {}
    for written in (*operation.shared, *as_list(operation.value.get("parameters"))):
        parameter = references.follow(written, operation.file)
        key = (as_text(parameter.value.get("name")), as_text(parameter.value.get("in")))
        if key[0]:
            found[key] = (parameter.value, parameter.file)
    for (name, place), (value, file) in found.items():
        schema: object = value.get("schema")
        if schema is None:
            content = next(iter(as_mapping(value.get("content")).values()), None)
            schema = as_mapping(content).get("schema", True)
        words = [place, schemas.type_of(schema, file)]
        words += ["required"] if value.get("required") is True else []
        words += ["deprecated"] if value.get("deprecated") is True else []
        words += schemas.facts(schema, file)
        text = described(value.get("description"), schemas.base)
        head = f"{code_span(name)} ({', '.join(word for word in words if word)})"
        shown = value.get("example")
        said = any(word.startswith("for example") for word in words)
        if shown is not None and not said and not isinstance(shown, dict | list):
            plain = shown if isinstance(shown, str) else json.dumps(shown)
            head += f", for example {code_span(plain)}" if plain.strip() else ""
        lines = [f"{head}: {text[0]}", *text[1:]] if text else [head]
        yield from item([*lines, *schemas.lines(schema, file, depth=2)])


def _body(
    value: Mapping[str, object], file: str, references: References, schemas: Schemas
) -> list[str]:
    found = references.follow(value.get("requestBody"), file)
    if not found.value:
        return []
    text = described(found.value.get("description"), schemas.base)
    title = "Request body" if found.value.get("required") is True else "Request body (optional)"
    lines = [*text, *([""] if text else [])]
    lines += _content(found.value.get("content"), found.file, references, schemas)
    while lines and not lines[-1]:
        lines.pop()
    return titled(title, lines)


def _responses(
    value: Mapping[str, object], file: str, references: References, schemas: Schemas
) -> Iterator[str]:
    for status, written in as_mapping(value.get("responses")).items():
        found = references.follow(written, file)
        text = described(found.value.get("description"), schemas.base)
        head = code_span(status)
        lines = [f"{head}: {text[0]}", *text[1:]] if text else [head]
        content = _content(found.value.get("content"), found.file, references, schemas)
        lines += ["", *content] if content else []
        headers = [
            line
            for name, one in as_mapping(found.value.get("headers")).items()
            for line in _header(name, one, found.file, references, schemas)
        ]
        lines += ["", "Headers:", "", *headers] if headers else []
        yield from item(lines)


def _header(
    name: str, written: object, file: str, references: References, schemas: Schemas
) -> list[str]:
    found = references.follow(written, file)
    text = described(found.value.get("description"), schemas.base)
    head = f"{code_span(name)} ({schemas.type_of(found.value.get('schema', True), found.file)})"
    return item([f"{head}: {text[0]}", *text[1:]] if text else [head])


def _content(value: object, file: str, references: References, schemas: Schemas) -> list[str]:
    """Return the forms of a body: media types of the same schema share their lines."""
    groups: dict[str, tuple[list[str], object, list[Mapping[str, object]]]] = {}
    for media, written in as_mapping(value).items():
        content = references.follow(written, file).value
        schema = content.get("schema", True)
        key = json.dumps(schema, sort_keys=True, default=str)[:4000]
        group = groups.setdefault(key, ([], schema, []))
        group[0].append(media)
        group[2].append(content)
    lines: list[str] = []
    for names, schema, contents in groups.values():
        shown = ", ".join(code_span(name) for name in names)
        kind = "" if schema is True else f": {schemas.type_of(schema, file)}"
        facts = schemas.facts(schema, file)
        lines += [""] if lines else []
        lines.append(f"{shown}{kind}{bracketed(facts)}")
        inner = schemas.lines(schema, file)
        lines += ["", *inner] if inner else []
        for name, content in zip(names, contents, strict=True):
            lines += _examples(name, content, file, references)
    return lines


def _examples(
    media: str, content: Mapping[str, object], file: str, references: References
) -> Iterator[str]:
    language = next((name for part, name in _LANGUAGES if part in media), "text")
    found: list[tuple[str, object]] = []
    if "example" in content:
        found.append(("", content["example"]))
    for name, written in as_mapping(content.get("examples")).items():
        one = references.follow(written, file).value
        if "value" in one:
            found.append((as_text(one.get("summary")) or name, one["value"]))
    if not found:
        schema = references.follow(content.get("schema"), file).value
        found += [("", one) for one in shown_examples(schema) if isinstance(one, dict | list)]
    for name, value in found[:MAX_EXAMPLES]:
        lines = example(value, language)
        if lines:
            yield from ("", f"Example{f' ({escape(name)})' if name else ''}:", "", *lines)


def _security(value: object) -> list[str]:
    lines: list[str] = []
    for choice in as_list(value):
        schemes = as_mapping(choice)
        names = [
            code_span(name)
            + (f" ({', '.join(map(code_span, found))})" if (found := _scopes(scopes)) else "")
            for name, scopes in schemes.items()
        ]
        lines += item([" and ".join(names) or "none"])
    return [] if lines == ["- none"] else lines


def _scopes(value: object) -> list[str]:
    return [text for scope in as_list(value) if (text := as_text(scope))]


def _more(value: Mapping[str, object], schemas: Schemas) -> list[str]:
    lines: list[str] = []
    for key in _SAMPLES:
        for sample in map(as_mapping, as_list(value.get(key))):
            code = as_text(sample.get("source"))
            label = as_text(sample.get("label")) or as_text(sample.get("lang"))
            language = re.sub(r"\W+", "", as_text(sample.get("lang")).lower())
            if code:
                lines += titled(
                    f"Example: {escape(label)}" if label else "Example",
                    fenced(CodeBlock(code, language)),
                )
    outside = as_mapping(value.get("externalDocs"))
    url = as_text(outside.get("url"))
    if url.startswith(("https://", "http://")):
        text = " ".join(described(outside.get("description"), schemas.base)) or "More on it"
        lines += ["", f"{text}: <{url}>"]
    return lines
