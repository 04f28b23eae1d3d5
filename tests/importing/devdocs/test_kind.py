"""A set of DevDocs becomes pages: code exact, links between pages, names as symbols, no chrome."""

from __future__ import annotations

import json

import pytest

from doctrove_builder.importing.devdocs.kind import KIND, read
from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.option_values import make_options
from doctrove_builder.importing.source_tree import tree_of

ATTRIBUTION = """<div class="_attribution"><p class="_attribution-p">&copy; 2026 Acme<br>
Licensed under the MIT License.<br><a href="https://acme.example/{0}" class="_attribution-link"
>https://acme.example/{0}</a></p></div>"""
PAGES = {
    "lib/tools": '<h1>Tools</h1><p>All <code>tools</code>.</p><h2 id="run">run()</h2>'
    '<pre data-language="python">def run(a &lt; b):\n\n    return "x"  \n</pre>'
    '<p><a href="../index">home</a> <a href="other#b">b</a> <a href="gone">gone</a></p>'
    "<script>alert(1)</script>" + ATTRIBUTION.format("lib/tools"),
    "index": '<h1>Acme</h1><p>See <a href="lib/tools#run">run</a>.</p>' + ATTRIBUTION.format(""),
    "lib/other": '<p>No title.</p><h2>A</h2><p>a</p><h2 id="b">B</h2><p>b</p>',
}
ENTRIES = [
    {"name": "Tools", "path": "lib/tools", "type": "t"},
    {"name": "tools.run()", "path": "lib/tools#run", "type": "t"},
    {"name": "Other", "path": "lib/other", "type": "t"},
]


def imported(database: object, entries: object = None, **written: str) -> Imported:
    files = {
        "acme/db.json": json.dumps(database),
        "acme/index.json": json.dumps({"entries": ENTRIES if entries is None else entries}),
        "acme/meta.json": json.dumps({"name": "Acme", "links": {"home": "https://acme.example/"}}),
    }
    options = make_options(
        KIND, written, library="acme", version="1", open_tree=lambda _: tree_of({})
    )
    return read(tree_of(files), options)


def test_pages_are_read_with_their_code_links_and_names() -> None:
    result = imported(PAGES)
    pages = {page.path: page for page in result.pages}
    assert list(pages) == ["index", "lib/tools", "lib/other"]
    tools = pages["lib/tools"]
    assert tools.markdown == (
        "All `tools`.\n\n## run() {#run}\n\n"
        '```python\ndef run(a < b):\n\n    return "x"  \n```\n\n'
        "[home](../index.md) [b](other.md#b) gone\n"
    )
    assert tools.symbols == {"": ("Tools",), "run": ("tools.run()",)}
    assert tools.url == "https://acme.example/lib/tools"
    assert tools.origins[0][2].file == "acme/db.json#lib/tools"
    assert pages["index"].markdown == "See [run](lib/tools.md#run).\n"
    assert [note.message for note in result.notes] == [
        "the link to 'gone' leads nowhere; its text is kept"
    ]


def test_what_is_said_of_the_origin_is_kept_apart_from_the_text() -> None:
    result = imported(PAGES)
    assert result.licenses == {"ATTRIBUTION.txt": "© 2026 Acme Licensed under the MIT License.\n"}
    assert not any("MIT" in page.markdown for page in result.pages)
    assert (result.name, result.homepage) == ("Acme", "https://acme.example/")


def test_pages_may_be_chosen() -> None:
    assert [page.path for page in imported(PAGES, include="lib/o").pages] == ["lib/other"]


@pytest.mark.parametrize(
    ("database", "paths"),
    [
        ({"a": "<p>a</p>", "A": "<p>b</p>"}, ["a", "A-2"]),
        ({"a/../../b": "<p>a</p>", "/etc/x": "<p>a</p>"}, ["a/page/page/b", "page/etc/x"]),
        ({"a": 3, "b": None, "c": "<p>c</p>"}, ["c"]),
        ({"a": "<div>" * 5000 + "deep", "b": "<p>\x00</p>text"}, ["b"]),
    ],
    ids=["alike", "climbing", "wrong", "deep"],
)
def test_hostile_sets_are_read_as_far_as_they_go(
    database: dict[str, object], paths: list[str]
) -> None:
    result = imported(database)
    assert [page.path for page in result.pages] == paths
    left_out = {"page-empty", "page-unreadable"}
    assert sum(note.kind in left_out for note in result.notes) == len(database) - len(paths)


@pytest.mark.parametrize(
    "entries", [3, [3], [{}], [{"path": "#x", "name": 1}], [{"path": "nowhere", "name": "x"}]],
    ids=repr,
)  # fmt: skip
def test_an_index_of_the_wrong_form_gives_no_names(entries: object) -> None:
    assert all(not page.symbols for page in imported(PAGES, entries).pages)


def test_what_is_no_set_is_refused() -> None:
    with pytest.raises(NothingImported):
        read(tree_of({"index.json": "{}"}), Options())
    with pytest.raises(NothingImported):
        imported([])


def test_a_link_that_a_term_has_to_itself_is_its_text() -> None:
    page = (
        '<h1>A</h1><dl><dt id="v"><a href="#v"><code>-v</code></a></dt><dd>See <a href="#w">w</a>.'
        '</dd></dl><p id="w">W.</p>'
    )
    assert imported({"a": page}).pages[0].markdown == "`-v`\n:   See [w](a.md).\n\nW.\n"
