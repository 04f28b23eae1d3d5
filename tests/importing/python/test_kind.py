"""A package in memory becomes pages: what is public, how it is signed, what is said of it."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.importing.errors import NothingImported, OptionRefused
from doctrove_builder.importing.imported import Options
from doctrove_builder.importing.materialise import Given, materialise
from doctrove_builder.importing.python.kind import KIND, read
from doctrove_builder.importing.python.objects import load_package, object_resolver, render_object
from doctrove_builder.importing.source_tree import tree_of
from doctrove_builder.provenance import read_provenance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.importing.imported import Imported

SETUP = "raise SystemExit('it was executed')\n"
INIT = '''"""The package.

It does `things`.
"""
from pkg._core import Client as Client, connect
from pkg import extra

__all__ = ["Client", "connect", "LIMIT"]

#: How many at once.
LIMIT: int = 10
'''
CORE = '''
from typing import Annotated, overload
from typing_extensions import Doc, deprecated


class _Base:
    def __init__(self, host: str, *, port: int = 80) -> None:
        """Open nothing yet.

        Args:
            host: Where to.
            port: Which door.
        """

    def close(self) -> None:
        """Close."""

    def _hidden(self) -> None:
        """Hidden."""


class Client(_Base):
    """A client.

    See [`connect`][pkg.connect].

    ## In detail

    ```python
    Client("a")  # <b>
    ```
    """

    retries: int = 3
    """How often."""

    @property
    def name(self) -> str:
        """The name."""

    def __len__(self) -> int:
        return 0

    @deprecated("Use `close`.")
    def stop(self) -> None: ...


@overload
def connect(to: str) -> Client: ...
@overload
def connect(to: int, /) -> None: ...
def connect(
    to: Annotated[str | int, Doc("""Where to, a <name>.""")], *, timeout: float = 1.0
) -> Client | None:
    """Connect.

    Returns:
        A client.

    Raises:
        OSError: If it fails.

    Examples:
        >>> connect("a")
        <Client>
    """


if __name__ == "__main__":
    def not_public(): ...
'''
EXTRA = '''"""More.

Parameters in reST: ``x``.
"""

def spam(x):
    """Do it with :func:`pkg.connect`.

    :param x: The *thing*, see :class:`~pkg.Client`.
    :type x: int
    :returns: Nothing.

    .. versionadded:: 2.0
       Now faster.

    Like so::

        spam(1)
    """

def bare(a, *b, c=None, **d): pass
'''
FILES: Mapping[str, str] = {
    "setup.py": SETUP,
    "PKG-INFO": "Metadata-Version: 2.1\nName: pkg\nVersion: 1\nSummary: A thing\n"
    "License: MIT\nProject-URL: Source, https://code.example/pkg\n",
    "README.md": "# Pkg\n\nHello.\n",
    "src/pkg/__init__.py": INIT,
    "src/pkg/_core.py": CORE,
    "src/pkg/extra.py": EXTRA,
    "src/pkg/broken.py": "def f(:\n",
    "src/pkg/tests/test_x.py": "def test_x(): ...\n",
    "src/pkg/.agents/skills/using/SKILL.md": "---\nname: using\n---\n# Using\n\nLike this.\n",
}


def _read(files: Mapping[str, str] = FILES, **values: str | bool) -> Imported:
    return read(tree_of(files), Options(library="pkg", version="1", values=dict(values)))


def _page(imported: Imported, path: str) -> str:
    return next(page.markdown for page in imported.pages if page.path == path)


def _section(markdown: str, anchor: str) -> str:
    found = re.search(rf"(?m)^#+ .*{{#{re.escape(anchor)}}}\n(?s:(.*?))(?=^#{{2,3}} |\Z)", markdown)
    assert found, f"no section {anchor} in:\n{markdown}"
    return found[1].strip()


def test_pages_are_those_of_public_modules_and_of_what_is_beside_them() -> None:
    imported = _read()
    assert [page.path for page in imported.pages] == [
        "index",
        "skills/using/SKILL",
        "api/pkg",
        "api/pkg/extra",
    ]
    assert (imported.name, imported.license, imported.repository) == (
        "pkg",
        "MIT",
        "https://code.example/pkg",
    )
    assert [note.place for note in imported.notes if note.kind == "module-unreadable"] == [
        "src/pkg/broken.py:1"
    ]
    assert imported.counts["api objects without documentation"] == 1


def test_an_object_stands_under_its_shortest_public_name_with_its_members() -> None:
    page = _page(_read(), "api/pkg")
    headings = re.findall(r"(?m)^#{2,3} `(.*?)`", page)
    assert headings == ["Client", "Client.name", "Client.stop", "Client.close", "connect"]
    assert "hidden" not in page
    assert "not_public" not in page


def test_a_class_shows_how_it_is_made_and_what_its_base_says_of_it() -> None:
    section = _section(_page(_read(), "api/pkg"), "Client")
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
    section = _section(_page(_read(), "api/pkg"), "connect")
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
    page = _page(_read(), "api/pkg")
    assert _section(page, "Client.stop") == (
        "```python\n@deprecated('Use `close`.')\ndef stop(self) -> None\n```\n\n"
        '!!! warning "Deprecated"\n\n    Use `close`.'
    )
    assert _section(page, "Client.name") == (
        "```python\n@property\ndef name(self) -> str\n```\n\nThe name."
    )


def test_docstrings_in_restructured_text_become_markdown_with_links() -> None:
    section = _section(_page(_read(), "api/pkg/extra"), "spam")
    assert section == (
        "```python\ndef spam(x)\n```\n\n"
        "Do it with [`pkg.connect()`](../pkg.md#connect).\n\n"
        "**Parameters**\n\n- `x` (`int`): The *thing*, see [`Client`](../pkg.md#Client).\n\n"
        "**Returns**\n\nNothing.\n\n"
        "**Added in version 2.0:** Now faster.\n\n"
        "Like so:\n\n```python\nspam(1)\n```"
    )


def test_data_of_a_module_and_bare_signatures() -> None:
    imported = _read()
    assert "- `LIMIT` (`int`): How many at once." in _page(imported, "api/pkg")
    assert _section(_page(imported, "api/pkg/extra"), "bare") == (
        "```python\ndef bare(a, *b, c=None, **d)\n```"
    )


def test_objects_without_documentation_are_left_out_when_asked() -> None:
    imported = _read(FILES, **{"documented-only": True, "api-only": True})
    assert [page.path for page in imported.pages] == ["api/pkg", "api/pkg/extra"]
    assert "bare" not in _page(imported, "api/pkg/extra")


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


def test_numpy_sections_are_read() -> None:
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
    page = _page(_read({"pkg/__init__.py": code}), "api/pkg")
    assert "- `x` (`array_like`): The `data`." in page
    assert "- `float`: The sum." in page
    assert "Slow." in page


def test_a_stub_gives_types_and_keeps_its_own_place() -> None:
    files = {
        "pkg/__init__.py": '"""P."""\ndef f(x):\n    """F."""\n',
        "pkg/__init__.pyi": "def f(x: int) -> str: ...\ndef only(y: int) -> None: ...\n",
    }
    imported = _read(files)
    page = _page(imported, "api/pkg")
    assert "def f(x: int) -> str" in page
    assert "def only(y: int) -> None" in page
    (made,) = imported.pages
    files_named = {origin.file for _, _, origin in made.origins}
    assert files_named == {"pkg/__init__.py", "pkg/__init__.pyi"}


def test_namespace_packages_and_packages_without_init_are_found() -> None:
    files = {"ns/one/__init__.py": "def f(): ...\n", "ns/one/sub/mod.py": "def g(): ...\n"}
    assert [page.path for page in _read(files).pages] == ["api/ns/one", "api/ns/one/sub/mod"]


def test_a_name_that_leads_in_a_circle_is_left_out() -> None:
    files = {
        "pkg/__init__.py": "from pkg.a import x\n__all__ = ['x', 'y']\ndef y(): ...\n",
        "pkg/a.py": "from pkg.b import x\n",
        "pkg/b.py": "from pkg.a import x\n",
    }
    assert re.findall(r"(?m)^## `(.*?)`", _page(_read(files), "api/pkg")) == ["y"]


@pytest.mark.parametrize(
    "code",
    ["(" * 5000, "x = " + "-" * 100_000 + "1\n", "\x00", "class A(A): ...\n" * 3, "\udcff"],
    ids=["open brackets", "signs", "a null byte", "a class of itself", "no text"],
)
def test_hostile_code_is_noted_or_read_but_never_run(code: str) -> None:
    files: dict[str, str] = {"pkg/__init__.py": "def ok():\n    '''Fine.'''\n"}
    tree = tree_of({**files, "pkg/bad.py": code.encode("utf-8", "surrogateescape")})
    imported = read(tree, Options(library="pkg", version="1"))
    assert "api/pkg" in [page.path for page in imported.pages]


def test_tests_are_left_out_and_what_users_test_with_is_read() -> None:
    imported = _read(
        {
            "pkg/__init__.py": "",
            "pkg/test.py": 'def client():\n    """For your tests."""\n',
            "pkg/more/__init__.py": "",
            "pkg/more/tests.py": "import unittest\n\nclass TestMore(unittest.TestCase): ...\n",
            "pkg/tests/__init__.py": "",
            "pkg/tests/kit.py": "def kit(): ...\n",
            "pkg/tests/test_x.py": "def test_x(): ...\n",
            "kit/__init__.py": "",
            "kit/test/__init__.py": "",
            "kit/test/client.py": "class Client: ...\n",
        }
    )
    assert [page.path for page in imported.pages] == ["api/kit/test/client", "api/pkg/test"]


def test_objects_that_the_documentation_places_are_links_to_their_sections() -> None:
    imported = _read(
        {
            **FILES,
            "docs/guide/api.md": "# API\n\n## Client\n\n::: pkg.Client\n\n## Old\n\n::: pkg.gone\n",
        }
    )
    page = _page(imported, "guide/api")
    assert "[`pkg.Client`](../api/pkg.md#Client)" in page
    assert "\n`pkg.gone`" in page
    assert [note.message for note in imported.notes if note.kind == "object-unresolved"] == [
        "pkg.gone is only named"
    ]
    assert imported.counts["api objects linked"] == 1


@pytest.mark.parametrize(
    ("docs", "path"),
    [("docs/guide.md", "index"), ("docs/index.md", "project")],
    ids=["without a front page", "with one"],
)
def test_a_readme_is_a_page_that_links_to_the_documentation(docs: str, path: str) -> None:
    imported = _read(
        {
            **FILES,
            "README.md": f"# README\n[![x](https://img.shields.io/x.svg)](https://x.example)\n\n"
            f"See [the guide]({docs}#use).\n",
            docs: "# Guide\n\nText.\n\n## Use\n\nLike this.\n",
        }
    )
    page = next(page for page in imported.pages if page.path == path)
    target = docs.removeprefix("docs/")
    assert (page.title, page.markdown) == ("pkg", f"See [the guide]({target}#use).")
    assert {origin.file for _, _, origin in page.origins} == {"README.md"}


@pytest.mark.parametrize(
    ("more", "path"),
    [({}, "license"), ({"docs/license.md": "# License\n\nMIT.\n"}, "license-text")],
    ids=["alone", "beside a page of its name"],
)
def test_the_texts_of_licences_are_a_page(more: Mapping[str, str], path: str) -> None:
    text = "Copyright A\n\nPermission is hereby granted, free of charge, to any person obtaining "
    text += "a copy\n"
    imported = _read({**FILES, **more, "LICENSE": text})
    page = imported.pages[-1]
    assert (page.path, page.title) == (path, "License")
    assert page.markdown == (f'The license is `MIT`.\n\n```text title="LICENSE"\n{text}```\n')
    assert [(first, last, origin.file) for first, last, origin in page.origins] == [
        (3, 7, "LICENSE")
    ]


def test_a_readme_that_the_documentation_includes_has_no_page_of_its_own() -> None:
    imported = _read(
        {
            **FILES,
            "docs/conf.py": "",
            "docs/index.md": "# Home\n\n```{include} ../README.md\n:start-after: '# Pkg'\n```\n",
        }
    )
    paths = [page.path for page in imported.pages]
    assert paths == ["index", "skills/using/SKILL", "api/pkg", "api/pkg/extra"]
    assert _page(imported, "index") == "Hello."


def test_a_readme_in_restructured_text_stands_beside_markdown() -> None:
    files = {name: text for name, text in FILES.items() if name != "README.md"}
    imported = _read({**files, "README.rst": "Pkg\n===\n\n*Yes*.\n", "docs/a.md": "# A\n\nB.\n"})
    assert _page(imported, "index") == "*Yes*.\n"
    assert _page(imported, "a") == "B."


def test_a_source_without_packages_is_refused() -> None:
    with pytest.raises(NothingImported, match="no Python package"):
        _read({"notes.txt": "x"})
    with pytest.raises(OptionRefused, match="no package other"):
        read(tree_of(FILES), Options(values={"packages": ("other",)}))


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


def test_options_are_documented() -> None:
    assert {option.name for option in KIND.options} == {
        "packages",
        "docstrings",
        "markup",
        "documented-only",
        "api-only",
    }


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
    section = _section(_page(_read({"pkg/__init__.py": code}), "api/pkg"), "f")
    assert section.removeprefix("```python\ndef f()\n```").strip() == markdown


def test_a_large_class_of_a_large_module_has_a_page_of_its_own() -> None:
    long = "\n".join(f"    def m{n}(self): ...\n" for n in range(3_100))
    code = f'class Big:\n    """Big."""\n{long}\ndef f():\n    """See [`Big.m1`][pkg.Big.m1]."""\n'
    imported = _read({"pkg/__init__.py": code, "pkg/big.py": "def g(): ...\n"})
    assert [(page.path, page.title) for page in imported.pages] == [
        ("api/pkg", "pkg"),
        ("api/pkg.Big", "pkg.Big"),
        ("api/pkg/big", "pkg.big"),
    ]
    assert "See [`Big.m1`](pkg.Big.md#Big.m1)." in _page(imported, "api/pkg")


def _pages(files: Mapping[str, str]) -> dict[str, str]:
    imported = read(tree_of(files), Options(library="p", version="1"))
    return {page.path: page.markdown for page in imported.pages}


def test_the_docstring_of_a_wrapped_class_is_kept_where_a_stub_has_only_types() -> None:
    make = (
        'class A:\n    """Says."""\n    def f(self):\n        """Does."""\n\nA = wrap(\n    A\n)\n'
    )
    stub = "class A:\n    def f(self) -> int: ...\n"
    init = 'from p._make import A\n__all__ = ["A"]\n'
    pages = _pages({"p/__init__.py": init, "p/_make.py": make, "p/__init__.pyi": stub})
    assert "class A\n```\n\nSays." in pages["api/p"]
    assert "def f(self) -> int\n```\n\nDoes." in pages["api/p"]


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("print 'two'\n", id="Python 2"),
        pytest.param(f"x = {'(' * 3_000}1{')' * 3_000}\n", id="nested too deep"),
    ],
)
def test_a_module_that_cannot_be_parsed_is_named_and_the_others_are_read(broken: str) -> None:
    good = 'def f():\n    """Says."""\n'
    files = {"p/__init__.py": broken, "p/good.py": good, "p/sub/bad.py": broken}
    imported = read(tree_of(files), Options(library="p", version="1"))
    assert [page.path for page in imported.pages] == ["api/p/good"]
    noted = [(note.kind, note.place.partition(":")[0]) for note in imported.notes]
    assert noted == [
        ("module-unreadable", "p/__init__.py"),
        ("module-unreadable", "p/sub/bad.py"),
    ]
    with pytest.raises(NothingImported, match=r"that can be read: p/__init__\.py.*not read"):
        read(tree_of({"p/__init__.py": broken}), Options(library="p", version="1"))


def test_a_module_that_offers_what_others_document_links_to_it() -> None:
    pages = _pages(
        {
            "p/__init__.py": 'from p.long import f\n__all__ = ["f"]\n',
            "p/long.py": '__all__ = ["f"]\ndef f():\n    """Says."""\n',
        }
    )
    assert pages["api/p/long"] == "**On other pages**\n\n- [`f`](../p.md#f)\n"


def test_a_list_of_the_values_of_an_enumeration_is_whole() -> None:
    code = 'import enum\nclass E(enum.Enum):\n    A = 1\n    """First."""\n    B = 2\n'
    assert "**Attributes**\n\n- `A`: First.\n- `B`" in _pages({"p.py": code})["api/p"]
    silent = "import enum\nclass E(enum.Enum):\n    A = 1\n"
    assert "**Attributes**" not in _pages({"p.py": silent})["api/p"]


def test_the_report_names_as_many_objects_without_documentation_as_it_counts() -> None:
    code = "".join(f"def f{number}(): ...\n" for number in range(250))
    imported = read(tree_of({"p.py": code}), Options(library="p", version="1"))
    named = [note for note in imported.notes if note.kind == "undocumented"]
    assert len(named) == imported.counts["api objects without documentation"] == 250
