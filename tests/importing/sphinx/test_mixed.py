"""Documentation in reStructuredText and Markdown: links both ways, the order of the toctrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from doctrove_builder.importing.imported import Options
from doctrove_builder.importing.python.kind import read as read_python
from doctrove_builder.importing.source_tree import tree_of
from doctrove_builder.importing.sphinx.kind import read as read_sphinx

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_builder.importing.imported import Imported
    from doctrove_builder.importing.source_tree import SourceTree

FILES = {
    "docs/conf.py": "project = 'x'\n",
    "docs/index.rst": (
        "Top\n===\n\n:doc:`m` :ref:`part` :ref:`so <part>` :ref:`whole`\n\n"
        ".. toctree::\n\n   m\n   r\n"
    ),
    "docs/m.md": (
        "(whole)=\n# M `code`\n\nSee {ref}`rst` {ref}`so <rst>` {doc}`r` {doc}`/sub/deep` "
        "[r](r.rst) [d](sub/deep.rst#part-two)\n\n(part)=\n## Part *one*\n\nText.\n\n"
        "```{toctree}\n:glob:\nsub/*\n```\n"
    ),
    "docs/r.rst": "R\n=\n\n`m <m.md>`_ `h <m.md#part-one>`__\n\n.. _rst:\n\nIn R\n----\n\nText.\n",
    "docs/sub/deep.rst": "Deep\n====\n\n:doc:`/m` :doc:`../m`\n\nPart two\n--------\n\nText.\n",
    "docs/a.md": "# A\n\nNo toctree names it.\n",
}
PYTHON = {
    "pyproject.toml": "[project]\nname = 'x'\nversion = '1'\n",
    "x/__init__.py": '"""Doc."""\n',
    "README.md": "# X\n\nText.\n",
}


@pytest.mark.parametrize(
    ("read", "more"),
    [pytest.param(read_sphinx, {}, id="sphinx"), pytest.param(read_python, PYTHON, id="python")],
)
def test_markdown_and_restructured_text_lead_to_each_other_in_the_order_of_the_toctrees(
    read: Callable[[SourceTree, Options], Imported], more: dict[str, str]
) -> None:
    imported = read(tree_of({**FILES, **more}), Options(library="x", version="1"))
    pages = {page.path: page.markdown.split("\n")[0] for page in imported.pages}
    own = [path for path in pages if path not in {"project", "api/x"}]
    assert own == ["index", "m", "sub/deep", "r", "a"]
    assert (
        pages["index"]
        == "[M code](m.md) [Part one](m.md#part-one) [so](m.md#part-one) [M code](m.md)"
    )
    assert pages["m"] == (
        "See [In R](r.md#in-r) [so](r.md#in-r) [R](r.md) [Deep](sub/deep.md) [r](r.md) "
        "[d](sub/deep.md#part-two)"
    )
    assert pages["r"] == "[m](m.md) [h](m.md#part-one)"
    assert pages["sub/deep"] == "[M code](../m.md) [M code](../m.md)"
    assert [note.kind for note in imported.notes] == []


OBJECTS = {
    "docs/conf.py": "",
    "docs/index.rst": (
        "Top\n===\n\n:func:`acme.frozen` and :func:`acme.only`\n\n"
        ".. toctree::\n\n   api\n   use\n   hollow\n"
    ),
    "docs/api.rst": (
        "API\n===\n\n.. py:function:: acme.frozen()\n\n   Freeze.\n\n"
        ".. py:class:: acme.Box\n\n   A box.\n\n   .. py:method:: open()\n\n      Open it.\n"
    ),
    "docs/hollow.rst": "Hollow\n======\n\n.. toctree::\n\n   use\n",
    "README.md": "# Acme\n\nSee [use](docs/use.md) and [the API](docs/api.rst).\n",
}
SOURCE = {
    "pyproject.toml": "[project]\nname = 'acme'\nversion = '1'\n",
    "acme/__init__.py": (
        '"""Doc."""\ndef frozen():\n    """Freeze."""\ndef only():\n    """One."""\n'
        'class Box:\n    """A box."""\n    def open(self):\n        """Open it."""\n'
    ),
}


def _use(text: str, *, python: bool = False) -> str:
    page = (
        f"# Use\n\n## Own {{func}}`acme.frozen`\n\n{text}\n\n```{{autofunction}} acme.only\n```\n"
    )
    files = {**OBJECTS, **(SOURCE if python else {}), "docs/use.md": page}
    read = read_python if python else read_sphinx
    imported = read(tree_of(files), Options(library="acme", version="1"))
    markdown = next(one.markdown for one in imported.pages if one.path == "use")
    return markdown.split("\n")[2]


@pytest.mark.parametrize(
    ("written", "linked"),
    [
        pytest.param("[](acme.frozen)", "[`acme.frozen`](api.md#acme.frozen)", id="no-text"),
        pytest.param("[so](acme.frozen)", "[so](api.md#acme.frozen)", id="text"),
        pytest.param("[](#acme.Box)", "[`acme.Box`](api.md#acme.Box)", id="fragment"),
        pytest.param("<project:#acme.Box>", "[`acme.Box`](api.md#acme.Box)", id="autolink"),
        pytest.param("`<project:#acme.Box>`", "`<project:#acme.Box>`", id="code"),
        pytest.param("[](acme.nothing)", "`acme.nothing`", id="unknown"),
        pytest.param("<inv:python#dict>", "`dict`", id="elsewhere"),
        pytest.param("{func}`acme.frozen`", "[`acme.frozen()`](api.md#acme.frozen)", id="role"),
        pytest.param("{py:class}`~acme.Box`", "[`Box`](api.md#acme.Box)", id="short"),
        pytest.param("{meth}`Box.open`", "[`Box.open()`](api.md#acme.Box.open)", id="relative"),
        pytest.param("{class}`a box <acme.Box>`", "[`a box`](api.md#acme.Box)", id="role-text"),
        pytest.param("{class}`!acme.Box`", "`acme.Box`", id="not-wanted"),
        pytest.param("{func}`acme.nothing`", "`acme.nothing()`", id="role-unknown"),
        pytest.param("{c:func}`frozen`", "`frozen()`", id="other-domain"),
        pytest.param(
            "[see {func}`acme.frozen`](api.rst)", "[see `acme.frozen()`](api.md)", id="in-a-link"
        ),
        pytest.param("{func}`acme.only`", "[`acme.only()`](#own-acmefrozen)", id="placed-here"),
    ],
)
def test_names_of_objects_lead_to_their_sections_or_become_code(written: str, linked: str) -> None:
    assert _use(written) == linked


def test_names_of_objects_lead_to_the_sections_of_the_api() -> None:
    assert _use("[](acme.frozen) {func}`acme.only`", python=True) == (
        "[`acme.frozen`](api/acme.md#frozen) [`acme.only()`](api/acme.md#only)"
    )


def test_restructured_text_leads_to_objects_that_markdown_places_and_says_what_is_empty() -> None:
    page = "# Use\n\n```{autofunction} acme.only\n```\n"
    files = {**OBJECTS, "docs/use.md": page}
    imported = read_sphinx(tree_of(files), Options(library="acme", version="1"))
    assert imported.pages[0].markdown.strip() == (
        "[`acme.frozen()`](api.md#acme.frozen) and [`acme.only()`](use.md)"
    )
    empty = [note.place for note in imported.notes if note.kind == "page-empty"]
    assert empty == ["docs/hollow.rst"]


def test_a_readme_beside_a_front_page_leads_to_the_pages_of_the_documentation() -> None:
    files = {**OBJECTS, **SOURCE, "docs/use.md": "# Use\n\nText, see [it](../README.md).\n"}
    imported = read_python(tree_of(files), Options(library="acme", version="1"))
    pages = {page.path: page.markdown for page in imported.pages}
    assert pages["project"] == "See [use](use.md) and [the API](api.md)."
    assert pages["use"] == "Text, see [it](project.md)."
