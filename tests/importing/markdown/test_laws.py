"""Whatever a page holds, it is converted in bounded time, and what comes out is sound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.markdown.kind import KIND
from doctrove_builder.importing.markdown.lines import Line, Role, roles
from doctrove_builder.importing.materialise import Given, materialise
from doctrove_builder.importing.option_values import make_options
from doctrove_builder.importing.source_tree import SourceTree, tree_of

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import Imported

PARTS = st.sampled_from(
    [
        *("# T\n", "## H {#x}\n", "text `code <a>` more\n", "```py\nx = 1\n```\n", "```\nopen\n"),
        *("    indented <b>\n", "<div>\n", "</div>\n", "<Tabs items={['a']}>\n", "<Tab>\n"),
        *("</Tab>\n", "</Tabs>\n", '<Callout type="warn">x</Callout>\n', "{/* c */}\n", "{/* o\n"),
        *("<!-- open\n", "-->\n", "<!-- a --> b\n", "::: tip T\n", ":::\n", "::::\n", "///\n"),
        *("/// note | T\n", "!!! note\n    x\n", '=== "A"\n    y\n', '--8<-- "inc.py"\n'),
        *("{! inc.py !}\n", "{* inc.py ln[1:2] *}\n", "<<< ./inc.py#r{1} [t]\n", "{expr}\n"),
        *("<!--@include: ./p.md-->\n", "```{note} X\nbody\n```\n", "::: a.b\n    :members: x\n"),
        *("[a](b.md#c) ![p](q.png)\n", "[a]: b.md\n", "<a href='x\ny'>t</a>\n", "- i\n\n  ```\n"),
        *(
            "<pre><code>a &lt; b\n</code></pre>\n",
            "> q\n> ```js\n> x\n",
            "import X from './p.md'\n",
        ),
        *("<X />\n", "export const a = {\n b: 1\n}\n", "{{ v }}\n", "<T>\n", "Promise<User>\n"),
        *(
            "{ref}`a\nb <c>`\n",
            "{ref}`a\nb`\n",
            "[](a.md) [](#x) [t][a.B] [u][v]\n",
            "(lab)=\n",
            "T\n===\n",
            "<h2>a\nb</h2>\n",
            "<script>\nx\n</script>\n",
        ),
        *(
            "\t\ttab\n",
            "\n",
            "{% note %}\n",
            "{{< tabs >}}\n",
            "{% highlight py %}\n",
            "\x1f soft\n",
        ),
        *("~~~\nq\n~~~\n", "`open\n", "<", "{", "}", "](", "[", "<br/><br/>\n", "</p>\n", "~~~~\n"),
    ]
)
PAGES = st.lists(PARTS, max_size=14).map("".join)


def _read(tree: SourceTree) -> Imported:
    options = make_options(KIND, {}, library="x", version="1", open_tree=lambda _: tree)
    return KIND.read(tree, options)


@given(PAGES, PAGES, st.booleans())
@settings(max_examples=60)
def test_any_page_is_converted_and_its_blocks_are_closed(one: str, two: str, vue: bool) -> None:
    files = {
        "docs/a.md": one,
        "docs/b.mdx": two,
        "docs/p.md": "Part\n<!--@include: ./p.md-->\n",
        "docs/inc.py": "# region r\na = 1\n# endregion\n",
    }
    if vue:
        files["docs/.vitepress/config.ts"] = ""
    tree = tree_of(files)
    imported = _read(tree)
    for page in imported.pages:
        lines = [Line(row, 1) for row in page.markdown.split("\n")]
        kinds = roles(lines, indented=False)
        assert kinds.count(Role.OPEN) == kinds.count(Role.CLOSE)
        assert all(1 <= first <= last <= len(lines) for first, last, _ in page.origins)
        assert "\x1f" not in page.markdown
    given = Given(library="x", version="1", kind="markdown", source="x")
    assert materialise(imported, given, tree) == materialise(_read(tree), given, tree)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[a](" * 30_000, id="links-that-never-end"),
        pytest.param("<a x='" * 20_000, id="tags-that-never-end"),
        pytest.param("{" * 60_000, id="braces"),
        pytest.param(":::note\n" * 4_000, id="containers-that-never-end"),
        pytest.param("```{note}\n" * 2_000, id="directives-that-never-end"),
        pytest.param("<Callout>\n" * 800 + "</Callout>\n" * 800, id="nested-callouts"),
        pytest.param("> " * 30_000 + "x", id="deep-quotes"),
        pytest.param("{{< a " * 15_000, id="tags-of-templates"),
        pytest.param("# a\n" * 5_000, id="equal-headings"),
    ],
)
@pytest.mark.parametrize("suffix", ["md", "mdx"])
def test_hostile_text_ends(text: str, suffix: str) -> None:
    imported = _read(tree_of({f"docs/a.{suffix}": f"Text.\n\n{text}\n\nend\n"}))
    assert [page.path for page in imported.pages] == ["a"]


def test_a_source_without_markdown_is_said_to_hold_nothing() -> None:
    with pytest.raises(NothingImported, match="holds no Markdown"):
        _read(tree_of({"setup.py": "open('x', 'w')"}))
