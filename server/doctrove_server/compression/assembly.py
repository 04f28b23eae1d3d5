"""The context memory put together from settings and the environment."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from doctrove_server.compression.completing import completer_from
from doctrove_server.compression.memory.calls import ContextDesk
from doctrove_server.compression.memory.memory import Memory
from doctrove_server.compression.memory.remembering import LookUps
from doctrove_server.compression.memory.store import Store
from doctrove_server.compression.settings import read_settings
from doctrove_server.compression.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def open_context(
    path: str,
    *,
    block: Mapping[str, object] | None,
    most_answer_tokens: int,
    env: Mapping[str, str],
    log: Callable[[str], None],
) -> ContextDesk:
    """Open the memory; an empty path keeps it in this process. Raises `ConfigError`.

    `log` is told when what was looked up cannot be remembered, and when a model that fails is left
    alone.
    """
    settings = read_settings(block or {})
    shelf = Shelf()
    memory = Memory(Store(path), settings, shelf=shelf, completer=completer_from(env, log=log))
    return ContextDesk(
        memory=memory,
        look_ups=LookUps(memory, clock=time.time, log=log),
        clock=time.time,
        default_budget=settings.token_budget.max_compressed_tokens,
        most_tokens=most_answer_tokens,
    )
