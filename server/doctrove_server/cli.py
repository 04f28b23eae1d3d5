"""`doctrove-server`: reads the configuration, then serves MCP over stdio or Streamable HTTP."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.about import NAME, VERSION
from doctrove_server.assembly import (
    compression_counted,
    counted,
    described,
    open_desk,
)
from doctrove_server.config import settings, unknown_keys, without_effect
from doctrove_server.config_file import read_file
from doctrove_server.errors import ConfigError
from doctrove_server.logs import log_as_we_say
from doctrove_server.options import read_options
from doctrove_server.streams import claimed, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from doctrove_server.config import Settings
    from doctrove_server.desk import Desk
    from doctrove_server.options import Options
    from doctrove_server.sources.cache import TtlCache


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0 when done, 2 for wrong usage, configuration or local index."""
    try:
        options = read_options(sys.argv[1:] if argv is None else argv)
        chosen = _settings(options)
        return _serve(options, chosen)
    except ConfigError as error:
        for fault in str(error).split("\n"):
            say(f"configuration error: {fault}")
        return 2


def _settings(options: Options) -> Settings:
    path = options.config or os.environ.get("DOCTROVE_CONFIG", "")
    file = read_file(path) if path else {}
    for warning in unknown_keys(file, path=path):
        say(f"warning: {warning}")
    chosen = settings(flags=options.flags, env=os.environ, file=file, path=path)
    for warning in without_effect(chosen, path=path):
        say(f"warning: {warning}")
    return msgspec.structs.replace(chosen, cache_ttl=0) if options.no_cache else chosen


def _serve(options: Options, chosen: Settings) -> int:
    _end_quietly_on_signals()
    log = say if chosen.debug else _silent
    log_as_we_say()
    banner = f"{NAME} {VERSION}: {described(chosen)}, {8 if chosen.remembers else 3} tools"
    desk, cache = open_desk(chosen, log=log)
    if options.http:
        from doctrove_server.listening import (  # noqa: PLC0415 - for HTTP alone
            access,
            read_endpoint,
            run_http,
        )

        endpoint = read_endpoint(options.http)
        allowed = access(options, endpoint, os.environ)
        code = asyncio.run(run_http(desk, endpoint, allowed, banner=banner))
        _finish(desk, cache, log)
        return code
    say(banner)
    descriptors = claimed()
    # The SDK takes a second to import: only now, when nothing it prints can reach the wire. It
    # makes many objects that stay; looking for garbage among them takes a seventh of the time.
    gc.disable()
    from doctrove_server.stdio import run_stdio  # noqa: PLC0415 - see above

    gc.freeze()
    gc.enable()
    return asyncio.run(run_stdio(desk, descriptors, at_end=lambda: _finish(desk, cache, log)))


def _finish(desk: Desk, cache: TtlCache[object], log: Callable[[str], None]) -> None:
    """Say what the caches did, and close the context memory so that it is one file again."""
    log(counted(cache.stats) + compression_counted(desk))
    if desk.context is not None:
        desk.context.memory.close()


def _end_quietly_on_signals() -> None:
    """Until the session has its own: no traceback for a signal that comes during the start."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)


def _end(_number: int, _frame: object) -> None:
    os._exit(0)


def _silent(_text: str) -> None:
    """Say nothing."""
