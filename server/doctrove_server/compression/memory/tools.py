"""The tools of the context memory, without a protocol: arguments in, an answer out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.asking import LARGEST_BUDGET, SMALLEST_BUDGET
from doctrove_server.compression.channels import structure_tokens
from doctrove_server.compression.memory.memory import LONGEST, Memory, Retrieved
from doctrove_server.compression.packing import within
from doctrove_server.errors import InvalidArguments, NotFound
from doctrove_server.tools import schemas
from doctrove_server.tools.answer import Answer, plural
from doctrove_server.tools.parameters import Parameter, Value

if TYPE_CHECKING:
    from doctrove_server.compression.counting import Counting

LONGEST_KEY = 200
_NAMED = 20
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


class ContextDesk(msgspec.Struct, frozen=True, kw_only=True):
    """What the tools of the memory answer from."""

    memory: Memory
    clock: Callable[[], float]
    """Seconds since 1970."""

    default_budget: int
    """`tokenBudget.maxCompressedTokens` of the configuration."""

    most_tokens: int = 8_000
    """Ceiling of an answer; 0 for none."""

    def remember(self, text: str, *, key: str, source: str) -> None:
        """Remember a text that a tool looked up."""
        self.memory.add(text[:LONGEST], now=self.clock(), key=key, source=source)

    @property
    def counts(self) -> Counting:
        """How tokens are counted."""
        return self.memory.shelf.counts


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


def _add(desk: ContextDesk, given: Mapping[str, Value]) -> Answer:
    key = _key(given, "key")
    try:
        item = desk.memory.add(
            str(given["text"]), now=desk.clock(), key=key, source=str(given.get("source", ""))[:400]
        )
    except ValueError as error:
        raise InvalidArguments(f"context_add: {error}. Add it in parts") from None
    levels = [
        {"level": one.level, "tokens": one.tokens, "ratio": one.ratio, "retention": one.retention}
        for one in desk.memory.levels(item)
    ]
    data: dict[str, object] = {"key": item.key, "tokens": item.tokens, "levels": levels}
    text = (
        f"Remembered as `{item.key}`, {plural(item.tokens, 'token')}."
        f" Next: context_retrieve for a question, context_get for the whole text."
    )
    return Answer(text=text, data=data)


def _get(desk: ContextDesk, given: Mapping[str, Value]) -> Answer:
    key = str(given["key"])
    item = desk.memory.get(key, now=desk.clock())
    if item is None:
        raise NotFound(
            f"nothing is remembered as {_shown(key)}. Call context_retrieve to find keys"
        )
    level = int(given.get("level", 0))
    body, label = item.text, "whole"
    levels = desk.memory.levels(item) if level or _above(desk, item.text) else ()
    if level and levels:
        made = levels[min(level, len(levels)) - 1]
        body, label = made.text, made.level
    elif levels:
        fitting = [one for one in levels if not _above(desk, one.text)]
        body, label = (fitting[0].text, fitting[0].level) if fitting else ("", "too long")
    tokens = desk.counts.count(body)
    data: dict[str, object] = {
        "key": item.key,
        "source": item.source,
        "level": label,
        "text": body,
        "tokens": tokens,
        "originalTokens": item.tokens,
        "accesses": item.accesses + 1,
    }
    note = "" if label == "whole" else f" ({label}, {tokens} of {item.tokens} tokens)"
    return Answer(text=f"# {item.key}{note}\n\n{body}\n", data=data)


def _retrieve(desk: ContextDesk, given: Mapping[str, Value]) -> Answer:
    budget = int(given.get("tokenBudget", desk.default_budget))
    query, texts, now = str(given["query"]), given.get("k"), desk.clock()
    count = desk.counts.count

    def make(room: int) -> Retrieved:
        return desk.memory.drafted(
            query, budget=room, now=now, texts=int(texts) if texts is not None else None
        )

    def write_text(found: Retrieved) -> str:
        return _text(found, budget)

    def write_data(found: Retrieved) -> str:
        return msgspec.json.encode(_data(found, desk, budget)).decode()

    text = within(budget, make, write_text, count, room=budget)
    data = within(budget, make, write_data, structure_tokens(count), room=budget)
    desk.memory.note(text[0] if text else Retrieved())
    return Answer(
        text=text[1] if text else "Nothing fits. Use a larger tokenBudget.",
        data=_data(data[0], desk, budget) if data else {"temporal": [], "tokenBudget": budget},
    )


def _forget(desk: ContextDesk, given: Mapping[str, Value]) -> Answer:
    key, everything = given.get("key"), str(given.get("all", "")).lower()
    if key is None and everything != "yes":
        raise InvalidArguments(
            'context_forget needs "key", or "all" with the word yes.'
            ' Call it like this: context_forget({"key": "..."})'
        )
    gone = desk.memory.forget(str(key)) if key is not None else desk.memory.forget_all()
    return Answer(text=f"Forgot {plural(gone, 'text')}.", data={"forgotten": gone})


def _stats(desk: ContextDesk, given: Mapping[str, Value]) -> Answer:
    del given
    stats = desk.memory.stats
    store = stats.store
    text = (
        f"{plural(store.items, 'text')}, {plural(store.facts, 'fact')},"
        f" {plural(store.gists, 'gist')}, {store.bytes:,} bytes."
        f" {plural(stats.retrievals, 'retrieval')} showed {plural(stats.shown, 'text')}:"
        f" mean ratio {stats.mean_ratio}, mean retention {stats.mean_retention}."
        + (" Token counts are estimated from above." if stats.estimated else "")
    )
    return Answer(text=text, data=msgspec.to_builtins(stats))


def _text(found: Retrieved, budget: int) -> str:
    parts = [
        f"## {one.key[:LONGEST_KEY]}\n\n[{_origin(one.source)}{_cut(one.level, one.ratio)}]\n\n"
        f"{one.text.strip()}"
        for one in found.temporal
    ]
    if found.facts:
        parts.append("Facts:\n" + "\n".join(f"- {fact}" for fact in found.facts))
    if found.gists:
        parts.append("Gists:\n" + "\n".join(f"- {gist}" for gist in found.gists))
    if not parts:
        return f"Nothing remembered matches within {budget} tokens. Add texts with context_add.\n"
    if found.omitted:
        count = len(found.omitted)
        parts.append(f"{plural(count, 'text')} more: a larger tokenBudget, or context_get by key.")
    return "\n\n".join(parts) + "\n"


def _data(found: Retrieved, desk: ContextDesk, budget: int) -> dict[str, object]:
    named = found.omitted[:_NAMED] if budget >= 1_000 else ()
    data: dict[str, object] = msgspec.to_builtins(msgspec.structs.replace(found, omitted=named))
    data["omittedCount"] = len(found.omitted)
    if not desk.counts.exact:
        data["estimated"] = True
    return data


def _origin(source: str) -> str:
    return f"{source[:200]} · " if source else ""


def _cut(level: str, ratio: float) -> str:
    return "whole" if level == "none" else f"{level}, {ratio:.0%} of its tokens"


def _above(desk: ContextDesk, text: str) -> bool:
    """Tell whether a text is above the ceiling; a tenth of it is for what stands around."""
    return bool(desk.most_tokens) and desk.counts.count(text) > desk.most_tokens * 0.9


def _key(given: Mapping[str, Value], name: str) -> str:
    key = str(given.get(name, ""))
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise InvalidArguments(
            f"context_add.{name} must be at most {LONGEST_KEY} printable characters. Shorten it"
        )
    return key


def _shown(text: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in text[:100])


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
                    "Shorter forms that context_get can give.",
                ),
            }
        ),
        run=_add,
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
                example=0,
                minimum=0,
                maximum=8,
                default=0,
            ),
        ),
        output=schemas.output({**_COMPRESSED, "accesses": schemas.INTEGER}),
        run=_get,
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
        run=_retrieve,
    ),
    ContextTool(
        name="context_forget",
        title="Forget remembered texts",
        description="Forget one remembered text, or all of them.",
        parameters=(
            Parameter(name="key", kind="string", description="Its key.", example="auth-notes"),
            Parameter(
                name="all", kind="string", description="yes: forget everything.", example="yes"
            ),
        ),
        output=schemas.output({"forgotten": schemas.INTEGER}),
        run=_forget,
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
            }
        ),
        run=_stats,
    ),
)
