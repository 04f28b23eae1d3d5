from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_server.compression.memory.calls import ContextDesk
from doctrove_server.compression.memory.memory import EXAMINED, Memory
from doctrove_server.compression.memory.remembering import LookUps
from doctrove_server.compression.memory.store import Store
from doctrove_server.compression.memory.tools import CONTEXT_TOOLS
from doctrove_server.compression.settings import CompressionSettings, Method, Summarization
from doctrove_server.compression.shelf import OVERHEAD, Shelf
from doctrove_server.errors import InvalidArguments, NotFound
from doctrove_server.tools.answer import Shown
from doctrove_server.tools.parameters import checked, input_schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_server.tools.answer import Answer

    Call = Callable[..., Answer]

SHELF = Shelf()
COUNT = SHELF.counts.count
NOW = 1.8e9


TOOLS = {tool.name: tool for tool in CONTEXT_TOOLS}


def desk_of(memory: Memory) -> ContextDesk:
    look_ups = LookUps(memory, clock=lambda: NOW, log=print)
    return ContextDesk(memory=memory, look_ups=look_ups, clock=lambda: NOW, default_budget=2048)


@pytest.fixture
def call() -> Call:
    desk = desk_of(Memory(Store(), CompressionSettings(), shelf=SHELF))

    def called(name: str, **arguments: Any) -> Answer:
        return TOOLS[name].run(desk, checked(name, TOOLS[name].parameters, arguments))

    return called


def test_the_tools_have_flat_schemas_and_say_what_they_change() -> None:
    assert [tool.name for tool in CONTEXT_TOOLS] == [
        "context_add",
        "context_get",
        "context_retrieve",
        "context_forget",
        "context_stats",
    ]
    assert [tool.name for tool in CONTEXT_TOOLS if tool.is_destructive] == ["context_forget"]
    for tool in CONTEXT_TOOLS:
        assert input_schema(tool.parameters)["type"] == "object"


def test_a_text_is_added_found_read_and_forgotten(call: Call, section: str) -> None:
    added = call("context_add", text=section, key="server", source="guide")
    assert added.data["key"] == "server"
    assert [level["level"] for level in added.data["levels"]] == ["level-1", "level-2", "level-3"]  # type: ignore[attr-defined]  # a list
    found = call("context_retrieve", query="backoff default")
    assert "`backoff` default: `0.5`" in found.text
    assert found.data["facts"][0] == "`backoff` default: `0.5`"  # type: ignore[index]  # a list
    assert call("context_get", key="server").data["text"] == section
    shorter = call("context_get", key="server", level=1)
    assert shorter.data["level"] == "level-1"
    assert shorter.data["tokens"] < shorter.data["originalTokens"] / 2  # type: ignore[operator]  # numbers
    assert call("context_stats").data["retrievals"] == 1
    assert call("context_forget", key="server").data == {"forgotten": 1}
    with pytest.raises(NotFound, match="server"):
        call("context_get", key="server")


@pytest.mark.parametrize("budget", [100, 163, 400, 2048, 20_000])
@pytest.mark.parametrize("query", ["backoff default", "module_3", "nothing of it", "\u4e2d"])
def test_both_channels_of_a_retrieval_are_within_the_budget(
    call: Call, section: str, story: str, budget: int, query: str
) -> None:
    for n in range(6):
        call("context_add", text=f"{section}\n{n} \u4e2d\u6587\u8aac\u660e", key=f"server-{n}")
        call("context_add", text=f"{story}\n{n}", source="https://example.org/" + "x" * 200)
    answer = call("context_retrieve", query=query, tokenBudget=budget)
    assert COUNT(answer.text) <= budget
    assert COUNT(json.dumps(answer.data, separators=(",", ":"))) <= budget


def test_k_bounds_the_texts(call: Call, story: str) -> None:
    for n in range(4):
        call("context_add", text=f"{story}\n{n}", key=f"k{n}")
    assert len(call("context_retrieve", query="module_3", k=2).data["temporal"]) == 2  # type: ignore[arg-type]  # a list


def test_a_text_above_the_ceiling_is_given_at_the_first_level_that_fits(
    call: Call, story: str
) -> None:
    call("context_add", text="\n\n".join(f"{story}\n{n}" for n in range(17)), key="long")
    got = call("context_get", key="long")
    assert got.data["level"] == "level-1"
    assert COUNT(got.text) <= 8_000


def test_everything_is_forgotten_on_the_word_yes_alone(call: Call, section: str) -> None:
    call("context_add", text=section)
    for wrong in ("no", "YES", True, 1):
        with pytest.raises(
            InvalidArguments, match=r'must be yes.*context_forget\({"all": "yes"}\)'
        ):
            call("context_forget", all=wrong)
    assert call("context_forget", all="yes").data == {"forgotten": 1}


def test_a_key_that_nothing_is_remembered_by_is_said(call: Call) -> None:
    answer = call("context_forget", key="none such")
    assert answer.text == "Forgot 0 texts: nothing is remembered as none such."


@pytest.mark.parametrize(
    "arguments", [{}, {"key": "secret", "all": "yes"}], ids=["neither", "both"]
)
def test_what_to_forget_is_said_once(call: Call, arguments: dict[str, str]) -> None:
    call("context_add", text="Something.", key="secret")
    with pytest.raises(InvalidArguments, match='needs "key", or "all" with the word yes') as error:
        call("context_forget", **arguments)
    shown = str(error.value).partition("context_forget(")[2].removesuffix(")")
    assert "key" in checked("context_forget", TOOLS["context_forget"].parameters, json.loads(shown))
    assert call("context_get", key="secret").data["text"] == "Something."


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"text": "x" * 1_000_001}, "text has 1,000,001 characters, and 1,000,000 is the most"),
        ({"text": " \n\t"}, "text holds nothing but blanks"),
        ({"text": "a", "key": "k" * 201}, "key has 201 characters, and 200 is the most. Shorten"),
        ({"text": "a", "key": "a\nb"}, "key holds the character U\\+000A, which cannot be seen"),
    ],
)
def test_what_cannot_be_remembered_is_refused(
    call: Call, arguments: dict[str, str], said: str
) -> None:
    with pytest.raises(InvalidArguments, match=f"^context_add.{said}"):
        call("context_add", **arguments)


@pytest.mark.parametrize(
    ("given", "level"),
    [
        (1, "level-1"),
        ("1", "level-1"),
        ("level-2", "level-2"),
        ("level-2, extractive", "level-2"),
        (0, "whole"),
        ("whole", "whole"),
    ],
)
def test_a_level_is_named_by_its_number_or_as_answers_say_it(
    call: Call, section: str, given: object, level: str
) -> None:
    call("context_add", text=section, key="server")
    assert call("context_get", key="server", level=given).data["level"] == level


@pytest.mark.parametrize("given", ["level-9", "low", "", "level-", 9])
def test_a_level_that_is_none_is_refused(call: Call, given: object) -> None:
    with pytest.raises(InvalidArguments, match=r"context_get.level must .*\"level\": 1}"):
        call("context_get", key="server", level=given)


def test_of_a_long_text_only_the_beginning_is_examined_when_it_is_added(story: str) -> None:
    shelf = Shelf(SHELF.counts)
    memory = Memory(Store(), CompressionSettings(), shelf=shelf)
    desk = desk_of(memory)
    text = "\n\n".join(story for _ in range(1_000_000 // len(story) - 1))
    text += "\n\nAt last, `the_end` defaults to `42`.\n"
    added = TOOLS["context_add"].run(desk, {"text": text, "key": "long"})
    assert added.data == {"key": "long", "tokens": COUNT(text), "levels": []}
    assert shelf.stats.characters <= EXAMINED + OVERHEAD
    found = TOOLS["context_retrieve"].run(desk, {"query": "the_end default"})
    assert "`the_end` defaults to `42`" in found.text


def test_a_level_that_a_text_has_not_is_refused_with_those_that_it_has(
    call: Call, section: str
) -> None:
    call("context_add", text=section, key="server")
    with pytest.raises(InvalidArguments) as error:
        call("context_get", key="server", level=4)
    assert str(error.value) == (
        "context_get.level is 4, and server has 3 levels."
        " Call it again with level 0 (the whole text) to 3"
    )
    assert call("context_get", key="server", level=3).data["text"]
    call("context_add", text="Too short for a level.", key="short")
    assert call("context_get", key="short", level=3).data["level"] == "whole"
    with pytest.raises(InvalidArguments, match="has 3 levels"):
        call("context_get", key="short", level=4)


@pytest.mark.parametrize("method", ["extractive", "abstractive", "hierarchical"])
def test_the_levels_are_those_of_the_configuration(method: Method, section: str) -> None:
    chosen = Summarization(method=method, levels=1)
    desk = desk_of(Memory(Store(), CompressionSettings(summarization=chosen), shelf=SHELF))
    desk.memory.add(section, now=NOW, key="server")
    get = TOOLS["context_get"]

    def level(number: int) -> object:
        arguments = {"key": "server", "level": number}
        return get.run(desk, checked(get.name, get.parameters, arguments)).data["level"]

    assert str(level(1)).startswith("level-1")
    with pytest.raises(InvalidArguments, match=r"server has 1 level\. .* to 1"):
        level(2)


@pytest.mark.parametrize("key", ["doctrove://lib/1.0.0/guide", " Doctrove://x", "DOCTROVE://"])
def test_what_was_looked_up_cannot_be_replaced_by_hand(key: str) -> None:
    desk = desk_of(Memory(Store(), CompressionSettings(), shelf=SHELF))
    uri = "doctrove://lib/1.0.0/guide"
    desk.look_ups.remember([Shown(uri=uri, body="As it is documented.", source="guide")])
    add = TOOLS["context_add"]
    with pytest.raises(InvalidArguments, match="key begins with doctrove://: such keys are"):
        add.run(desk, checked(add.name, add.parameters, {"text": "A forgery.", "key": key}))
    kept = desk.memory.get(uri, now=NOW)
    assert kept is not None
    assert kept.text == "As it is documented."
    assert desk.memory.stats.store.items == 1
    others = {"text": "A note.", "key": "about doctrove://lib", "source": uri}
    assert add.run(desk, checked(add.name, add.parameters, others)).data["key"] == others["key"]
