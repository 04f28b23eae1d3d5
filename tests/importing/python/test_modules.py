"""Which modules of a package are pages: what is public, and what can be read."""

from __future__ import annotations

import re

import pytest
from tests.importing.python.conftest import FILES, page_of, pages_of, read_files

from doctrove_builder.importing.errors import NothingImported, OptionRefused
from doctrove_builder.importing.imported import Options
from doctrove_builder.importing.python.kind import KIND, read
from doctrove_builder.importing.source_tree import tree_of


def test_pages_are_those_of_public_modules_and_of_what_is_beside_them() -> None:
    imported = read_files()
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


def test_objects_without_documentation_are_left_out_when_asked() -> None:
    imported = read_files(FILES, **{"documented-only": True, "api-only": True})
    assert [page.path for page in imported.pages] == ["api/pkg", "api/pkg/extra"]
    assert "bare" not in page_of(imported, "api/pkg/extra")


def test_namespace_packages_and_packages_without_init_are_found() -> None:
    files = {"ns/one/__init__.py": "def f(): ...\n", "ns/one/sub/mod.py": "def g(): ...\n"}
    assert [page.path for page in read_files(files).pages] == ["api/ns/one", "api/ns/one/sub/mod"]


def test_a_name_that_leads_in_a_circle_is_left_out() -> None:
    files = {
        "pkg/__init__.py": "from pkg.a import x\n__all__ = ['x', 'y']\ndef y(): ...\n",
        "pkg/a.py": "from pkg.b import x\n",
        "pkg/b.py": "from pkg.a import x\n",
    }
    assert re.findall(r"(?m)^## `(.*?)`", page_of(read_files(files), "api/pkg")) == ["y"]


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


def test_tests_are_left_out_and_what_users_test_with_isread_files() -> None:
    imported = read_files(
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


def test_a_source_without_packages_is_refused() -> None:
    with pytest.raises(NothingImported, match="no Python package"):
        read_files({"notes.txt": "x"})
    with pytest.raises(OptionRefused, match="no package other"):
        read(tree_of(FILES), Options(values={"packages": ("other",)}))


def test_options_are_documented() -> None:
    assert {option.name for option in KIND.options} == {
        "packages",
        "docstrings",
        "markup",
        "documented-only",
        "api-only",
    }


def test_a_large_class_of_a_large_module_has_a_page_of_its_own() -> None:
    long = "\n".join(f"    def m{n}(self): ...\n" for n in range(3_100))
    code = f'class Big:\n    """Big."""\n{long}\ndef f():\n    """See [`Big.m1`][pkg.Big.m1]."""\n'
    imported = read_files({"pkg/__init__.py": code, "pkg/big.py": "def g(): ...\n"})
    assert [(page.path, page.title) for page in imported.pages] == [
        ("api/pkg", "pkg"),
        ("api/pkg.Big", "pkg.Big"),
        ("api/pkg/big", "pkg.big"),
    ]
    assert "See [`Big.m1`](pkg.Big.md#Big.m1)." in page_of(imported, "api/pkg")


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("print 'two'\n", id="Python 2"),
        pytest.param(f"x = {'(' * 3_000}1{')' * 3_000}\n", id="nested too deep"),
        pytest.param(f"x = {'-' * 60_000}1\n", id="too deep for the parser's memory"),
        pytest.param(f"x = 1{' + 1' * 30_000}\n", id="too deep for its stack"),
        pytest.param("x = 1\0\n", id="null byte"),
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
    assert not any("Error" in note.message for note in imported.notes)
    with pytest.raises(NothingImported, match=r"that can be read: p/__init__\.py.*not read"):
        read(tree_of({"p/__init__.py": broken}), Options(library="p", version="1"))


def test_a_module_that_offers_what_others_document_links_to_it() -> None:
    pages = pages_of(
        {
            "p/__init__.py": 'from p.long import f\n__all__ = ["f"]\n',
            "p/long.py": '__all__ = ["f"]\ndef f():\n    """Says."""\n',
        }
    )
    assert pages["api/p/long"] == "**On other pages**\n\n- [`f`](../p.md#f)\n"


def test_the_report_names_as_many_objects_without_documentation_as_it_counts() -> None:
    code = "".join(f"def f{number}(): ...\n" for number in range(250))
    imported = read(tree_of({"p.py": code}), Options(library="p", version="1"))
    named = [note for note in imported.notes if note.kind == "undocumented"]
    assert len(named) == imported.counts["api objects without documentation"] == 250
