"""How an object is signed, and what is said of it."""

from __future__ import annotations

import hashlib
import re

import pytest
from tests.importing.python.conftest import CORE, FILES, page_of, pages_of, read_files, section_of

from doctrove_builder.importing.imported import Options
from doctrove_builder.importing.materialise import Given, materialise
from doctrove_builder.importing.python.kind import read
from doctrove_builder.importing.python.objects import load_package, object_resolver, render_object
from doctrove_builder.importing.source_tree import tree_of
from doctrove_builder.provenance import read_provenance


def test_an_object_stands_under_its_shortest_public_name_with_its_members() -> None:
    page = page_of(read_files(), "api/pkg")
    headings = re.findall(r"(?m)^#{2,3} `(.*?)`", page)
    assert headings == ["Client", "Client.name", "Client.stop", "Client.close", "connect"]
    assert "hidden" not in page
    assert "not_public" not in page


def test_a_class_shows_how_it_is_made_and_what_its_base_says_of_it() -> None:
    section = section_of(page_of(read_files(), "api/pkg"), "Client")
    assert section.startswith(
        "```python\nclass Client(_Base):\n"
        "    def __init__(self, host: str, *, port: int = 80) -> None\n```\n\nA client."
    )
    assert "See [`connect`](#connect)." in section
    assert "\n##### In detail" in section
    assert '```python\nClient("a")  # <b>\n```' in section
    assert "**Parameters**\n\n- `host` (`str`): Where to.\n- `port` (`int`): Which door." in section
    assert section.endswith("**Attributes**\n\n- `retries` (`int`): How often.")


def test_a_function_shows_its_overloads_and_all_sections_of_its_docstring() -> None:
    section = section_of(page_of(read_files(), "api/pkg"), "connect")
    assert section == (
        "```python\n@overload\ndef connect(to: str) -> Client\n"
        "@overload\ndef connect(to: int, /) -> None\n```\n\n"
        "Connect.\n\n"
        "**Returns**\n\n- `Client | None`: A client.\n\n"
        "**Raises**\n\n- `OSError`: If it fails.\n\n"
        '**Examples**\n\n```pycon\n>>> connect("a")\n<Client>\n```\n\n'
        r"**Parameters**" + "\n\n" + r"- `to` (`str | int`): Where to, a \<name>."
    )


def test_a_deprecation_and_a_property_are_shown() -> None:
    page = page_of(read_files(), "api/pkg")
    assert section_of(page, "Client.stop") == (
        "```python\n@deprecated('Use `close`.')\ndef stop(self) -> None\n```\n\n"
        '!!! warning "Deprecated"\n\n    Use `close`.'
    )
    assert section_of(page, "Client.name") == (
        "```python\n@property\ndef name(self) -> str\n```\n\nThe name."
    )


def test_docstrings_in_restructured_text_become_markdown_with_links() -> None:
    section = section_of(page_of(read_files(), "api/pkg/extra"), "spam")
    assert section == (
        "```python\ndef spam(x)\n```\n\n"
        "Do it with [`pkg.connect()`](../pkg.md#connect).\n\n"
        "**Parameters**\n\n- `x` (`int`): The *thing*, see [`Client`](../pkg.md#Client).\n\n"
        "**Returns**\n\nNothing.\n\n"
        "**Added in version 2.0:** Now faster.\n\n"
        "Like so:\n\n```python\nspam(1)\n```"
    )


def test_data_of_a_module_and_bare_signatures() -> None:
    imported = read_files()
    assert "- `LIMIT` (`int`): How many at once." in page_of(imported, "api/pkg")
    assert section_of(page_of(imported, "api/pkg/extra"), "bare") == (
        "```python\ndef bare(a, *b, c=None, **d)\n```"
    )


def test_every_section_names_its_file_its_lines_and_their_hash() -> None:
    tree = tree_of(FILES)
    imported = read(tree, Options(library="pkg", version="1"))
    given = Given(library="pkg", version="1", kind="python", source="pkg")
    provenance = read_provenance(materialise(imported, given, tree).files["provenance.json"])
    assert provenance is not None
    origin = provenance.sections["api/pkg/connect"]
    assert (origin.file, origin.lines) == ("src/pkg/_core.py", (52, 66))
    lines = CORE.split("\n")[51:66]
    assert lines[0] == "def connect("
    assert origin.sha256 == hashlib.sha256("\n".join(lines).encode()).hexdigest()
    assert provenance.symbols["api/pkg/Client.close"] == (
        "pkg.Client.close",
        "Client.close",
    )
    skill = provenance.sections["skills/using/SKILL"]
    assert skill.file == "src/pkg/.agents/skills/using/SKILL.md"


def test_numpy_sections_areread_files() -> None:
    code = '''
def f(x):
    """Sum.

    Parameters
    ----------
    x : ~array_like
        The ``data``.

    Returns
    -------
    float
        The sum.

    Notes
    -----
    Slow.
    """
'''
    page = page_of(read_files({"pkg/__init__.py": code}), "api/pkg")
    assert "- `x` (`array_like`): The `data`." in page
    assert "- `float`: The sum." in page
    assert "Slow." in page


def test_a_stub_gives_types_and_keeps_its_own_place() -> None:
    files = {
        "pkg/__init__.py": '"""P."""\ndef f(x):\n    """F."""\n',
        "pkg/__init__.pyi": "def f(x: int) -> str: ...\ndef only(y: int) -> None: ...\n",
    }
    imported = read_files(files)
    page = page_of(imported, "api/pkg")
    assert "def f(x: int) -> str" in page
    assert "def only(y: int) -> None" in page
    (made,) = imported.pages
    files_named = {origin.file for _, _, origin in made.origins}
    assert files_named == {"pkg/__init__.py", "pkg/__init__.pyi"}


def test_single_objects_are_rendered_for_pages_that_name_them() -> None:
    package = load_package(tree_of(FILES))
    assert render_object(package, "pkg.nothing", 2) is None
    text = render_object(package, "pkg.Client", 3)
    assert text is not None
    assert re.findall(r"(?m)^(#+) `(.*?)` {#(.*?)}", text) == [
        ("###", "Client", "pkg.Client"),
        ("####", "Client.name", "pkg.Client.name"),
        ("####", "Client.stop", "pkg.Client.stop"),
        ("####", "Client.close", "pkg.Client.close"),
    ]
    assert object_resolver(tree_of(FILES))("pkg.extra.bare", 2, None) == (
        "## `bare` {#pkg.extra.bare}\n\n```python\ndef bare(a, *b, c=None, **d)\n```\n"
    )


TEXTS = {
    "a title and indented prompts in reST": (
        "Title\n~~~~~\n\nUse::\n\n    >>> f()\n    1\n",
        "**Title**\n\nUse:\n\n```pycon\n>>> f()\n1\n```",
    ),
    "an open fence in Markdown": ("Say `x`.\n\n~~~\nopen", "Say `x`.\n\n\\~~~\nopen"),
    "prompts in Markdown": (
        "Say `x`.\n>>> f()\n1\n\nMore.",
        "Say `x`.\n\n```pycon\n>>> f()\n1\n```\n\nMore.",
    ),
    "tags that are none": ("Set `x` to <name>, <b>not</b>.", "Set `x` to \\<name>, <b>not</b>."),
    "names in brackets": (
        "See [`f`][pkg.f], [the f][pkg.f], [gone][x.y].",
        "See [`f`](#f), [the f](#f), gone.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("docstring", "markdown"), TEXTS.values(), ids=TEXTS.keys())
def test_docstrings_are_read_in_their_markup(docstring: str, markdown: str) -> None:
    code = f"def f():\n    {docstring!r}\n"
    section = section_of(page_of(read_files({"pkg/__init__.py": code}), "api/pkg"), "f")
    assert section.removeprefix("```python\ndef f()\n```").strip() == markdown


def test_the_docstring_of_a_wrapped_class_is_kept_where_a_stub_has_only_types() -> None:
    make = (
        'class A:\n    """Says."""\n    def f(self):\n        """Does."""\n\nA = wrap(\n    A\n)\n'
    )
    stub = "class A:\n    def f(self) -> int: ...\n"
    init = 'from p._make import A\n__all__ = ["A"]\n'
    pages = pages_of({"p/__init__.py": init, "p/_make.py": make, "p/__init__.pyi": stub})
    assert "class A\n```\n\nSays." in pages["api/p"]
    assert "def f(self) -> int\n```\n\nDoes." in pages["api/p"]


def test_a_list_of_the_values_of_an_enumeration_is_whole() -> None:
    code = 'import enum\nclass E(enum.Enum):\n    A = 1\n    """First."""\n    B = 2\n'
    assert "**Attributes**\n\n- `A`: First.\n- `B`" in pages_of({"p.py": code})["api/p"]
    silent = "import enum\nclass E(enum.Enum):\n    A = 1\n"
    assert "**Attributes**" not in pages_of({"p.py": silent})["api/p"]
