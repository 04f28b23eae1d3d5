"""reStructuredText without a build: what becomes of directives, roles, links, includes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.materialise import Given, materialise
from doctrove_builder.importing.restructured.parsing import parse_rst
from doctrove_builder.importing.source_tree import SourceTree, tree_of
from doctrove_builder.importing.sphinx.configuration import literals
from doctrove_builder.importing.sphinx.kind import read

if TYPE_CHECKING:
    from collections.abc import Mapping

CONF = "raise SystemExit('it was executed')\n"
GOOD_CONF = """
project = "Thing"
version = "1.2"
base = "https://code.example"
extlinks = {"issue": (base + "/issues/%s", "#%s")}
default_role = "py:obj"
exclude_patterns = ["drafts/*"]
release = get_version()
"""


def _read(files: Mapping[str, str], **values: str | SourceTree) -> Imported:
    return read(tree_of(files), Options(library="thing", version="1", values=dict(values)))


def _one(rst: str, **more: str) -> tuple[str, list[str]]:
    """Return the Markdown of a page with a title, and the kinds of its notes."""
    imported = _read({"docs/conf.py": GOOD_CONF, "docs/index.rst": f"T\n=\n\n{rst}", **more})
    (page,) = (page for page in imported.pages if page.path == "index")
    return page.markdown.strip(), [note.kind for note in imported.notes]


CASES = {
    "inline": (
        "*a* **b** ``c`d`` :sub:`2` :file:`x/{y}` `z` :issue:`7` :pep:`8` a\\ b |version| *args*",
        "*a* **b** ``c`d`` <sub>2</sub> `x/{y}` `z` [#7](https://code.example/issues/7) "
        "[PEP 8](https://peps.python.org/pep-0008/) ab 1.2 *args*",
    ),
    "links": (
        "`Text <https://a.example>`_ and name_ and https://b.example.\n\n.. _name: https://c.example",
        "[Text](https://a.example) and [name](https://c.example) and <https://b.example>.",
    ),
    "code with a language": (
        ".. code-block:: toml\n   :caption: ``a.toml``\n\n   [x]\n\n     y = 1",
        '```toml title="a.toml"\n[x]\n\n  y = 1\n```',
    ),
    "a literal block of Python": ("So::\n\n    import x", "So:\n\n```python\nimport x\n```"),
    "a literal block of something else": ("So::\n\n    a b c", "So:\n\n```\na b c\n```"),
    "a session": (">>> 1\n1", "```pycon\n>>> 1\n1\n```"),
    "a note": (".. note::\n   Do *it*.\n\n   Now.", "!!! note\n\n    Do *it*.\n\n    Now."),
    "an admonition with a title": (".. admonition:: Say\n\n   it", '!!! note "Say"\n\n    it'),
    "a version": (".. versionchanged:: 2.0\n   Now *so*.", "**Changed in version 2.0:** Now *so*."),
    "tabs": (
        ".. tabs::\n\n   .. group-tab:: A\n\n      a\n\n   .. code-tab:: py\n\n      b",
        '=== "A"\n\n    a\n\n=== "py"\n\n    ```py\n    b\n    ```',
    ),
    "a table": (
        ".. list-table:: Cap\n   :header-rows: 1\n\n   * - A\n     - B\n   * - 1\n     - | 2\n"
        "       | 3",
        "**Cap**\n\n| A | B |\n| --- | --- |\n| 1 | 2<br>3 |",
    ),
    "a definition list and fields": (
        "Term : kind\n    Means.\n\n:param int x: It.\n:raises E: Bad.\n:rtype: str",
        "Term : *kind*\n:   Means.\n\n**Parameters**\n\n- `x` (`int`): It.\n\n"
        "**Raises**\n\n- `E`: Bad.\n\n**Returns**\n\n`str`",
    ),
    "a glossary": (
        ".. glossary::\n\n   a\n   b\n      Both.\n   c\n      See.",
        "a, b\n:   Both.\n\nc\n:   See.",
    ),
    "an indented list is no quotation": ("Para\n\n  - a\n  - b", "Para\n\n- a\n- b"),
    "a footnote": ("See [#x]_.\n\n.. [#x] Foot.", "See[^1].\n\n[^1]: Foot."),
    "an object": (
        ".. py:module:: m\n\n.. py:class:: C(a)\n\n   A class.\n\n   .. py:method:: f(b) -> int\n"
        "      :classmethod:\n\n      A method, see :class:`C`.",
        "## `C` {#m.C}\n\n```python\nclass C(a)\n```\n\nA class.\n\n"
        "### `C.f` {#m.C.f}\n\n```python\nclassmethod f(b) -> int\n```\n\n"
        "A method, see [`C`](#m.C).",
    ),
    "drawings are left out": (".. graphviz::\n\n   digraph {}\n\nText.", "Text."),
    "raw HTML is left out": (".. raw:: html\n\n   <script>x</script>\n\nText.", "Text."),
    "an unknown directive keeps its text": (".. strange:: arg\n\n   Its *text*.", "Its *text*."),
    "an unknown role keeps its text": ("Say :strange:`it`.", "Say `it`."),
}  # fmt: skip


@pytest.mark.parametrize(("rst", "markdown"), CASES.values(), ids=CASES.keys())
def test_restructured_text_becomes_markdown(rst: str, markdown: str) -> None:
    made, _ = _one(rst)
    assert made == markdown


def test_what_is_left_out_is_noted() -> None:
    text = ".. strange::\n\n.. graphviz::\n\n   x\n\nSay :odd:`x` and :ref:`gone`.\n\n* a\nb"
    _, kinds = _one(text)
    assert sorted(kinds) == [
        "directive-dropped",
        "directive-unknown",
        "link-missing",
        "role-unknown",
    ]


def test_pages_stand_in_the_order_of_the_toctrees_and_link_to_each_other() -> None:
    imported = _read(
        {
            "docs/conf.py": GOOD_CONF,
            "docs/index.rst": "Home\n====\n\nSee :doc:`guide/index`.\n\n"
            ".. toctree::\n   :maxdepth: 2\n\n   zeta\n   Named <guide/index>\n   guide/*\n",
            "docs/alone.rst": "Alone\n=====\n\ntext\n",
            "docs/zeta.rst": "Zeta\n====\n\n.. _a label:\n\nDeep\n----\n\n"
            "`Up <guide/more.html#low>`_\n",
            "docs/guide/index.rst": "Guide\n=====\n\nSee :ref:`a label`, :ref:`it <a label>`.\n",
            "docs/guide/more.rst": "More\n====\n\nLow\n---\n\ntext\n",
            "docs/drafts/not.rst": "Not\n===\n\ntext\n",
        }
    )
    assert [(page.path, page.title) for page in imported.pages] == [
        ("index", "Home"),
        ("zeta", "Zeta"),
        ("guide", "Guide"),
        ("guide/more", "More"),
        ("alone", "Alone"),
    ]
    texts = {page.path: page.markdown for page in imported.pages}
    assert texts["index"] == "See [Guide](guide.md).\n"
    assert texts["guide"] == "See [Deep](zeta.md#deep), [it](zeta.md#deep).\n"
    assert texts["zeta"] == "## Deep {#deep}\n\n[Up](guide/more.md#low)\n"
    assert imported.name == "Thing"


def test_sections_know_their_lines_those_of_included_files_too() -> None:
    imported = _read(
        {
            "docs/index.rst": "T\n=\n\nlead\n\nA\n-\n\na\n\n.. include:: part.inc\n\nB\n-\n\n"
            ".. literalinclude:: ../x.py\n   :pyobject: f\n",
            "docs/part.inc": "In\n--\n\nthere\n",
            "x.py": "import a\n\n\n@a.b\ndef f():\n    return 1\n\n\ng = 2\n",
        }
    )
    (page,) = imported.pages
    assert [(origin.file, origin.lines) for _, _, origin in page.origins] == [
        ("docs/index.rst", (1, 5)),
        ("docs/index.rst", (6, 12)),
        ("docs/part.inc", (1, 1)),
        ("docs/index.rst", (13, 18)),
    ]
    assert "```python\n@a.b\ndef f():\n    return 1\n```" in page.markdown
    (include,) = page.origins[-1][2].includes
    assert (include.file, include.lines) == ("x.py", (4, 6))


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (":lines: 1,3-", "a\nc\nd"),
        (":start-after: a\n   :end-before: d", "b\nc"),
        (":start-at: b\n   :end-at: c", "b\nc"),
        (":lines: 99999999-", ""),
    ],
    ids=["lines", "between", "including", "beyond the end"],
)
def test_lines_of_files_are_chosen(options: str, code: str) -> None:
    text = f".. literalinclude:: x.txt\n   {options}\n\nEnd."
    made, _ = _one(text, **{"docs/x.txt": "a\nb\nc\nd\n"})
    assert made == (f"```\n{code}\n```\n\nEnd." if code else "End.")


def test_autodoc_takes_objects_from_a_package_and_links_to_them() -> None:
    package = tree_of(
        {"m/__init__.py": 'class C:\n    """Say."""\n    def f(self):\n        """Do."""\n'}
    )
    files = {
        "docs/index.rst": "T\n=\n\n.. currentmodule:: m\n\nSee :meth:`C.f`.\n\n"
        ".. autoclass:: C\n   :members:\n\n   More.\n\n.. autofunction:: gone\n"
    }
    imported = _read(files, package=package)
    (page,) = imported.pages
    assert "See [`C.f()`](#m.C.f).\n\n`gone`\n\n## `C` {#m.C}" in page.markdown
    assert "Say.\n\nMore.\n\n### `C.f` {#m.C.f}" in page.markdown
    assert page.symbols["m.C.f"] == ("m.C.f", "C.f")
    assert [note.place for note in imported.notes] == ["docs/index.rst:13"]


@pytest.mark.parametrize("name", ["p.m.C", "C"], ids=["in full", "below its module"])
def test_members_below_an_automatic_class_are_those_of_the_class(name: str) -> None:
    package = tree_of(
        {
            "p/__init__.py": "",
            "p/m.py": 'class C:\n    """Say."""\n    def f(self):\n        """Do."""\n',
        }
    )
    files = {
        "docs/index.rst": f"T\n=\n\n.. currentmodule:: p.m\n\n.. autoclass:: {name}\n\n"
        "   .. automethod:: f(x)\n\n   .. attribute:: a\n\n      An *a*.\n"
    }
    imported = _read(files, package=package)
    (page,) = imported.pages
    assert "### `C.f` {#p.m.C.f}" in page.markdown
    assert "### `C.a` {#p.m.C.a}\n\n```python\na\n```\n\nAn *a*." in page.markdown
    assert not imported.notes


def test_headings_that_begin_with_numbers_have_anchors_of_their_text() -> None:
    made, _ = _one("1.2.0 (2024-08-29)\n------------------\n\nNew.\n\n1.1\n---\n\nOld.\n")
    assert re.findall(r"{#(.*?)}", made) == ["120-2024-08-29", "11"]


def test_rules_between_sections_are_left_out() -> None:
    made, _ = _one("Before.\n\n----\n\nAfter.\n\n----\n\nA\n-\n\nText.\n")
    assert made == "Before.\n\n---\n\nAfter.\n\n## A {#a}\n\nText."


def test_a_configuration_is_data_and_is_never_run() -> None:
    assert literals(GOOD_CONF)["extlinks"] == {"issue": ["https://code.example/issues/%s", "#%s"]}
    assert "release" not in literals(GOOD_CONF)
    assert _read({"docs/conf.py": CONF, "docs/index.rst": "T\n=\n\nx\n"}).pages
    assert literals("(" * 10_000) == {}


HOSTILE = {
    "an include that climbs out": ".. include:: ../../../../etc/passwd",
    "an include by absolute path": ".. include:: /etc/passwd",
    "an include of itself": ".. include:: index.rst",
    "a literal include that climbs out": ".. literalinclude:: ../../etc/passwd",
    "a table from a file": ".. csv-table::\n   :file: /etc/passwd",
    "a table from an address": ".. csv-table::\n   :url: http://127.0.0.1/x",
    "substitutions within each other": "|a|\n\n.. |a| replace:: |b| |b|\n.. |b| replace:: |a| |a|",
    "substitutions that grow": "|a9|\n\n"
    + "\n".join(f".. |a{n + 1}| replace:: {f'|a{n}| ' * 10}" for n in range(9))
    + "\n.. |a0| replace:: x",
    "deep quotes": "\n\n".join(" " * n + "x" for n in range(400)),
    "deep lists": "\n\n".join(" " * (2 * n) + "* x" for n in range(400)),
    "a long line": "x" * 30_000,
    "many stars": "*a " * 5_000,
}


@pytest.mark.parametrize("rst", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_bounded_and_reads_nothing_outside(rst: str) -> None:
    parsed = parse_rst(
        f"T\n=\n\n{rst}\n",
        file="docs/index.rst",
        read_file={"docs/index.rst": f"T\n=\n\n{rst}\n"}.get,
    )
    assert "root:" not in repr(parsed.blocks)


def test_a_source_without_documentation_is_refused() -> None:
    with pytest.raises(NothingImported, match="no built documentation"):
        _read({"notes.txt": "x"})


def test_a_copyright_line_is_no_list() -> None:
    assert _one(":license: (c) 2020 by X") == (r"license" + "\n:   (c) 2020 by X", [])


def test_markdown_beside_restructured_text_is_read_too() -> None:
    imported = _read(
        {
            "docs/conf.py": GOOD_CONF,
            "docs/index.md": "# Home\n\nHello.\n",
            "docs/api.rst": "API\n===\n\n.. py:function:: f()\n\n   Does.\n",
        }
    )
    assert [(page.path, page.title) for page in imported.pages] == [
        ("index", "Home"),
        ("api", "API"),
    ]
    assert imported.pages[1].symbols == {"f": ("f",)}


@pytest.mark.parametrize(
    "rst",
    [
        pytest.param("\n\n".join(f"{' ' * n}x{n}" for n in range(40)), id="quotes"),
        pytest.param("\n\n".join(f"{'  ' * n}* x{n}" for n in range(40)), id="lists"),
    ],
)
def test_what_is_nested_too_deep_stays_as_text_that_a_build_reads(rst: str) -> None:
    tree = tree_of({"docs/conf.py": "", "docs/index.rst": f"T\n=\n\n{rst}\n"})
    imported = read(tree, Options(library="x", version="1"))
    given = Given(library="x", version="1", kind="sphinx", source="source")
    noted = [note.kind for note in materialise(imported, given, tree).coverage.notes]
    assert noted == ["nesting-dropped"]
    assert imported.pages[0].markdown.split()[-1] == "x39"


@pytest.mark.parametrize(
    ("include", "kind"),
    [
        pytest.param("gone.inc", "include-missing", id="missing"),
        pytest.param("index.rst", "include-circle", id="circular"),
    ],
)
def test_an_include_of_nothing_or_of_itself_is_noted_once(include: str, kind: str) -> None:
    assert _one(f"x\n\n.. include:: {include}") == ("x", [kind])


def test_a_limit_of_includes_is_said_once() -> None:
    text = ".. include:: part.inc\n\n" * 60
    shown, noted = _one(text, **{"docs/part.inc": "Line.\n"})
    assert (shown.count("Line."), noted) == (50, ["include-dropped"])


def test_a_page_that_cannot_be_read_is_named() -> None:
    deep = "\n\n".join(" " * n + "x" for n in range(400))
    reason = r"docs/index\.rst:1: it is not read: nested too deeply; split it"
    with pytest.raises(NothingImported, match=reason):
        _read({"docs/conf.py": "", "docs/index.rst": f"T\n=\n\n{deep}\n"})
