"""The tools, resources and prompt as an MCP server.

Its low-level server speaks the revision 2026-07-28 and the handshakes from 2024-11-05 on. A tool's
failure is an `isError` result; only what names nothing here is a protocol error.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import mcp_types as t
from mcp import MCPError
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server

from doctrove_server import completions, prompt, resources
from doctrove_server.about import NAME, TITLE, VERSION
from doctrove_server.errors import ConfigError, InvalidArguments, UnknownResource, UnknownTool
from doctrove_server.instructions import INSTRUCTIONS
from doctrove_server.streams import say
from doctrove_server.tools.answer import failure
from doctrove_server.tools.parameters import input_schema
from doctrove_server.tools.registry import call, tools_of

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from doctrove_server.desk import Desk

    Context = ServerRequestContext[Any]

_HOUR = CacheHint(ttl_ms=3_600_000, scope="public")
_MINUTE = CacheHint(ttl_ms=60_000, scope="public")
_NOT_AN_OBJECT = "(arguments)"


def mcp_server(desk: Desk) -> Server[Any]:
    """Return a server whose handlers answer from a desk."""
    handlers = _Handlers(desk)
    server: Server[Any] = Server(
        NAME,
        version=VERSION,
        title=TITLE,
        instructions=INSTRUCTIONS,
        cache_hints={
            "server/discover": _HOUR,
            "tools/list": _HOUR,
            "prompts/list": _HOUR,
            "resources/list": _HOUR,
            "resources/templates/list": _HOUR,
            "resources/read": _MINUTE,
        },
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
    )
    server.middleware.append(_fold_odd_arguments)
    return server


class _Handlers:
    """One method for each request; parameters and results are the SDK's, the rest is not."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._tools = t.ListToolsResult(
            tools=[
                t.Tool(
                    name=tool.name,
                    title=tool.title,
                    description=tool.description,
                    input_schema=input_schema(tool.parameters),
                    output_schema=tool.output,
                    annotations=t.ToolAnnotations(
                        title=tool.title,
                        read_only_hint=tool.is_read_only,
                        destructive_hint=tool.is_destructive,
                        idempotent_hint=tool.is_read_only,
                        open_world_hint=False,
                    ),
                )
                for tool in tools_of(self._desk)
            ]
        )

    async def list_tools(
        self, _ctx: Context, _params: t.PaginatedRequestParams | None
    ) -> t.ListToolsResult:
        return self._tools

    async def call_tool(self, _ctx: Context, params: t.CallToolRequestParams) -> t.CallToolResult:
        given: object = params.arguments
        if params.arguments is not None and _NOT_AN_OBJECT in params.arguments:
            given = params.arguments[_NOT_AN_OBJECT]
        try:
            answer = await call(self._desk, params.name, given)
        except UnknownTool as error:
            raise MCPError(t.INVALID_PARAMS, str(error)) from None
        except Exception as error:
            # The boundary: the model gets a code, people the cause, nobody a traceback.
            say(f"internal error in {params.name}: {type(error).__name__}: {error}")
            answer = failure(
                "internal", "the server failed at this call. Try other arguments, or report it"
            )
        return t.CallToolResult(
            content=[t.TextContent(type="text", text=answer.text)],
            structured_content=answer.data,
            is_error=answer.is_error,
        )

    async def list_resources(
        self, _ctx: Context, _params: t.PaginatedRequestParams | None
    ) -> t.ListResourcesResult:
        catalog = t.Resource(
            uri=resources.CATALOG_URI,
            name="catalog",
            title="The catalogue",
            description="Every documented library, with its latest version.",
            mime_type=resources.MIME_TYPE,
        )
        return t.ListResourcesResult(resources=[catalog])

    async def list_templates(
        self, _ctx: Context, _params: t.PaginatedRequestParams | None
    ) -> t.ListResourceTemplatesResult:
        return t.ListResourceTemplatesResult(
            resource_templates=[
                t.ResourceTemplate(
                    uri_template=template.uri,
                    name=template.name,
                    title=template.title,
                    description=template.description,
                    mime_type=resources.MIME_TYPE,
                )
                for template in resources.TEMPLATES
            ]
        )

    async def read_resource(
        self, _ctx: Context, params: t.ReadResourceRequestParams
    ) -> t.ReadResourceResult:
        try:
            text = await resources.read(self._desk, params.uri)
        except UnknownResource as error:
            raise MCPError(t.INVALID_PARAMS, str(error), {"uri": params.uri}) from None
        except ConfigError as error:
            raise MCPError(t.INTERNAL_ERROR, str(error)) from None
        contents = t.TextResourceContents(uri=params.uri, text=text, mime_type=resources.MIME_TYPE)
        return t.ReadResourceResult(contents=[contents])

    async def list_prompts(
        self, _ctx: Context, _params: t.PaginatedRequestParams | None
    ) -> t.ListPromptsResult:
        arguments = [
            t.PromptArgument(name=a.name, description=a.description, required=a.required)
            for a in prompt.ARGUMENTS
        ]
        return t.ListPromptsResult(
            prompts=[
                t.Prompt(
                    name=prompt.NAME,
                    title=prompt.TITLE,
                    description=prompt.DESCRIPTION,
                    arguments=arguments,
                )
            ]
        )

    async def get_prompt(
        self, _ctx: Context, params: t.GetPromptRequestParams
    ) -> t.GetPromptResult:
        if params.name != prompt.NAME:
            message = f"unknown prompt: {params.name[:100]}. There is {prompt.NAME}"
            raise MCPError(t.INVALID_PARAMS, message)
        try:
            text = prompt.text(params.arguments or {})
        except InvalidArguments as error:
            raise MCPError(t.INVALID_PARAMS, str(error)) from None
        content = t.TextContent(type="text", text=text)
        return t.GetPromptResult(
            description=prompt.DESCRIPTION,
            messages=[t.PromptMessage(role="user", content=content)],
        )

    async def complete(self, _ctx: Context, params: t.CompleteRequestParams) -> t.CompleteResult:
        known = (params.context.arguments if params.context else None) or {}
        try:
            catalog = await self._desk.catalog()
        except ConfigError as error:
            raise MCPError(t.INTERNAL_ERROR, str(error)) from None
        found = completions.complete(catalog, params.argument.name, params.argument.value, known)
        return t.CompleteResult(
            completion=t.Completion(
                values=list(found.values),
                total=found.total,
                has_more=found.total > len(found.values),
            )
        )


async def _fold_odd_arguments(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Carry arguments that are no object past the SDK, which would refuse them by protocol.

    The seed has every fault of the arguments answered by the tool, where the model reads it.
    """
    given = ctx.params.get("arguments") if ctx.method == "tools/call" and ctx.params else None
    if ctx.params is None or given is None or isinstance(given, dict):
        return await call_next(ctx)
    params = {**ctx.params, "arguments": {_NOT_AN_OBJECT: given}}
    return await call_next(dataclasses.replace(ctx, params=params))
