"""The list of tools, and the one way to call them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.catalog.catalog import Catalog
from doctrove_server.desk import Desk
from doctrove_server.errors import ConfigError, ToolError, UnknownTool
from doctrove_server.tools import extract, lookup, releases
from doctrove_server.tools.answer import Answer, failed, failure
from doctrove_server.tools.parameters import Parameter, Value, checked

if TYPE_CHECKING:
    from doctrove_server.compression.memory.tools import ContextTool


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """One tool: what clients see of it, and the function behind it."""

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    output: dict[str, object]
    run: Callable[[Desk, Catalog, Mapping[str, Value]], Awaitable[Answer]]
    is_read_only: bool = True
    is_destructive: bool = False


TOOLS: Mapping[str, Tool] = {
    module.NAME: Tool(
        name=module.NAME,
        title=module.TITLE,
        description=module.DESCRIPTION,
        parameters=module.PARAMETERS,
        output=module.OUTPUT,
        run=module.run,
    )
    for module in (lookup, releases, extract)
}


def tools_of(desk: Desk) -> tuple[Tool | ContextTool, ...]:
    """Return the tools that a desk can answer: those of its context memory too, if it has one."""
    if desk.context is None:
        return tuple(TOOLS.values())
    from doctrove_server.compression.memory.tools import (  # noqa: PLC0415 - where it is on
        CONTEXT_TOOLS,
    )

    return (*TOOLS.values(), *CONTEXT_TOOLS)


async def call(desk: Desk, name: str, arguments: object) -> Answer:
    """Call a tool; what goes wrong in it is an answer too.

    Raises `UnknownTool` alone.
    """
    tool = TOOLS.get(name)
    if tool is None:
        return await _call_context(desk, name, arguments)
    try:
        catalog = await desk.catalog()
        given = checked(name, tool.parameters, arguments, library=catalog.example)
        key = (catalog.generation, name, *sorted(given.items()))
        answer = await desk.remembered(key, lambda: tool.run(desk, catalog, given))
        return await _into_memory(desk, answer)
    except ToolError as error:
        return failed(error)
    except ConfigError:
        # The reason names a path of this machine; people find it on stderr.
        return failure(
            "internal",
            "the server's local index cannot be used; the reason stands on its stderr. Mend the"
            " index or --local-index and start the server again",
        )


async def _into_memory(desk: Desk, answer: Answer) -> Answer:
    """Remember what an answer shows, kept or new, if there is a context memory; return it."""
    if desk.context is not None and answer.shown:
        await asyncio.to_thread(desk.context.look_ups.remember, answer.shown)
    return answer


async def _call_context(desk: Desk, name: str, arguments: object) -> Answer:
    """Call a tool of the context memory, in a thread; its answers are never kept."""
    known = {tool.name: tool for tool in tools_of(desk)}
    tool = known.get(name)
    if desk.context is None or tool is None or isinstance(tool, Tool):
        raise UnknownTool(f"unknown tool: {name[:100]}. The tools are {', '.join(known)}")
    try:
        given = checked(name, tool.parameters, arguments)
        return await asyncio.to_thread(tool.run, desk.context, given)
    except ToolError as error:
        return failed(error)
