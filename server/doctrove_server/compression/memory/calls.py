"""What the tools of the context memory do: arguments in, an answer out, no protocol."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.counting import of_json
from doctrove_server.compression.memory.likeness import LONG
from doctrove_server.compression.memory.memory import LONGEST, Memory
from doctrove_server.compression.memory.reading import WHOLE, part_shown, parts_of, shown_of
from doctrove_server.compression.memory.recalled import Retrieved
from doctrove_server.compression.memory.remembering import LookUps
from doctrove_server.compression.packing import within
from doctrove_server.errors import InvalidArguments, NotFound
from doctrove_server.tools.answer import Answer, plural

if TYPE_CHECKING:
    from doctrove_server.compression.counting import Counting
    from doctrove_server.compression.memory.recalled import MemoryStats
    from doctrove_server.tools.parameters import Value

LONGEST_KEY = 200
_OURS = "doctrove://"
"""How the keys of what doc_extract showed begin."""

_NAMED = 20


class ContextDesk(msgspec.Struct, frozen=True, kw_only=True):
    """What the tools of the memory answer from."""

    memory: Memory
    clock: Callable[[], float]
    """Seconds since 1970."""

    default_budget: int
    """`tokenBudget.maxCompressedTokens` of the configuration."""

    look_ups: LookUps
    """Where answers of `doc_extract` are remembered."""

    most_tokens: int = 8_000
    """Ceiling of an answer; 0 for none."""

    @property
    def counts(self) -> Counting:
        """How tokens are counted."""
        return self.memory.shelf.counts


def add(desk: ContextDesk, given: Mapping[str, Value]) -> Answer:
    """Remember a text; raises `InvalidArguments`."""
    key, text = _key(given), str(given["text"])
    if not text.strip():
        raise InvalidArguments(
            "context_add.text holds nothing but blanks. Call it again with the text to remember"
        )
    if len(text) > LONGEST:
        raise InvalidArguments(
            f"context_add.text has {len(text):,} characters, and {LONGEST:,} is the most."
            " Add it in parts, each under a key of its own"
        )
    item = desk.memory.add(
        text, now=desk.clock(), key=key, source=str(given.get("source", ""))[:400]
    )
    levels = [
        {"level": one.level, "tokens": one.tokens, "ratio": one.ratio, "retention": one.retention}
        # Of a long text they take a second, and are made when one is read.
        for one in (desk.memory.levels(item) if len(text) <= LONG else ())
    ]
    data: dict[str, object] = {"key": item.key, "tokens": item.tokens, "levels": levels}
    text = (
        f"Remembered as `{item.key}`, {plural(item.tokens, 'token')}."
        f" Next: context_retrieve for a question, context_get for the whole text."
    )
    return Answer(text=text, data=data)


def get(desk: ContextDesk, given: Mapping[str, Value]) -> Answer:
    """Return a text, whole, in part or at a level, and count an access; raises `NotFound`."""
    key, part = str(given["key"]), _number(given, "part", 0)
    item = desk.memory.get(key, now=desk.clock())
    if item is None:
        raise NotFound(
            f"nothing is remembered as {_shown(key)}. Call context_retrieve to find keys"
        )
    level = _number(given, "level", 0)
    if level and level > (most := desk.memory.level_count(item)):
        raise InvalidArguments(
            f"context_get.level is {level}, and {_shown(key)} has {plural(most, 'level')}."
            f" Call it again with level 0 (the whole text) to {most}"
        )
    cut = parts_of(item, desk.most_tokens, desk.counts.count)
    if part > len(cut):
        raise InvalidArguments(
            f"context_get.part is {part}, and {_shown(key)} has {plural(len(cut), 'part')}."
            f" Call it again with part 1 to {len(cut)}"
        )
    if part and len(cut) > 1:
        made = part_shown(item, cut, part, desk.counts.count)
    else:
        made = shown_of(desk.memory, item, level, desk.most_tokens)
    data: dict[str, object] = {
        "key": item.key,
        "source": item.source,
        "level": made.level,
        "text": made.text,
        "tokens": made.tokens,
        "originalTokens": item.tokens,
        "ratio": made.ratio,
        "retention": made.retention,
        "accesses": item.accesses + 1,
    }
    ending = ""
    if len(cut) > 1:
        data["parts"] = len(cut)
        ending = f"\nThe whole text: context_get with part 1 to {len(cut)}.\n"
    note = "" if made.level == WHOLE else f" ({made.level}, {made.tokens} of {item.tokens} tokens)"
    return Answer(text=f"# {item.key}{note}\n\n{made.text}\n{ending}", data=data)


def retrieve(desk: ContextDesk, given: Mapping[str, Value]) -> Answer:
    """Return texts, facts and gists for a query, each channel within the budget."""
    budget = _number(given, "tokenBudget", desk.default_budget)
    query, texts, now = str(given["query"]), _number(given, "k", 0) or None, desk.clock()
    count = desk.counts.count

    def make(room: int) -> Retrieved:
        return desk.memory.drafted(query, budget=room, now=now, texts=texts)

    def write_text(found: Retrieved) -> str:
        return _text(found, budget)

    def write_data(found: Retrieved) -> str:
        return msgspec.json.encode(_data(found, desk, budget)).decode()

    text = within(budget, make, write_text, count, room=budget)
    data = within(budget, make, write_data, of_json(desk.counts).count, room=budget)
    desk.memory.note(text[0] if text else Retrieved())
    return Answer(
        text=text[1] if text else "Nothing fits. Use a larger tokenBudget.",
        data=_data(data[0], desk, budget) if data else {"temporal": [], "tokenBudget": budget},
    )


def forget(desk: ContextDesk, given: Mapping[str, Value]) -> Answer:
    """Forget one text, or all on the word yes; raises `InvalidArguments`."""
    key, everything = given.get("key"), given.get("all")
    if (key is None) == (everything is None):
        both = "" if key is None else ", not both"
        example = str(key)[:LONGEST_KEY] if key is not None else "auth-notes"
        raise InvalidArguments(
            f'context_forget needs "key", or "all" with the word yes{both}. Call it like this:'
            f" context_forget({json.dumps({'key': example}, ensure_ascii=False)})"
        )
    gone = desk.memory.forget(str(key)) if key is not None else desk.memory.forget_all()
    none = f": nothing is remembered as {_shown(str(key))}" if key is not None and not gone else ""
    return Answer(text=f"Forgot {plural(gone, 'text')}{none}.", data={"forgotten": gone})


def stats(desk: ContextDesk, given: Mapping[str, Value]) -> Answer:
    """Return how much is remembered and how well it is compressed."""
    del given
    stats = desk.memory.stats
    store, answers = stats.store, stats.answers
    text = (
        f"{plural(store.items, 'text')}, {plural(store.facts, 'fact')},"
        f" {plural(store.gists, 'gist')}, {store.bytes:,} bytes."
        f" {plural(stats.retrievals, 'retrieval')} showed {plural(stats.shown, 'text')}:"
        f" mean ratio {stats.mean_ratio}, mean retention {stats.mean_retention}."
        f" {plural(answers.answers, 'answer')} of doc_extract showed"
        f" {plural(answers.sections, 'section')}: mean ratio {answers.mean_ratio},"
        f" mean retention {answers.mean_retention}."
        f" {plural(stats.hits, 'hit')} and {plural(stats.misses, 'miss', 'misses')} of the cache."
        + _asked_of_a_model(stats)
        + (" Token counts are estimated from above." if stats.estimated else "")
    )
    return Answer(text=text, data=msgspec.to_builtins(stats))


def _asked_of_a_model(stats: MemoryStats) -> str:
    if not stats.summaries:
        return ""
    return (
        f" {plural(stats.summaries, 'request')} to the language model;"
        f" {plural(stats.summaries_failed, 'question')} failed."
    )


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


def _number(given: Mapping[str, Value], name: str, default: int) -> int:
    value = given.get(name)
    return value if isinstance(value, int) else default


def _key(given: Mapping[str, Value]) -> str:
    key = str(given.get("key", ""))
    if len(key) > LONGEST_KEY:
        raise InvalidArguments(
            f"context_add.key has {len(key):,} characters, and {LONGEST_KEY} is the most."
            " Shorten it"
        )
    hidden = next((c for c in key if not c.isprintable()), "")
    if hidden:
        raise InvalidArguments(
            f"context_add.key holds the character U+{ord(hidden):04X}, which cannot be seen."
            " Leave it out: a key is one line of printable characters"
        )
    if key.strip().lower().startswith(_OURS):
        raise InvalidArguments(
            f"context_add.key begins with {_OURS}: such keys are those of what doc_extract showed,"
            " which nothing else may replace. Use another key, and name that address as the source"
        )
    return key


def _shown(text: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in text[:100])
