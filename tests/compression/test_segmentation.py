from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.compression.code_blocks import cut_code, gap_marker, is_signature
from doctrove_server.compression.rendering import render
from doctrove_server.compression.segmentation import LARGEST, segment

if TYPE_CHECKING:
    from doctrove_server.compression.units import Unit

PAGE = """\
Opening sentence. Another one.

- `port`: Where it listens. Defaults to `80`.
  - nested item
1. first

| Option | Type | Default |
|--------|:----:|---------|
| `host` | `string` | `"localhost"` |
| a \\| b | x | y |

### Deeper

```ts
declare function f(a: string): void
```

> [!WARNING]
> Never do this.

::: danger Title
Losing data.
:::

!!! warning "Old"
    Indented text.

    ```py
    x = 1
    ```
"""


def shown(units: tuple[Unit, ...]) -> list[tuple[str, str, str]]:
    return [(unit.kind, unit.label, unit.text) for unit in units]


def test_a_page_is_cut_into_the_kinds_of_units() -> None:
    assert shown(segment(PAGE)) == [
        ("sentence", "", "Opening sentence."),
        ("sentence", "", "Another one."),
        ("item", "", "`port`: Where it listens. Defaults to `80`."),
        ("item", "", "nested item"),
        ("item", "", "first"),
        ("row", "", '| `host` | `string` | `"localhost"` |'),
        ("row", "", "| a \\| b | x | y |"),
        ("heading", "", "### Deeper"),
        ("signature", "", "declare function f(a: string): void"),
        ("sentence", "Warning", "Never do this."),
        ("sentence", "Danger", "Losing data."),
        ("sentence", "Warning", "Indented text."),
        ("code", "Warning", "x = 1"),
    ]


def test_rows_carry_the_head_of_their_table() -> None:
    rows = [unit for unit in segment(PAGE) if unit.kind == "row"]
    assert rows[0].opener == "| Option | Type | Default |\n|-|-|-|\n"


def test_units_know_the_heading_above_them() -> None:
    units = segment(PAGE)
    heading = next(place for place, unit in enumerate(units) if unit.kind == "heading")
    assert {unit.heading for unit in units[:heading]} == {-1}
    assert {unit.heading for unit in units[heading + 1 :]} == {heading}


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        pytest.param(
            "See [the `x` docs](https://a.b/c(d)) ![pic](p.png).",
            "See the `x` docs .",
            id="links and pictures",
        ),
        pytest.param(
            "A <!-- note --> b[^1] {#id} **bold** `{#id}`",
            "A b bold `{#id}`",
            id="comments, notes, attributes",
        ),
        pytest.param(
            "`__init__` and __init__ stay", "`__init__` and __init__ stay", id="underscores"
        ),
        pytest.param("Use {ref}`name` here", "Use `name` here", id="roles"),
        pytest.param("Inline ```ts code``` here", "Inline `ts code` here", id="long code span"),
        pytest.param(
            '<Tab value="x">\n```ts\nlet a\n```\n</Tab>',
            "let a",
            id="a fence right below a component",
        ),
        pytest.param(
            '<div class="x">\n```ts\nlet a\n```\n</div>', "let a", id="a fence right below a tag"
        ),
        pytest.param("```{note}\nInside.\n```", "Inside.", id="a directive"),
        pytest.param("<script>\nevil()\n</script>\n\nText.", "Text.", id="scripts go"),
        pytest.param("{/* hidden */}\n\nText.", "Text.", id="MDX comments go"),
    ],
)
def test_what_a_reader_can_do_without_is_left_out(markdown: str, expected: str) -> None:
    assert [unit.text for unit in segment(markdown)] == [expected]


def test_a_code_block_is_cut_between_statements_alone() -> None:
    code = (
        "import a\n\nx = [\n\n 1,\n]\n\ndef f():\n    y = 1\n\n    return y\n\n\n"
        "def g():\n    pass\n"
    )
    parts = cut_code(code.rstrip())
    assert [part.strip("\n").split("\n")[0] for part in parts] == [
        "import a",
        "x = [",
        "def f():",
        "def g():",
    ]
    assert "\n".join(parts) == code.rstrip()


@pytest.mark.parametrize(
    "code",
    ["a = 1\n\nb = 2", 's = """\n' + "x\n\n" * 10, "f(\n" + "1,\n\n" * 10],
    ids=["small", "open string", "open bracket"],
)
def test_a_code_block_that_is_small_or_never_whole_stays_one(code: str) -> None:
    assert cut_code(code) == [code]


def test_what_is_left_out_of_a_code_block_is_marked_in_its_language() -> None:
    body = "\n\n".join(f"def f{n}():\n    return {n}\n" for n in range(6)).rstrip()
    units = segment(f"```python\n{body}\n```")
    assert render(units, {1, 2, 4}) == (
        "```python\n# ...\ndef f1():\n    return 1\n\n\ndef f2():\n    return 2\n# ...\n"
        "def f4():\n    return 4\n# ...\n```"
    )
    assert render(units, range(6)) == f"```python\n{body}\n```"
    assert gap_marker("ts") == "// ..."
    assert gap_marker("unheard") == "..."


@pytest.mark.parametrize(
    ("code", "language", "expected"),
    [
        ("def f(x: int = 3) -> str: ...", "python", True),
        ("interface A {\n  b: string\n  c: number\n  d: Date\n}", "ts", True),
        ("app.get(path, callback): Router", "js", True),
        ("npm install express", "sh", False),
        ("console.log(1)\nconsole.log(2)\nx()\ny()", "js", False),
    ],
)
def test_signatures_are_told_by_their_form(code: str, language: str, expected: bool) -> None:
    assert is_signature(code, language) is expected


HOSTILE = {
    "deep quotes": "> " * 5_000 + "x",
    "deep lists": "- " * 5_000 + "x",
    "brackets": "[" * 50_000,
    "backticks": "`" * 50_000,
    "many runs of backticks": "` `` " * 10_000,
    "comments": "<!--" * 20_000,
    "tags": "<a" * 30_000,
    "colons": ":::a\n" * 20_000,
    "admonitions": "".join(f"{'    ' * n}!!! note\n" for n in range(200)),
    "open fence": "```\n" + "x\n" * 30_000,
    "table": "|" * 30_000 + "\n" + "|-" * 15_000,
    "stars": "*" * 50_000,
    "one word": "a" * 140_000,
    "one line of sentences": "A b. " * 28_000,
    "defaults": "default " * 18_000,
    "emphasis": "**a " * 30_000,
    "quotes": "'" * 100_000,
    "jsx comments": "{/*" * 30_000,
    "very long": "word " * (LARGEST // 2),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_takes_long_to_cut(name: str) -> None:
    begun = time.process_time()
    segment(HOSTILE[name])
    assert time.process_time() - begun < 10  # seconds; a quadratic step takes minutes


@given(st.text("ab `~\n#->|:!*[]()<{\u4e2d1.", max_size=300), st.data())
def test_whatever_is_chosen_has_balanced_fences(text: str, data: st.DataObject) -> None:
    units = segment(text)
    chosen = data.draw(st.sets(st.sampled_from(range(len(units))))) if units else set[int]()
    lines = render(units, chosen).split("\n")
    assert balanced(lines)


def balanced(lines: list[str]) -> bool:
    fence = ""
    for line in lines:
        run = line.lstrip(" ")
        ticks = len(run) - len(run.lstrip("`"))
        if fence and ticks >= len(fence) and not run.strip("`"):
            fence = ""
        elif not fence and ticks >= 3 and "`" not in run[ticks:]:
            fence = run[:ticks]
    return not fence


@pytest.mark.parametrize(
    "text",
    [
        "An error is made. Pass it to `next(error)` instead.",
        "Paths are relative. The settings of the project change that.",
        "Headers can be forged. Name the hops instead.",
        "Open the file. Then close the file.",
    ],
)
def test_a_sentence_that_leans_on_the_one_before_is_one_unit_with_it(text: str) -> None:
    assert [unit.text.split(".")[0] for unit in segment(text)] == [text.split(".", maxsplit=1)[0]]


def test_a_sentence_that_stands_alone_is_a_unit() -> None:
    assert len(segment("An error is made. The file is closed.")) == 2


def test_a_lead_in_is_shown_with_what_it_leads_in_to_alone() -> None:
    units = segment("Kept. These are `x` kinds:\n\n- one\n- two")
    assert render(units, [0, 1]) == "Kept."
    assert render(units, [1, 2]) == "These are `x` kinds:\n\n- one"


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("You can allow all. But that allows some kinds only.", 1),
        ("Settings are read once. This way they stay.", 1),
        ("It fails. They will be included.", 1),
        ("The client opens. The server closes.", 2),
        ("Kept. These are the kinds:\n\n- one", 3),
    ],
)
def test_a_sentence_that_points_back_comes_with_the_one_before(text: str, units: int) -> None:
    assert len(segment(text)) == units


def test_sentences_stand_as_they_were_written() -> None:
    text = "However, you could also just use it as well as `x`, of course."
    assert [unit.text for unit in segment(text)] == [text]


def test_a_table_says_where_rows_are_left_out() -> None:
    units = segment("| a | b |\n|---|---|\n| `x` | 1 |\n| `y` | 2 |\n| `z` | 3 |")
    assert render(units, [0, 2]).split("\n")[2:] == ["| `x` | 1 |", "| \u2026 |", "| `z` | 3 |"]
    assert render(units, [1]).split("\n")[2:] == ["| \u2026 |", "| `y` | 2 |", "| \u2026 |"]
    assert "\u2026" not in render(units, [0, 1, 2])


def test_lead_ins_that_follow_one_another_go_together() -> None:
    units = segment("It is marked in the pages:\n\n![picture](a.png)\n\nLook at them:\n\n- one\n")
    assert render(units, [0, 1]) == ""
    assert render(units, [0, 1, 2]).count(":") == 2
