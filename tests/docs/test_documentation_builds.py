"""The whole authoring folder of this repository builds, strictly, and its links lead somewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest

from doctrove_builder.about import VERSION
from doctrove_builder.cli.build import main
from doctrove_schema.reading import read_index

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    cache = f"--cache={folder / 'cache'}"
    dest = folder / "dist"
    assert main([str(ROOT / "authoring"), str(dest), cache, "--strict", "--quiet"]) == 0
    return dest


def test_every_library_is_in_the_index(dist: Path) -> None:
    index = read_index((dist / "index.json").read_bytes(), name="index").index
    assert [entry.id for entry in index.entries] == ["dayjs", "doctrove", "express", "zod"]


def test_the_version_that_is_documented_is_the_one_that_is_here(dist: Path) -> None:
    index = read_index((dist / "index.json").read_bytes(), name="index").index
    (entry,) = (entry for entry in index.entries if entry.id == "doctrove")
    assert entry.versions[0] == VERSION


def test_every_section_is_small_enough_for_an_agents_budget(dist: Path) -> None:
    index = read_index((dist / "index.json").read_bytes(), name="index").index
    (entry,) = (entry for entry in index.entries if entry.id == "doctrove")
    large = {s.id: s.tokens for v in entry.volumes.values() for s in v.sections if s.tokens > 1_200}
    assert large == {}


def test_every_link_of_the_documentation_leads_to_a_page_and_a_place_in_it(dist: Path) -> None:
    lost: list[str] = []
    pages = sorted((dist / "doctrove").rglob("index.html"))
    assert len(pages) > 15
    for page in pages:
        here = page.relative_to(dist).as_posix()
        for href in re.findall(r'<a [^>]*?href="([^"]+)"', page.read_text("utf-8")):
            if re.match(r"[a-z]+:", href):
                continue
            target, fragment = urldefrag(urljoin(f"http://x/{here}", href))
            file = dist / unquote(target.removeprefix("http://x/"))
            file = file / "index.html" if file.is_dir() else file
            if not file.is_file() or not has_place(file, unquote(fragment)):
                lost.append(f"{here}: {href}")
    assert lost == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_every_link_between_files_of_the_repository_leads_to_a_file(name: str) -> None:
    text = re.sub(
        r"^```.*?^```$", "", (ROOT / name).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    assert [link for link in links if not (ROOT / link).is_file()] == []


def has_place(file: Path, fragment: str) -> bool:
    if not fragment:
        return True
    text = file.read_text("utf-8")
    if file.suffix == ".json":
        number = int(fragment.rpartition("/")[2])
        return number < len(json.loads(text)["sections"])
    return f'id="{fragment}"' in text
