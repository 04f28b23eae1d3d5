"""Which file is read, what is refused, and what holds for any text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_builder.importing.errors import FileRefused, NothingImported, OptionRefused
from doctrove_builder.importing.llms_txt.addresses import Addresses, page_paths
from doctrove_builder.importing.llms_txt.kind import KIND, MAX_BYTES, read
from doctrove_builder.importing.llms_txt.splitting import split_pages
from doctrove_builder.importing.option_values import make_options
from doctrove_builder.importing.source_tree import tree_of

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import Options

TEXT = "# A\n\ntext of a\n\n# B\n\ntext of b\n"


def options(**written: str) -> Options:
    return make_options(KIND, written, library="x", version="1", open_tree=lambda _: tree_of({}))


@pytest.mark.parametrize(
    "files",
    [
        {"llms-full.txt": TEXT, "other.md": "# C\n\nc\n"},
        {"public/llms-full.txt": TEXT, "deep/er/llms-full.txt": "# C\n\nc\n"},
        {"anything.md": TEXT},
        {"llms.txt": "[a](https://acme.example/docs/a.md) [b](b)", "a.md": "# A\n\na\n",
         "b.md": "# B\n\nb\n"},
    ],
    ids=["full", "nearest", "single", "linked"],
)  # fmt: skip
def test_the_text_is_found(files: dict[str, str]) -> None:
    pages = read(tree_of(files), options()).pages
    assert [page.title for page in pages] == ["A", "B"]


def test_a_list_of_links_alone_is_read_as_a_list_and_says_so() -> None:
    imported = read(tree_of({"llms.txt": "# X\n\n- [a](https://acme.example/a)\n"}), options())
    assert [note.kind for note in imported.notes] == ["page-missing", "pages-elsewhere"]
    assert "[a](https://acme.example/a)" in imported.pages[0].markdown


def test_nothing_is_made_of_nothing() -> None:
    with pytest.raises(NothingImported):
        read(tree_of({"a.md": "a", "b.md": "b"}), options())
    with pytest.raises(NothingImported):
        read(tree_of({"llms-full.txt": "\n\n# Title\n\n"}), options())


def test_a_file_that_is_named_must_be_there() -> None:
    with pytest.raises(OptionRefused):
        read(tree_of({"llms-full.txt": TEXT}), options(file="no.txt"))


def test_a_text_of_more_than_its_limit_is_refused() -> None:
    with pytest.raises(FileRefused):
        read(tree_of({"llms-full.txt": b"a" * (MAX_BYTES + 1)}), options())


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("https://acme.example/docs/b", (1, "")),
        ("https://acme.example/docs/b.md#x", (1, "x")),
        ("https://acme.example/docs/b/", (1, "")),
        ("./b", (1, "")),
        ("b.html", (1, "")),
        ("/docs/b/index.html", (1, "")),
        ("#here", (None, "#here")),
        ("mailto:a@acme.example", (None, "mailto:a@acme.example")),
        ("javascript:alert(1)", (None, "javascript:alert(1)")),
        ("../c#d", (None, "https://acme.example/c#d")),
        ("https://other.example/docs/b", (None, "https://other.example/docs/b")),
        ("http://[", (None, "http://[")),
    ],
)
def test_links_lead_to_pages_or_become_absolute(
    address: str, target: tuple[int | None, str]
) -> None:
    urls = ["https://acme.example/docs/a", "https://acme.example/docs/b.md"]
    assert Addresses(urls, base="").target(0, address) == target


def test_paths_come_from_addresses_without_what_they_share_and_differ() -> None:
    urls = ["https://x/en/docs/a", "https://x/en/docs/guide/b.md", "", "", "https://x/en/docs/A"]
    titles = ["", "", "Same title", "Same title", ""]
    assert page_paths(titles, urls) == ["a", "guide/b", "same-title", "same-title-1", "a-1"]


@given(st.text(alphabet="#-`~<>/:\n abSource[]()\"='", max_size=300))
def test_any_text_is_split_and_its_lines_stay_in_their_places(text: str) -> None:
    rows = text.split("\n")
    for part in split_pages(text):
        for at, line in enumerate(part.lines):
            own = rows[part.first - 1 + at].strip("# \t")
            assert not line or line.strip("# \t") in {own, part.title}


@given(st.text(alphabet="#-`<>:\n abSource[]()/.", max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        imported = read(tree_of({"llms-full.txt": f"{text}\n\nend\n"}), options())
    except NothingImported:
        return
    assert len({page.path.lower() for page in imported.pages}) == len(imported.pages)
