"""The Python SDK's client, in both of its ways to find the protocol's revision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import anyio
import pytest
from mcp import Client, StdioServerParameters

from doctrove_server.tools.registry import TOOLS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("over", ["stdio", "http"])
@pytest.mark.parametrize(
    ("mode", "revision"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")], ids=["auto", "legacy"]
)
def test_the_python_client_uses_everything(
    mode: Literal["auto", "legacy"], revision: str, over: str, server_command: Path, http_url: str
) -> None:
    stdio = StdioServerParameters(command=str(server_command))
    anyio.run(_everything, stdio if over == "stdio" else http_url, mode, revision)


async def _everything(server: Any, mode: Literal["auto", "legacy"], revision: str) -> None:
    async with Client(server, mode=mode) as client:
        assert client.protocol_version == revision
        assert "doc_extract" in (client.instructions or "")
        tools = await client.list_tools()
        assert [tool.name for tool in tools.tools] == list(TOOLS)
        good = await client.call_tool("doc_extract", {"id": "express", "version": "5"})
        assert good.structured_content is not None
        assert good.structured_content["releaseKind"] == "prefix"
        assert not good.is_error
        bad = await client.call_tool("doc_extract", {"id": "no-such-library"})
        assert bad.is_error
        resources = await client.list_resources()
        read = await client.read_resource(resources.resources[0].uri)
        assert "express" in str(read.contents[0])
        templates = await client.list_resource_templates()
        assert len(templates.resource_templates) == 3
        prompts = await client.list_prompts()
        prompt = await client.get_prompt(prompts.prompts[0].name, {"library": "Express"})
        assert "Express" in str(prompt.messages[0].content)
