"""Lock files of every form: what they pin, what they leave out, what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_builder.importing.errors import ImportingError, NothingImported, OptionRefused
from doctrove_builder.importing.lockfiles.reading import (
    MAX_PACKAGES,
    choose,
    lock_options,
    read_lock_file,
)
from doctrove_builder.importing.source_tree import tree_of

UV = """
version = 1
[[package]]
name = "acme"
source = { editable = "." }
[[package]]
name = "attrs"
version = "25.4.0"
source = { registry = "https://pypi.org/simple" }
[[package]]
name = "forked"
version = "1.0"
source = { git = "https://example.org/forked?rev=1#abc" }
"""
POETRY = """
[[package]]
name = "attrs"
version = "25.4.0"
optional = false
[[package]]
name = "own"
version = "1.0"
[package.source]
type = "legacy"
url = "https://pypi.acme.example/simple"
[[package]]
name = "folder"
version = "1.0"
[package.source]
type = "directory"
url = "../folder"
"""
PYLOCK = """
lock-version = "1.0"
[[packages]]
name = "attrs"
version = "25.4.0"
index = "https://pypi.org/simple"
[[packages]]
name = "folder"
[packages.directory]
path = "x"
[[packages]]
name = "odd"
"""
REQUIREMENTS = """
--index-url https://pypi.org/simple
# a comment \\
attrs[x]==25.4.0 ; python_version > "3"  # another
Attrs_Plus===1.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
flask>=2
many>=1,==2
star==1.*
-r other.txt
-e .
file @ https://example.org/f.whl
???
"""
NPM_3 = """{"lockfileVersion": 3, "packages": {
 "": {"name": "acme", "version": "1.0.0"},
 "node_modules/a": {"version": "1.0.0", "resolved": "https://registry.npmjs.org/a.tgz"},
 "node_modules/@s/b": {"version": "2.0.0-rc.1"},
 "node_modules/a/node_modules/@s/b": {"version": "1.9.0"},
 "node_modules/alias": {"name": "real", "version": "3.0.0"},
 "node_modules/held": {"version": "1.0.0", "inBundle": true},
 "node_modules/w": {"link": true, "resolved": "packages/w"},
 "packages/w": {"version": "1.0.0"},
 "node_modules/git": {"version": "1.0.0", "resolved": "git+ssh://git@example.org/a/b.git#1"}}}"""
NPM_1 = """{"lockfileVersion": 1, "dependencies": {
 "a": {"version": "1.0.0", "dependencies": {"@s/b": {"version": "1.9.0"}}},
 "alias": {"version": "npm:@s/real@3.0.0"},
 "git": {"version": "github:a/b#1"}}}"""
PNPM_9 = """
lockfileVersion: '9.0'
packages:
  '@s/b@2.0.0-rc.1':
    resolution: {integrity: sha512-x}
  a@1.0.0: {}
  git@https://codeload.github.com/a/b/tar.gz/1: {version: 1.0.0}
  w@file:packages/w: {}
"""
PNPM_6 = "packages:\n  /a@1.0.0(react@18.0.0)(b@1.0.0): {}\n  /@s/b@2.0.0: {}\n"
PNPM_5 = "packages:\n  /a/1.0.0_react@18.0.0: {}\n  /@s/b/2.0.0: {}\n"


@pytest.mark.parametrize(
    ("name", "text", "sources", "left"),
    [
        ("uv.lock", UV, ["pypi:attrs==25.4.0"], ["acme", "forked"]),
        ("poetry.lock", POETRY, ["pypi:attrs==25.4.0", "pypi:own==1.0"], ["folder"]),
        ("pylock.toml", PYLOCK, ["pypi:attrs==25.4.0"], ["folder", "odd"]),
        (
            "dev-requirements.txt",
            REQUIREMENTS,
            ["pypi:Attrs_Plus==1.0", "pypi:attrs==25.4.0"],
            ["flask", "many", "star", "-r other.txt", "-e .", "file", "???"],
        ),
        (
            "package-lock.json",
            NPM_3,
            ["npm:@s/b@1.9.0", "npm:@s/b@2.0.0-rc.1", "npm:a@1.0.0", "npm:real@3.0.0"],
            ["w", "packages/w", "git"],
        ),
        (
            "npm-shrinkwrap.json",
            NPM_1,
            ["npm:@s/b@1.9.0", "npm:@s/real@3.0.0", "npm:a@1.0.0"],
            ["git"],
        ),
        (
            "pnpm-lock.yaml",
            PNPM_9,
            ["npm:@s/b@2.0.0-rc.1", "npm:a@1.0.0"],
            ["git@https://codeload.github.com/a/b/tar.gz/1", "w@file:packages/w"],
        ),
        ("pnpm-lock.yaml", PNPM_6, ["npm:@s/b@2.0.0", "npm:a@1.0.0"], []),
        ("pnpm-lock.yaml", PNPM_5, ["npm:@s/b@2.0.0", "npm:a@1.0.0"], []),
    ],
    ids=["uv", "poetry", "pylock", "requirements", "npm 3", "npm 1", "pnpm 9", "pnpm 6", "pnpm 5"],
)
def test_a_lock_file_pins_packages(
    name: str, text: str, sources: list[str], left: list[str]
) -> None:
    found = read_lock_file(tree_of({name: text}))
    assert [package.source for package in found.packages] == sources
    assert sorted(note.place for note in found.notes) == sorted(left)


@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("yarn.lock", "", "no lock file"),
        ("uv.lock", "[", "not TOML"),
        ("uv.lock", "a = " + "[" * 5000, "not TOML"),
        ("package-lock.json", "[1]", "not JSON"),
        ("pnpm-lock.yaml", "a: [", "neither JSON nor YAML"),
        ("requirements.txt", "# none", "pins no package"),
        ("requirements.txt", "\n".join(f"p{n}==1" for n in range(MAX_PACKAGES + 1)), "the most"),
    ],
    ids=["unknown", "toml", "deep", "json", "yaml", "empty", "many"],
)
def test_what_is_no_lock_file_is_refused(name: str, text: str, match: str) -> None:
    with pytest.raises(ImportingError, match=match):
        read_lock_file(tree_of({name: text}))


def test_a_folder_is_no_lock_file() -> None:
    with pytest.raises(ImportingError, match="no lock file"):
        read_lock_file(tree_of({"uv.lock": UV, "poetry.lock": POETRY}))


def test_packages_may_be_chosen_by_patterns() -> None:
    found = read_lock_file(tree_of({"package-lock.json": NPM_3}))
    chosen = choose(found, lock_options([("only", "@s/*,a"), ("skip", "A"), ("only", "real")]))
    assert [package.name for package in chosen.packages] == ["@s/b", "@s/b", "real"]
    with pytest.raises(OptionRefused, match="no package 'gone'"):
        choose(found, lock_options([("only", "gone")]))
    with pytest.raises(OptionRefused, match="no option 'onyl'"):
        lock_options([("onyl", "a")])


@given(
    st.sampled_from(["uv.lock", "package-lock.json", "pnpm-lock.yaml", "requirements.txt"]),
    st.text(alphabet="{}[]:\"'=@/.-_ \nab1", max_size=200),
)
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    try:
        found = read_lock_file(tree_of({name: text}))
    except (ImportingError, NothingImported):
        return
    assert all(package.name and package.version for package in found.packages)
