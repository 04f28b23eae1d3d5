"""Built documentation: content without chrome, in every theme alike."""

from __future__ import annotations

import json
import zlib
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_builder.importing.html.parsing import parse_html
from doctrove_builder.importing.html.reading import HtmlReader
from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.prose.outline import outline, write_parts
from doctrove_builder.importing.source_tree import tree_of
from doctrove_builder.importing.sphinx.inventory import read_inventory
from doctrove_builder.importing.sphinx.kind import read

if TYPE_CHECKING:
    from collections.abc import Mapping

CASES = Path(__file__).parent / "cases"
BODY = (CASES / "content.html").read_text(encoding="utf-8")
MARKDOWN = (CASES / "content.md").read_text(encoding="utf-8")
THEMES = {
    path.stem.removeprefix("theme-"): path.read_text(encoding="utf-8")
    for path in sorted(CASES.glob("theme-*.html"))
}
OTHER = """
<section id="other"><h1>Other</h1><section id="more"><h2>More</h2><p>Text.</p></section></section>
"""


def _inventory(lines: str) -> bytes:
    head = (
        b"# Sphinx inventory version 2\n# Project: Thing\n# Version: 1.2\n"
        b"# The remainder of this file is compressed using zlib.\n"
    )
    return head + zlib.compress(lines.encode())


def _html(theme: str) -> Mapping[str, bytes | str]:
    page = "<html><head><title>t</title>{}</head><body>{}</body></html>"
    following = '<link rel="next" href="other.html">'
    return {
        "index.html": page.format(
            following, THEMES[theme].replace("CONTENT", BODY.replace("OTHER", "other.html"))
        ),
        "other.html": page.format("", THEMES[theme].replace("CONTENT", OTHER)),
        "genindex.html": page.format(
            "", THEMES[theme].replace("CONTENT", "<h1>Index</h1><p>x</p>")
        ),
        "_modules/m.html": page.format("", "<p>source</p>"),
        "_sources/index.rst.txt": "The *API*\n=========\n\nx\n\nFunctions\n---------\n\ny\n",
        "objects.inv": _inventory(
            "m.f py:function 1 index.html#$ -\nindex std:doc -1 index.html API\n"
        ),
    }


def _read(files: Mapping[str, bytes | str]) -> Imported:
    return read(tree_of(files), Options(library="thing", version="1"))


@pytest.mark.parametrize("theme", THEMES)
def test_the_content_of_a_page_is_the_same_in_every_theme(theme: str) -> None:
    imported = _read(_html(theme))
    assert [(page.path, page.title) for page in imported.pages] == [
        ("index", "The API"),
        ("other", "Other"),
    ]
    page = imported.pages[0]
    assert page.markdown == MARKDOWN
    assert page.symbols == {"m.f": ("m.f",)}
    assert imported.name == "Thing"
    assert [(origin.file, origin.lines) for _, _, origin in page.origins] == [
        ("_sources/index.rst.txt", (1, 5)),
        ("_sources/index.rst.txt", (6, 9)),
        ("_sources/index.rst.txt", None),
    ]


def test_a_json_build_gives_the_same_as_an_html_build() -> None:
    other = {"body": OTHER, "title": "Other", "current_page_name": "other", "sourcename": "gone"}
    first = {
        "body": BODY.replace("OTHER", "other/"),
        "title": "The <em>API</em>",
        "current_page_name": "index",
        "next": {"link": "other/", "title": "Other"},
    }
    imported = _read(
        {
            "out/globalcontext.json": json.dumps({"project": "Thing"}),
            "out/other.fjson": json.dumps(other),
            "out/index.fjson": json.dumps(first),
            "out/search.fjson": "{}",
        }
    )
    assert [page.path for page in imported.pages] == ["index", "other"]
    assert imported.pages[0].markdown == MARKDOWN


def test_a_picture_of_a_json_build_is_found_from_the_folder_of_its_page() -> None:
    page = {
        "body": '<h1>P</h1><p><img alt="A" src="../../_images/a.png"></p>',
        "current_page_name": "guide/page",
    }
    imported = _read(
        {"globalcontext.json": "{}", "guide/page.fjson": json.dumps(page), "_images/a.png": b"png"}
    )
    assert imported.pages[0].markdown.strip() == "![A](../_images/_images/a.png)"
    assert imported.assets == {"_images/_images/a.png": b"png"}
    assert not imported.notes


def test_a_label_before_a_heading_leads_to_its_section() -> None:
    body = (
        "<h1>P</h1><p>See <a href='#label'>it</a>, <a href='#place'>there</a>.</p>"
        "<section id='one'><h2>One</h2><p>Text <span id='place'></span>of one.</p></section>"
        "<section id='two'><span id='label'></span><h2>Two</h2><p>Text.</p></section>"
    )
    imported = _read(
        {"globalcontext.json": "{}", "p.fjson": json.dumps({"body": body, "title": "P"})}
    )
    assert imported.pages[0].markdown.startswith("See [it](#two), [there](#one).")


def test_emphasis_in_the_text_of_a_field_stays_emphasis() -> None:
    fields = (
        "<dl class='py function'><dt class='sig sig-object py' id='m.f'>"
        "<span class='sig-name descname'>f</span>(a)</dt><dd><dl class='field-list simple'>"
        "<dt>Parameters</dt><dd><ul><li><p><strong>a</strong> (<em>int</em>) \N{EN DASH}</p>"
        "<p>It <em>must</em> be so.</p></li><li><p><strong>b</strong> (<em>list</em>"
        "<em>[</em><em>int</em><em>]</em>) \N{EN DASH} Is <em>not</em> so.</p></li></ul></dd>"
        "<dt>Raises</dt><dd><p><em>OSError</em> \N{EN DASH} If <em>it</em> fails.</p></dd>"
        "<dt>Returns</dt><dd><p>The <em>thing</em>.</p></dd></dl></dd></dl>"
    )
    page = json.dumps({"body": f"<h1>P</h1>{fields}", "title": "P"})
    (made,) = _read({"globalcontext.json": "{}", "p.fjson": page}).pages
    dash = "\N{EN DASH}"
    assert made.markdown.endswith(
        f"**Parameters**\n\n- `a` (`int`) {dash}\n\n  It *must* be so.\n\n"
        f"- `b` (`list[int]`) {dash} Is *not* so.\n\n"
        f"**Raises**\n\n- `OSError` {dash} If *it* fails.\n\n**Returns**\n\nThe *thing*.\n"
    )


def test_damaged_pages_are_noted() -> None:
    imported = _read({**_html("furo"), "objects.inv": b"junk", "bad.html": ""})
    assert [note.place for note in imported.notes if note.kind == "page-empty"] == ["bad.html"]
    assert [note.kind for note in imported.notes] == ["inventory-unreadable", "page-empty"]
    assert imported.name == ""


def test_an_inventory_is_read_as_sphobjinv_reads_it() -> None:
    sphobjinv: Any = import_module("sphobjinv")  # it has no types
    inventory = sphobjinv.Inventory()
    inventory.project, inventory.version = "Thing", "1.2"
    for name, role, uri in (
        ("m.f", "function", "api.html#$"),
        ("m.C f", "method", "api.html#m.C"),
        ("x.y", "data", "a/b.html#-y"),
    ):
        inventory.objects.append(
            sphobjinv.DataObjStr(
                name=name, domain="py", role=role, priority="1", uri=uri, dispname="-"
            )
        )
    found = read_inventory(sphobjinv.compress(inventory.data_file()))
    assert found is not None
    assert (found.project, found.version) == ("Thing", "1.2")
    assert found.objects == {one.uri_expanded: (one.name,) for one in inventory.objects}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"# Sphinx inventory version 1\n\n\n\nx",
        _inventory("a\n")[:-3],
        _inventory("x " * 10**6),
    ],
    ids=["empty", "old", "cut", "one long line"],
)
def test_damaged_inventories_give_nothing(data: bytes) -> None:
    found = read_inventory(data)
    assert found is None or not found.objects


def _markdown(html: str) -> str:
    root = parse_html(html)
    assert root is not None
    return write_parts(outline(HtmlReader().page(root))).markdown.strip()


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "x",
        "<b>" * 100_000 + "x",
        "<ul><li>" * 50_000 + "x",
        "<table><tr><td>" * 50_000 + "x",
        "<" * 500_000,
        "<p a='" * 100_000,
        "<a href='javascript:x'>" * 100_000,
        "<blockquote>" * 300 + "x",
        "&" * 200_000,
    ],
    ids=[
        "div",
        "b",
        "lists",
        "tables",
        "less-than",
        "quotes",
        "anchors",
        "quotations",
        "ampersands",
    ],
)
def test_hostile_html_is_bounded(html: str) -> None:
    assert len(_markdown(f"<body><p>fine</p>{html}")) < 2_000_000


HTML = {
    "scripts and handlers go": ("<p onclick=x>a<script>b</script><style>c</style></p>", "a"),
    "headings nest by their level": (
        "<h2 id=a>A</h2><p>x</p><h3>B</h3>",
        "## A {#a}\n\nx\n\n### B {#b}",
    ),
    "loose text is a paragraph": ("a <b>b</b><p>c</p>d", "a **b**\n\nc\n\nd"),
    "code keeps its bytes": ("<pre>\n a  b\n\n\tc &lt;\n</pre>", "```\n a  b\n\n\tc <\n```"),
    "a language by its class": ('<pre><code class="language-js">x</code></pre>', "```js\nx\n```"),
    "lists": ("<ol start=3><li>a<ul><li>b</li></ul></li></ol>", "3. a\n\n   - b"),
    "definitions": ("<dl><dt>t</dt><dd>m</dd></dl>", "t\n:   m"),
    "a picture and a line end": ("<p>a<br>b<img src=x.png alt=X></p>", "a\\\nb![X](x.png)"),
    "folds": ("<details><summary>More</summary><p>x</p></details>", "**More**\n\nx"),
    "spans": (
        "<table><tr><td colspan=2>a<td>b<tr><td>c</table>",
        "|  |  |  |\n| --- | --- | --- |\n| a |  | b |\n| c |  |  |",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("html", "markdown"), HTML.values(), ids=HTML.keys())
def test_html_becomes_markdown(html: str, markdown: str) -> None:
    assert _markdown(html) == markdown
