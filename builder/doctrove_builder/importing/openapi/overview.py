"""What holds for a whole API: its servers and how its users prove who they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.importing.json_values import as_list, as_mapping, as_text
from doctrove_builder.importing.openapi.texts import described, item
from doctrove_builder.importing.prose.inlines import code_span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from doctrove_builder.importing.openapi.schemas import Schemas

Section = tuple[str, tuple[str, ...], list[str]]
"""Heading, keys in the document, text."""


def overview_lines(root: Mapping[str, object], schemas: Schemas) -> Iterator[Section]:
    """Yield the sections on servers and authentication, where there is something to say."""
    servers = [
        line
        for server in map(as_mapping, as_list(root.get("servers")))
        for line in _server(server, schemas)
    ]
    if servers:
        yield "Servers", ("servers",), servers
    schemes = as_mapping(as_mapping(root.get("components")).get("securitySchemes"))
    found = [
        line for name, one in schemes.items() for line in _scheme(name, one, schemas) if schemes
    ]
    if found:
        yield "Authentication", ("components", "securitySchemes"), found


def _server(server: Mapping[str, object], schemas: Schemas) -> list[str]:
    url = as_text(server.get("url"))
    text = described(server.get("description"), schemas.base)
    lines = [f"{code_span(url)}: {text[0]}", *text[1:]] if text else [code_span(url)]
    for name, value in as_mapping(server.get("variables")).items():
        variable = as_mapping(value)
        words = [f"default {code_span(as_text(variable.get('default')))}"]
        listed = [code_span(one) for v in as_list(variable.get("enum")) if (one := as_text(v))]
        words += [f"one of {', '.join(listed)}"] if listed else []
        said = described(variable.get("description"), schemas.base)
        head = f"{code_span(name)} ({', '.join(words)})"
        lines += item([f"{head}: {said[0]}", *said[1:]] if said else [head])
    return item(lines) if url else []


def _scheme(name: str, written: object, schemas: Schemas) -> list[str]:
    value = schemas.references.follow(written, schemas.file).value
    kind = as_text(value.get("type"))
    words = [kind]
    if kind == "apiKey":
        words = [f"API key {code_span(as_text(value.get('name')))} in {as_text(value.get('in'))}"]
    elif kind == "http":
        form = as_text(value.get("bearerFormat"))
        words = [f"HTTP {as_text(value.get('scheme'))}{f' ({form})' if form else ''}"]
    elif kind == "openIdConnect":
        words = [f"OpenID Connect, {code_span(as_text(value.get('openIdConnectUrl')))}"]
    text = described(value.get("description"), schemas.base)
    head = f"{code_span(name)} ({', '.join(word for word in words if word)})"
    lines = [f"{head}: {text[0]}", *text[1:]] if text else [head]
    for flow, inner in as_mapping(value.get("flows")).items():
        lines += _flow(flow, as_mapping(inner))
    return item(lines)


def _flow(name: str, flow: Mapping[str, object]) -> list[str]:
    addresses = [
        f"{word} {code_span(url)}"
        for key, word in (("authorizationUrl", "authorize at"), ("tokenUrl", "token from"))
        if (url := as_text(flow.get(key)))
    ]
    lines = [f"{code_span(name)}{': ' if addresses else ''}{', '.join(addresses)}"]
    for scope, said in as_mapping(flow.get("scopes")).items():
        text = " ".join(as_text(said).split())
        lines += item([f"{code_span(scope)}: {text}" if text else code_span(scope)])
    return item(lines)
