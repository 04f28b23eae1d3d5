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
