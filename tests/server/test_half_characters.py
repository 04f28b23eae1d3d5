"""Half a surrogate pair, which JSON can write and no text has, in any text that a tool takes."""

from __future__ import annotations

import http.client
import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Json = dict[str, Any]

HALVES = ("\ud800", "\udfff", "before \udc00 after", "\ud800A", "\udc00\ud800")


@pytest.fixture(scope="module", params=["stdio", "http"])
def server(request: pytest.FixtureRequest, start_session: Callable[..., Any]) -> Iterator[Any]:
    """A server with all tools, and a way to send it a request, whatever it is."""
    is_http = request.param == "http"
    options = ("--http", "127.0.0.1:0") if is_http else ()
    session = start_session(*options, "--context-memory", "--debug")
    if is_http:
        session.wait_for_error("listening on http://")
        port = int(session.errors().rpartition("/mcp")[0].rpartition(":")[2])
    else:
        session.initialize()
        port = 0

    def ask(message: Json) -> Json:
        if not port:
            session.send(message)
            answer: Json = session.read()
            return answer
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        accept = "application/json, text/event-stream"
        headers = {"content-type": "application/json", "accept": accept}
        connection.request("POST", "/mcp", json.dumps(message).encode(), headers)
        answer = json.loads(connection.getresponse().read())
        connection.close()
        return answer

    yield ask
    assert "Traceback" not in session.errors()


def called(tool: str, arguments: object) -> Json:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}


def calls_with(tools: list[Json], half: str) -> Iterator[Json]:
    """Yield a call for each argument of each tool, with that text in it."""
    for tool in tools:
        properties: Json = tool["inputSchema"]["properties"]
        for name, kind in properties.items():
            others = {one: "x" for one in tool["inputSchema"]["required"] if one != name}
            is_list = "string" not in json.dumps(kind.get("type", "array"))
            for value in (half, [half]) if is_list else (half,):
                yield called(tool["name"], {**others, name: value})


@pytest.mark.parametrize("half", HALVES, ids=ascii)
def test_half_a_character_in_an_argument_is_an_error_and_the_server_goes_on(
    server: Any, half: str
) -> None:
    tools = server({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})["result"]["tools"]
    assert len(tools) == 8
    for message in (
        *calls_with(tools, half),
        called("doc_extract", {half: 1}),
        called(half, {}),
        {"jsonrpc": "2.0", "id": 7, "method": half},
    ):
        answer = server(message)
        assert answer["error"]["code"] in (-32700, -32600)
        assert answer.get("id") in (7, None)
    result = server(called("catalog_lookup", {"query": "express"}))["result"]
    assert result["structuredContent"]["results"]


def test_a_whole_pair_in_escapes_is_a_text(server: Any) -> None:
    text = "It works: \U0001f600."
    assert "\\ud83d" in json.dumps(text)
    assert not server(called("context_add", {"text": text, "key": "pair"}))["result"].get("isError")
    read = server(called("context_get", {"key": "pair"}))["result"]["structuredContent"]
    assert read["text"] == text
