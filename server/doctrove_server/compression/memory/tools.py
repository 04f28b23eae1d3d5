"""The tools of the context memory, as clients see them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from doctrove_server.compression.asking import LARGEST_BUDGET, SMALLEST_BUDGET
from doctrove_server.compression.memory import calls
from doctrove_server.compression.memory.calls import ContextDesk
from doctrove_server.tools import schemas
from doctrove_server.tools.answer import Answer
from doctrove_server.tools.parameters import Parameter, Value

_ADD = "Text to remember: Markdown of documentation, a finding, a decision."
_COMPRESSED: dict[str, object] = {
    "key": schemas.text("Pass this to context_get for the whole text."),
    "source": schemas.TEXT,
    "level": schemas.text("none, or how far it was shortened: units, low, medium, high."),
    "text": schemas.TEXT,
    "tokens": schemas.INTEGER,
    "originalTokens": schemas.INTEGER,
    "ratio": schemas.NUMBER,
    "retention": schemas.NUMBER,
}


def _level_number(value: object) -> object:
    """Read a level as answers write it: `whole`, `level-2`, `level-2, abstractive`."""
    if value == "whole":
        return 0
    found = _LEVEL.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) if found else value


_LEVEL = re.compile(r"(?:level-)?([0-9])(?:, \w+)?")


class ContextTool(msgspec.Struct, frozen=True, kw_only=True):
    """One tool: what clients see of it, and the function behind it."""

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    output: dict[str, object]
    run: Callable[[ContextDesk, Mapping[str, Value]], Answer]
    is_read_only: bool = True
    is_destructive: bool = False


CONTEXT_TOOLS: tuple[ContextTool, ...] = (
    ContextTool(
        name="context_add",
        title="Remember a text",
        description=(
            "Remember a text for this session, with its facts and gists, so that"
            " context_retrieve can bring back what matters of it in few tokens."
        ),
        parameters=(
            Parameter(name="text", kind="string", description=_ADD, example="...", required=True),
            Parameter(
                name="key",
                kind="string",
                description="Name to find it by; a text with the same key is replaced.",
                example="auth-notes",
            ),
            Parameter(
                name="source",
                kind="string",
                description="Where it is from: a file, an address.",
                example="docs/auth.md",
            ),
        ),
        output=schemas.output(
            {
                "key": schemas.TEXT,
                "tokens": schemas.INTEGER,
                "levels": schemas.array(
                    {
                        "level": schemas.TEXT,
                        "tokens": schemas.INTEGER,
                        "ratio": schemas.NUMBER,
                        "retention": schemas.NUMBER,
                    },
                    "Shorter forms that context_get can give; none are named of a long text.",
                ),
            }
        ),
        run=calls.add,
        is_read_only=False,
    ),
    ContextTool(
        name="context_get",
        title="Read a remembered text",
        description=(
            "Read a remembered text whole, or a shorter level of it. Texts that are read often"
            " stay whole in context_retrieve."
        ),
        parameters=(
            Parameter(
                name="key",
                kind="string",
                description="Its key.",
                example="auth-notes",
                required=True,
            ),
            Parameter(
                name="level",
                kind="integer",
                description="0 for the whole text (default), 1 and more for shorter levels.",
                example=1,
                read=_level_number,
                minimum=0,
                maximum=8,
                default=0,
            ),
            Parameter(
                name="part",
                kind="integer",
                description=(
                    "Which part of the text as it was added, from 1, where the whole is too long"
                    " for an answer."
                ),
                example=1,
                maximum=100_000,
            ),
        ),
        output=schemas.output(
            {
                **_COMPRESSED,
                "parts": {
                    "type": "integer",
                    "description": "In how many parts the whole text can be read.",
                },
                "accesses": schemas.INTEGER,
            },
        ),
        run=calls.get,
        is_read_only=False,
    ),
    ContextTool(
        name="context_retrieve",
        title="Recall what matters for a question",
        description=(
            "Bring back what was looked up or added in this session for a question: texts, facts"
            " and gists, together within a budget of tokens, the older the shorter."
        ),
        parameters=(
            Parameter(
                name="query",
                kind="string",
                description="What it should be about.",
                example="route parameters",
                required=True,
            ),
            Parameter(
                name="tokenBudget",
                kind="integer",
                description="Tokens that the answer may have (o200k_base).",
                example=1_000,
                minimum=SMALLEST_BUDGET,
                maximum=LARGEST_BUDGET,
            ),
            Parameter(
                name="k",
                kind="integer",
                description="How many texts to show at most.",
                example=5,
                maximum=50,
            ),
        ),
        output=schemas.output(
            {
                "temporal": schemas.array({**_COMPRESSED, "score": schemas.NUMBER}, "Best first."),
                "facts": schemas.texts(),
                "gists": schemas.texts(),
                "omitted": schemas.texts("Keys that matched and are not shown."),
                "omittedCount": schemas.INTEGER,
                "tokens": schemas.INTEGER,
            }
        ),
        run=calls.retrieve,
    ),
    ContextTool(
        name="context_forget",
        title="Forget remembered texts",
        description="Forget one remembered text, or all of them.",
        parameters=(
            Parameter(name="key", kind="string", description="Its key.", example="auth-notes"),
            Parameter(
                name="all",
                kind="string",
                description="yes: forget everything.",
                example="yes",
                choices=("yes",),
            ),
        ),
        output=schemas.output({"forgotten": schemas.INTEGER}),
        run=calls.forget,
        is_read_only=False,
        is_destructive=True,
    ),
    ContextTool(
        name="context_stats",
        title="What is remembered",
        description="Say how much is remembered, and how well it is compressed.",
        parameters=(),
        output=schemas.output(
            {
                "store": {"type": "object"},
                "retrievals": schemas.INTEGER,
                "shown": schemas.INTEGER,
                "meanRatio": schemas.NUMBER,
                "meanRetention": schemas.NUMBER,
                "hits": schemas.INTEGER,
                "misses": schemas.INTEGER,
                "answers": {"type": "object"},
                "summaries": schemas.INTEGER,
                "summariesFailed": schemas.INTEGER,
            }
        ),
        run=calls.stats,
    ),
)
