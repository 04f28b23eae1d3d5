"""The least that a server on the same SDK can be: the peer that figures are ratios to."""

from __future__ import annotations

from typing import Any

import anyio
import mcp_types as t
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}


async def list_tools(_ctx: Any, _params: Any) -> t.ListToolsResult:
    return t.ListToolsResult(tools=[t.Tool(name="echo", input_schema=SCHEMA)])


async def call_tool(_ctx: Any, params: t.CallToolRequestParams) -> t.CallToolResult:
    text = str((params.arguments or {}).get("id"))
    return t.CallToolResult(
        content=[t.TextContent(type="text", text=text)], structured_content={"id": text}
    )


async def main() -> None:
    server: Server[Any] = Server("trivial", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
