"""The report card: its figures from a small tree, its page, the command that writes it."""

from __future__ import annotations

import contextlib
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_builder.cli.build import main

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = (
    "# Code\n\nThe lead.\n\n## Python\n\n```python\nprint(1\n```\n\n## JSON\n\n```json\n{}\n```\n"
)
COPY = "A text that stands in two files, word by word, and is long enough to count. " * 4


def write_tree(root: Path) -> None:
    texts = {
        "doctrove.yaml": 'format: "doctrove-authoring@1"\ntitle: Measured\n',
        "tool/library.yaml": "name: Tool\nsummary: A tool.\n",
        "tool/1.0.0/volume.yaml": 'released: "2024-01-01"\n',
        "tool/1.0.0/code.md": BROKEN,
        "tool/1.0.0/copied.md": f"# Copied\n\n{COPY}\n",
        "tool/2.0.0/volume.yaml": (
            'released: "2024-01-31"\nsource:\n  base_url: https://example.org/tool/\n'
        ),
        "tool/2.0.0/copied.md": f"# Copied\n\n{COPY}\n",
        "tool/2.0.0/new.md": "---\nsymbols: [tool.run]\n---\n# New\n\nOnly <here>.\n",
        "tool/2.1.0/volume.yaml": 'extends: "2.0.0"\nreleased: "2024-02-10"\n',
        "tool/2.1.0/large.md": "# Large\n\n" + "Many words in a row make a large section. " * 300,
    }
    for path, text in texts.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def run(folder: Path, report: str = "report") -> int:
    options = ["--report", report, "--cache", "cache", "--jobs", "1", "--quiet"]
    with contextlib.chdir(folder):
        return main(["authoring", "dist", *options])


def card_of(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "report/report.json").read_text())
    return read


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write_tree(tmp_path / "authoring")
    return tmp_path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree as it is, built with its card."""
    folder = tmp_path_factory.mktemp("card")
    write_tree(folder / "authoring")
    assert run(folder) == 0
    return folder


@pytest.fixture(scope="module")
def card(built: Path) -> dict[str, Any]:
    return card_of(built)


def test_every_figure_is_counted(card: dict[str, Any]) -> None:
    assert card["format"] == "doctrove-report@1"
    by_version = {volume["version"]: volume for volume in card["volumes"]}
    assert list(by_version) == ["2.1.0", "2.0.0", "1.0.0"]
    newest = by_version["2.1.0"]
    assert (newest["sections"], newest["inherited"], newest["newest"]) == (3, 2, True)
    assert (newest["with_symbols"], newest["with_provenance"]) == (1, 3)
    oldest = by_version["1.0.0"]
    assert (oldest["days_behind"], oldest["behind"]) == (40, 2)
    assert (oldest["with_symbols"], oldest["with_provenance"]) == (0, 0)
    assert by_version["2.0.0"]["days_behind"] == 10
    assert sum(count for _, count in card["tokens"]["bins"]) == 7, "each text once"
    assert card["tokens"]["outliers"]["listed"][0]["file"] == "tool/2.1.0/large.md"


def test_a_prerelease_of_what_comes_next_is_not_behind(tree: Path) -> None:
    place = tree / "authoring/tool/3.0.0-beta.1"
    place.mkdir()
    (place / "volume.yaml").write_text('released: "2024-03-01"\n')
    (place / "new.md").write_text("# New\n\nShort.\n")
    assert run(tree) == 0
    volumes = card_of(tree)["volumes"]
    ahead = next(volume for volume in volumes if volume["version"] == "3.0.0-beta.1")
    assert (ahead["days_behind"], ahead["behind"], ahead["newest"]) == (0, 0, False)
    page = (tree / "report/index.html").read_text()
    behind = page[page.index("Behind the newest release") : page.index("Symbols and provenance")]
    assert re.findall(r"<th scope=\"row\">([^<]+)", behind) == ["tool 2.0.0", "tool 1.0.0"]


def test_short_sections_are_not_large_however_short_the_others_are(tree: Path) -> None:
    large = tree / "authoring/tool/2.1.0/large.md"
    large.write_text("# Large\n\n" + "Some words that make no large section. " * 20)
    assert run(tree) == 0
    tokens = card_of(tree)["tokens"]
    assert (tokens["upper"], tokens["outliers"]["count"]) == (500, 0)
    assert tokens["largest"] > 100


def test_an_imported_section_is_named_where_it_comes_from(tree: Path) -> None:
    (tree / "up").mkdir()
    (tree / "up/guide.md").write_text("# Guide\n\n## Use\n\n```python\nprint(1\n```\n")
    (tree / "authoring/doctrove.yaml").write_text(
        'format: "doctrove-authoring@1"\ntitle: Measured\n'
        "imports:\n- kind: markdown\n  source: ../up\n  id: taken\n  version: 1.0.0\n"
    )
    assert run(tree) == 0
    listed = card_of(tree)["broken_code"]["listed"]
    taken = next(place for place in listed if "imported" in place["what"])
    assert taken["file"] == "guide.md"
    assert taken["what"].endswith("(imported into taken 1.0.0)")


def test_code_that_cannot_be_parsed_is_named_by_file_and_line(card: dict[str, Any]) -> None:
    assert card["code"] == [
        {"language": "json", "blocks": 1, "method": "parsed", "broken": 0},
        {"language": "python", "blocks": 1, "method": "parsed", "broken": 1},
    ]
    assert card["broken_code"]["count"] == 1
    found = card["broken_code"]["listed"][0]
    assert (found["file"], found["line"]) == ("tool/1.0.0/code.md", 8)


def test_a_text_in_two_files_is_told_once(card: dict[str, Any]) -> None:
    assert card["duplicates"]["count"] == 1
    told = card["duplicates"]["listed"][0]
    assert told["file"] == "tool/2.0.0/copied.md"
    assert told["what"] == "Copied: again in tool/1.0.0/copied.md:1"


def test_sections_without_provenance_are_named(card: dict[str, Any]) -> None:
    listed = card["without_provenance"]["listed"]
    assert card["without_provenance"]["count"] == len(listed) == 4
    assert {place["file"] for place in listed} == {"tool/1.0.0/code.md", "tool/1.0.0/copied.md"}


def test_the_size_is_that_of_the_published_tree(card: dict[str, Any], built: Path) -> None:
    manifest = json.loads((built / "dist/manifest.json").read_text())["files"]
    assert card["size"]["files"] == len(manifest)
    assert card["size"]["total"] == sum(entry["bytes"] for entry in manifest.values())
    assert not [path for path in manifest if "report" in path and not path.startswith("_schema/")]


def test_the_page_shows_what_the_data_says_and_loads_nothing_from_elsewhere(
    card: dict[str, Any], built: Path
) -> None:
    page = (built / "report/index.html").read_text()
    assert "tool/1.0.0/code.md:8" in page
    assert f"{card['tokens']['outliers']['listed'][0]['value']:,} tokens" in page
    assert page.count("<svg") == page.count("</svg>") == 3
    addresses = re.findall(r'\b(?:src|href)="([^"]+)"', page)
    assert set(addresses) <= {path.name for path in (built / "report").iterdir()}
    assert "Content-Security-Policy" in page
    assert "style=" not in page
    parser = HTMLParser()
    parser.feed(page)
    parser.close()


def test_a_tree_with_errors_has_a_card_too(tree: Path) -> None:
    (tree / "authoring/tool/2.0.0/new.md").write_text("# New\n\nSee [<it>](nowhere.md).\n")
    assert run(tree) == 1
    card = card_of(tree)
    assert card["size"] is None
    assert card["broken_links"]["count"] == 1
    place = card["broken_links"]["listed"][0]
    assert (place["file"], place["line"]) == ("tool/2.0.0/new.md", 3)
    assert ["error", "broken-link", 1] in card["rules"]


@pytest.mark.parametrize("folder", ["dist", "dist/report", "authoring/report"])
def test_the_card_is_no_part_of_the_sources_or_of_what_is_published(
    tree: Path, folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tree, folder) == 2
    assert "name a folder beside it" in capsys.readouterr().err
    assert not (tree / "dist").exists()
