"""The files below `_search/`: what is in them, when they are made anew, what they cost."""

from __future__ import annotations

import hashlib
import re
import tempfile
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from doctrove_builder.cache import Cache
from doctrove_builder.pipeline.progress import Silent
from doctrove_builder.render.environment import POLICY
from doctrove_builder.search import Workshop, find_engine, searched_volumes, searching
from doctrove_builder.search import names as names_module
from doctrove_builder.search.names import names_json, plain_anchor
from doctrove_builder.search.scope import SearchedPage, SearchedSection, SearchedVolume
from doctrove_builder.search.text import section_text
from doctrove_builder.search.words import words_text
from doctrove_schema.reading import read_index

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from doctrove_schema.model import Index


def digests(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


def entry_of(dest: Path) -> dict[str, Any]:
    return msgspec.json.decode((dest / "_search" / "entry.json").read_bytes(), type=dict[str, Any])


def index_of(dest: Path) -> Index:
    return read_index((dest / "index.json").read_bytes(), name="index").index


def test_every_volume_is_listed_and_the_newest_ones_are_searched_in_their_text(
    built: Path,
) -> None:
    entry = entry_of(built)
    volumes = {volume["folder"]: volume for volume in entry["volumes"]}
    assert set(volumes) == {"grid/2.0.0/", "grid/1.0.0/", "日期/1.0.0/"}
    assert {folder for folder, volume in volumes.items() if volume.get("text")} == {
        "grid/2.0.0/",
        "日期/1.0.0/",
    }
    for volume in volumes.values():
        names = built / "_search" / volume["names"]
        assert len(names.read_bytes()) == volume["bytes"]
        assert (built / "_search" / volume["words"]).is_file()
    assert (built / "_search" / entry["text"]).is_file()


def test_the_engine_leaves_its_own_user_interfaces_out(built: Path) -> None:
    kinds = {file.suffix for file in (built / "_search" / "text").rglob("*") if file.is_file()}
    assert kinds == {".js", ".json", ".pagefind", ".pf_meta", ".pf_index", ".pf_fragment"} | {
        ".pf_filter"
    }
    assert len(list((built / "_search" / "text").glob("*.js"))) == 1


def test_only_pages_of_a_site_with_full_text_may_compile_web_assembly(
    source: Path, tmp_path: Path, run_build: Callable[..., int], built: Path
) -> None:
    page = (built / "index.html").read_text("utf-8")
    assert "script-src &#39;self&#39; &#39;wasm-unsafe-eval&#39;;" in page
    (source / "doctrove.yaml").write_text(
        "format: doctrove-authoring@1\ntitle: Trove\noptions: {search: 'off'}\n", "utf-8"
    )
    assert run_build(source, tmp_path / "dist", "-q") == 0
    off = (tmp_path / "dist" / "index.html").read_text("utf-8")
    assert POLICY.replace("'", "&#39;") in off
    assert "data-search" not in off
    assert not (tmp_path / "dist" / "_search").exists()


@pytest.mark.parametrize(("scope", "texts"), [("latest", 2), ("all", 3)])
def test_the_option_says_whose_text_is_searched(built: Path, scope: str, texts: int) -> None:
    volumes = searched_volumes(index_of(built), scope=scope)
    assert len(volumes) == 3
    assert sum(volume.whole for volume in volumes) == texts


def test_an_unchanged_tree_is_not_indexed_again_and_keeps_its_bytes(
    source: Path, tmp_path: Path, run_build: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    dest = tmp_path / "dist"
    assert run_build(source, dest) == 0
    assert "index full text" in capsys.readouterr().err
    before = digests(dest)
    assert run_build(source, dest) == 0
    assert "index full text" not in capsys.readouterr().err
    assert digests(dest) == before
    (dest / "_search" / "entry.json").write_text("{}", "utf-8")
    assert run_build(source, dest) == 0
    assert digests(dest) == before


def test_two_builds_give_the_same_bytes(
    source: Path, tmp_path: Path, run_build: Callable[..., int], built: Path
) -> None:
    assert run_build(source, tmp_path / "dist", "-q") == 0
    assert digests(tmp_path / "dist") == digests(built)


def test_a_build_of_one_volume_searches_the_others_as_before(
    source: Path, tmp_path: Path, run_build: Callable[..., int]
) -> None:
    dest = tmp_path / "dist"
    assert run_build(source, dest, "-q") == 0
    before = digests(dest / "_search")
    assert run_build(source, dest, "-q", "--only=grid@1.0.0") == 0
    assert digests(dest / "_search") == before
    page = source / "grid" / "1.0.0" / "guide" / "records.md"
    page.write_text("# Records\n\n## Renamed cells\n\nText.\n", "utf-8")
    assert run_build(source, dest, "-q", "--only=grid@1.0.0") == 0
    after = digests(dest / "_search")
    changed = {path for path in before.keys() ^ after.keys() if "text/" not in path}
    assert {re.sub(r"\.[0-9a-f]{16}\.", ".", path) for path in changed} == {
        "names/grid/1.0.0.json",
        "words/grid/1.0.0.txt",
    }


def test_no_temporary_folder_is_left(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    shop = Workshop(
        engine=find_engine(),
        language="en",
        cache=Cache(None, today=1),
        executor=None,
        progress=Silent(),
    )
    volumes = searched_volumes(index_of(built), scope="latest")
    with searching(volumes, None, shop=shop) as search:
        assert [*tmp_path.iterdir()]
        assert [artefact.path for artefact in search.artefacts()]
        assert search.indexed
    assert not [*tmp_path.iterdir()]
    with pytest.raises(ZeroDivisionError), searching(volumes, None, shop=shop):
        raise ZeroDivisionError
    assert not [*tmp_path.iterdir()]


def test_without_the_engine_names_are_listed_and_nothing_else(built: Path) -> None:
    shop = Workshop(
        engine=None, language="en", cache=Cache(None, today=1), executor=None, progress=Silent()
    )
    volumes = searched_volumes(index_of(built), scope="latest")
    with searching(volumes, None, shop=shop) as search:
        made = {artefact.path: artefact.content for artefact in search.artefacts()}
    assert not [path for path in made if path.startswith("_search/text/")]
    entry = msgspec.json.decode(made["_search/entry.json"], type=dict[str, Any])  # type: ignore[arg-type] # it is bytes
    assert "text" not in entry
    assert len(made) == 7


def section(heading: str, *, anchor: str = "", body: str = "") -> SearchedSection:
    return SearchedSection(anchor=anchor, heading=heading, body=body)


def volume_of(*pages: SearchedPage) -> SearchedVolume:
    return SearchedVolume(
        library="a",
        name="A",
        version="1",
        folder="a/1/",
        latest=True,
        whole=True,
        pages=pages,
    )


def listed(volume: SearchedVolume) -> list[Any]:
    bodies = {one.body for page in volume.pages for one in page.sections}
    texts = {body: section_text(body) for body in bodies}
    folders: list[Any] = msgspec.json.decode(names_json(volume, texts), type=dict[str, Any])[
        "folders"
    ]
    return folders


def test_addresses_that_follow_from_their_names_are_left_out_of_the_list() -> None:
    page = SearchedPage(
        folder="a/1/guide/first-steps/",
        title="First steps",
        sections=(
            section("First steps"),
            section("Route paths", anchor="route-paths"),
            section("Größe", anchor="größe"),
            section("Life", anchor="life", body="### The row\n\nText."),
        ),
    )
    other = SearchedPage(folder="a/1/guide/x/", title="Other", sections=())
    front = SearchedPage(folder="a/1/", title="A 1", sections=(section("A 1"),))
    assert listed(volume_of(front, page, other)) == [
        ["", ["A 1", ""]],
        [
            "guide/",
            ["First steps", 0, "Route paths", ["Größe", "größe"], ["Life", 0, "The row"]],
            ["Other", "x/"],
        ],
    ]


def test_a_list_of_names_has_a_limit_however_long_the_volume_is() -> None:
    sections = tuple(
        section(f"Heading number {number} of many", anchor=f"x{number}") for number in range(90)
    )
    pages = tuple(
        SearchedPage(folder=f"a/1/page-{number}/", title=f"Page {number}", sections=sections)
        for number in range(2_000)
    )
    data = names_json(volume_of(*pages), {one.body: section_text("") for one in sections})
    assert 0 < len(data) <= names_module.LIMIT
    assert b"Page 1999" in data


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [("Route paths", "route-paths"), ("app.get()", "appget"), ("日期", ""), ("a_b - c", "a_b---c")],
)
def test_an_anchor_follows_from_plain_letters(heading: str, anchor: str) -> None:
    assert plain_anchor(heading) == anchor


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("One **two** `three`.", "<p>One two three.</p>\n"),
        ("# Top\n\nText", "<h3>Top</h3>\n<p>Text</p>\n"),
        ("```js\na < b\n```", "<pre>a &lt; b</pre>\n"),
        ("使用v2日期", "<p>使 用 v2 日 期</p>\n"),
        ("<div>raw <i>html</i> &amp; more</div>", "<p>raw  html  &amp; more</p>\n"),
        ("<script>alert(1)</script>", "<p>alert(1)</p>\n"),
        ("[link](https://example.org) ![alt](x.png)", "<p>link alt</p>\n"),
        ("| a | b |\n|---|---|\n| c | d |", "<p>a</p>\n<p>b</p>\n<p>c</p>\n<p>d</p>\n"),
        ("", ""),
    ],
    ids=["inline", "heading", "code", "wide", "html", "script", "link", "table", "nothing"],
)
def test_the_text_of_a_body_is_words_and_no_markup_of_its_author(body: str, html: str) -> None:
    assert section_text(body).html == html


def test_words_for_typos_are_parts_of_identifiers_too_and_no_short_ones() -> None:
    text = section_text("Use parseHttpHeaders for x in 日期 or `max_size2`.")
    assert words_text([text]) == b"headers\nhttp\nparse\nsize\n"
