"""The protocol on the wire: revisions, what is listed, what is refused and how."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "0"},
}


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ],
)
def test_the_handshake_agrees_on_a_revision(
    asked: str, given: str, session: Callable[..., Any]
) -> None:
    server = session()
    result = server.initialize(asked)["result"]
    assert result["protocolVersion"] == given
    assert result["serverInfo"]["name"] == "doctrove"
    assert "doc_extract" in result["instructions"]
    assert result["capabilities"].keys() == {"tools", "resources", "prompts", "completions"}
    assert "result" in server.request("tools/list")


def test_the_revision_without_a_handshake_is_served(session: Callable[..., Any]) -> None:
    server = session()
    found = server.request("server/discover", {"_meta": MODERN})["result"]
    assert "2026-07-28" in found["supportedVersions"]
    assert "doc_extract" in found["instructions"]
    for method, params in (
        ("tools/list", {}),
        ("prompts/list", {}),
        ("resources/list", {}),
        ("resources/templates/list", {}),
        ("resources/read", {"uri": "doctrove://catalog"}),
    ):
        result = server.request(method, {**params, "_meta": MODERN})["result"]
        assert result["resultType"] == "complete"
        assert result["ttlMs"] > 0
        assert result["cacheScope"] == "public"
    call = {"name": "doc_extract", "arguments": {"id": "none"}, "_meta": MODERN}
    result = server.request("tools/call", call)["result"]
    assert result["isError"] is True
    assert result["structuredContent"]["error"]["code"] == "not-found"


def test_tools_are_listed_with_titles_hints_and_schemas(shared_session: Any) -> None:
    tools = shared_session.request("tools/list")["result"]["tools"]
    assert [tool["name"] for tool in tools] == ["catalog_lookup", "catalog_releases", "doc_extract"]
    for tool in tools:
        assert tool["title"]
        assert tool["annotations"]["readOnlyHint"] is True
        assert tool["annotations"]["destructiveHint"] is False
        assert tool["inputSchema"]["type"] == "object"
        assert "error" in tool["outputSchema"]["properties"]
        assert "null" not in json.dumps(tool)


@pytest.mark.parametrize("arguments", [None, [], "x", 7, {}, {"id": 5}])
def test_every_fault_of_the_arguments_is_an_answer(arguments: object, shared_session: Any) -> None:
    result = shared_session.call("doc_extract", arguments)
    assert result["isError"] is True
    assert result["structuredContent"]["error"]["code"] == "validation"
    assert result["content"][0]["text"].startswith("Error (validation): ")


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("tools/call", {"name": "shell", "arguments": {}}, -32602),
        ("tools/call", {"arguments": {}}, -32602),
        ("prompts/get", {"name": "none"}, -32602),
        ("prompts/get", {"name": "look_up_before_coding"}, -32602),
        ("resources/read", {"uri": "doctrove://none"}, -32602),
        ("resources/subscribe", {"uri": "doctrove://catalog"}, -32601),
        ("no/such/method", {}, -32601),
    ],
)
def test_what_names_nothing_is_a_protocol_error(
    method: str, params: dict[str, Any], code: int, shared_session: Any
) -> None:
    error = shared_session.request(method, params)["error"]
    assert error["code"] == code
    if "uri" in params and code == -32602:
        assert error["data"] == {"uri": params["uri"]}


@pytest.mark.parametrize(
    ("raw", "given", "code"),
    [
        (b"{", None, -32700),
        (b"not json", None, -32700),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": "\xff"}}', None, -32700),
        (b"[" * 100_000, None, -32700),
        (b"[]", None, -32600),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', None, -32600),
        (b"7", None, -32600),
        (b"null", None, -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', 1, -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": "a", "method": 5}', "a", -32600),
        (b'{"jsonrpc": "2.0", "id": 1}', 1, -32600),
        (b'{"a": "' + b"x" * 5_000_000 + b'"}', None, -32600),
    ],
    ids=lambda value: repr(value[:40]) if isinstance(value, bytes) else "",
)
def test_a_line_that_is_no_message_is_refused_and_the_session_lives(
    raw: bytes, given: int | str | None, code: int, shared_session: Any
) -> None:
    shared_session.write(raw + b"\n")
    refusal = shared_session.read()
    assert (refusal["id"], refusal["error"]["code"]) == (given, code)
    assert shared_session.request("ping")["result"] == {}


def test_errors_and_answers_of_a_client_are_dropped(shared_session: Any) -> None:
    error = {"code": -1, "message": "x"}
    shared_session.send({"jsonrpc": "2.0", "id": None, "error": error})
    shared_session.send({"jsonrpc": "2.0", "id": 5, "error": error})
    shared_session.send({"jsonrpc": "2.0", "id": 6, "result": {}})
    assert shared_session.request("ping")["result"] == {}


def test_notifications_are_never_answered(shared_session: Any) -> None:
    for method in ("notifications/initialized", "notifications/unknown", "notifications/cancelled"):
        shared_session.send({"jsonrpc": "2.0", "method": method})
    assert shared_session.request("ping")["result"] == {}


def test_resources_prompts_and_completions_are_served(shared_session: Any) -> None:
    request = shared_session.request
    assert [r["uri"] for r in request("resources/list")["result"]["resources"]] == [
        "doctrove://catalog"
    ]
    templates = request("resources/templates/list")["result"]["resourceTemplates"]
    assert [t["uriTemplate"] for t in templates] == [
        "doctrove://{id}",
        "doctrove://{id}/{version}",
        "doctrove://{id}/{version}/{section}",
    ]
    uri = "doctrove://express/5/routing%2Froute-parameters"
    (contents,) = request("resources/read", {"uri": uri})["result"]["contents"]
    assert (contents["uri"], contents["mimeType"]) == (uri, "text/markdown")
    assert "Named segments" in contents["text"]
    (prompt,) = request("prompts/list")["result"]["prompts"]
    filled = request("prompts/get", {"name": prompt["name"], "arguments": {"library": "Express"}})
    assert "Express" in filled["result"]["messages"][0]["content"]["text"]
    completion = request(
        "completion/complete",
        {
            "ref": {"type": "ref/resource", "uri": "doctrove://{id}/{version}"},
            "argument": {"name": "version", "value": "5.1"},
            "context": {"arguments": {"id": "express"}},
        },
    )["result"]["completion"]
    assert completion == {"values": ["5.1.0"], "total": 1, "hasMore": False}


def test_a_cancelled_request_holds_nothing_open(
    session: Callable[..., Any], scripted: Callable[[], Any], reply: Any
) -> None:
    remote = scripted()
    remote.serve(reply(hang="headers"))
    server = session("--index-url", remote.url, "--timeout-ms", "60000")
    server.initialize()
    call = {"name": "doc_extract", "arguments": {"id": "express"}}
    server.send({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": call})
    cancel = {"requestId": 77, "reason": "enough"}
    server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel})
    server.end_input()
    assert [message.get("id") for message in server.rest()] == []
    assert server.wait() == 0
