"""Blocks as Markdown that our own parser reads back as what they were."""

from __future__ import annotations

import pytest

from doctrove_builder.importing.prose.blocks import write_blocks
from doctrove_builder.importing.prose.outline import outline, write_parts
from doctrove_builder.importing.prose.tree import (
    Admonition,
    Block,
    Blocks,
    CodeBlock,
    Definitions,
    Described,
    Listing,
    Note,
    Paragraph,
    Place,
    Quote,
    Rule,
    Section,
    Table,
    Tabs,
    Target,
    Text,
)


def _p(text: str) -> Paragraph:
    return Paragraph((Text(text),))


CASES: dict[str, tuple[Blocks, str]] = {
    "a tight list": (
        (Listing(((_p("a"),), (_p("b"), Listing(((_p("c"),),))))),),
        "- a\n- b\n\n  - c",
    ),
    "a numbered list from five": ((Listing(((_p("a"),), (_p("b"),)), 5),), "5. a\n6. b"),
    "a loose list": ((Listing(((_p("a"), _p("b")), (_p("c"),))),), "- a\n\n  b\n\n- c"),
    "two lists side by side": (
        (Listing(((_p("a"),),)), Listing(((_p("b"),),))),
        "- a\n\n<!-- -->\n\n- b",
    ),
    "code with a fence in it": (
        (CodeBlock("```\nx\n```", "md"),),
        "````md\n```\nx\n```\n````",
    ),
    "code keeps its blank lines and spaces": (
        (CodeBlock("\n  a\n\n\tb  \n"),),
        "```\n\n  a\n\n\tb  \n```",
    ),
    "code with a title": (
        (CodeBlock("x", "", 'a `b` "c"'),),
        "```text title=\"a b 'c'\"\nx\n```",
    ),
    "empty code is nothing": ((CodeBlock(" \n"),), ""),
    "a note": ((Admonition("note", 'Say "x"', (_p("a"),)),), "!!! note \"Say 'x'\"\n\n    a"),
    "a quote": ((Quote((_p("a"), _p("b"))),), "> a\n>\n> b"),
    "definitions": ((Definitions((((Text("t"),), (_p("m"),)),)),), "t\n:   m"),
    "tabs": ((Tabs((("One", (_p("a"),)),)),), '=== "One"\n\n    a'),
    "a table without a head": (
        (Table((), (((_p("a|b"),), (_p("c"), _p("d"))),)),),
        "|  |  |\n| --- | --- |\n| a\\|b | c<br>d |",
    ),
    "a footnote": ((Note("1", (_p("a"), _p("b"))),), "[^1]: a\n\n    b"),
    "a rule": ((Rule(),), "---"),
}  # fmt: skip


@pytest.mark.parametrize(("blocks", "markdown"), CASES.values(), ids=CASES.keys())
def test_blocks_are_written(blocks: Blocks, markdown: str) -> None:
    assert "\n".join(write_blocks(blocks)) == markdown


def _described(name: str, *inside: Block) -> Described:
    return Described(
        name=name,
        anchors=(f"m.{name}",),
        signatures=(f"{name}()",),
        language="python",
        symbols=(f"m.{name}",),
        inside=inside,
        place=Place("m.py", 3, 9),
    )


def test_text_after_an_object_stays_with_its_section() -> None:
    page = (
        _p("lead"),
        Section((Text("API"),), ("api", "label"), (_described("f", _p("of f")), _p("of API"))),
    )
    parts = outline(page)
    assert [(part.title, part.level, part.anchor) for part in parts] == [
        ("", 1, ""),
        ("API", 2, "api"),
        ("f", 3, "m.f"),
    ]
    written = write_parts(parts)
    assert written.markdown == (
        "lead\n\n## API {#api}\n\nof API\n\n### `f` {#m.f}\n\n```python\nf()\n```\n\nof f\n"
    )
    assert written.lines == ((1, 1), (3, 5), (7, 13))


def test_places_in_a_text_lead_to_its_section() -> None:
    page = (Section((Text("A b"),), (), (Target(("x",)), Quote((Target(("y",)),)))),)
    (_, part) = outline(page)
    assert part.anchor == "a-b"
    assert part.names == ("a-b", "x", "y")


def test_anchors_are_unique_and_not_the_counted_ones() -> None:
    twice = tuple(Section((Text("Same"),), (f"id{at}",), (_p("x"),)) for at in (1, 2))
    assert [part.anchor for part in outline(twice)] == ["", "same", "same-1"]
