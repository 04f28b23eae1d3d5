"""The site's script compares as the builder does: both get the same texts and volumes."""

from __future__ import annotations

import json
import random
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.changes.conftest import make

from doctrove_builder.changes import compare_texts, compare_volumes
from doctrove_builder.changes.edits import edit_runs
from doctrove_schema.reading import read_index

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from doctrove_schema.model import Section

SCRIPT = Path(str(files("doctrove_site_template"))) / "assets/comparing.js"
INDEX = Path(str(files("doctrove_server"))) / "data/index.json"
PROGRAM = """
import { readFileSync } from "node:fs";
import { compareTexts, compareVolumes, editRuns } from "./comparing.mjs";
const { runs, texts, volumes } = JSON.parse(readFileSync(0, "utf8"));
const id = (section) => section?.id ?? "";
console.log(JSON.stringify({
  runs: runs.map(([old, now, most]) => editRuns(old, now, most)),
  texts: texts.map(([old, now]) =>
    compareTexts(old, now).map(({ code, pieces, folded }) => [code, pieces, folded])),
  volumes: volumes.map(([old, now]) => {
    const { changes, unchanged } = compareVolumes(old, now);
    return [changes.map(([was, is]) => [id(was), id(is)]), unchanged];
  }),
}));
"""
LINES = [
    "", "A word or two, and some more of them.", "A word or three, and some more of them.",
    "Une phrase à accents, déjà vue.", "Une phrase sans accents, jamais vue.", "```js", "```",
    "~~~~", "> ```", "let a = 1;", "  indented", "日本語の文章です。", "日本語の文字です。",
    "emoji \U0001f600 and \U0001f601", "| a | b |", "tab\tin a line", "\u00a0 odd \u2028 spaces",
]  # fmt: skip
PARTS = [
    "A text about handlers",
    "that find requests",
    "by their parameters",
    "或者中文",
    "and so on.",
]


def volume(chance: random.Random) -> list[Section]:
    """Make a volume of some sections whose ids, headings and texts come from small sets."""
    ids = chance.sample([f"{page}/{anchor}" for page in "ab" for anchor in "wxyz"], k=5)
    return [
        make(
            identity,
            " ".join(chance.choices(PARTS, k=chance.randint(1, 6))),
            heading=chance.choice(["One", "Two", "Three", "Four", "Five"]),
        )
        for identity in ids
    ]


@pytest.fixture(scope="module")
def pairs() -> dict[str, list[tuple[Any, ...]]]:
    """Sequences, texts and volumes to compare: the example libraries, and what chance gives."""
    chance = random.Random(5)
    entries = read_index(INDEX.read_bytes(), name="index").index.entries
    volumes = [
        tuple(list(v.sections) for v in reversed(entry.volumes.values())) for entry in entries
    ]
    volumes += [(volume(chance), volume(chance)) for _ in range(300)]
    texts: list[tuple[str, ...]] = [
        (c.old.body, c.new.body) for old, new in volumes[:3] for c in changed(old, new)
    ]
    texts += [
        tuple("\n".join(chance.choices(LINES, k=chance.randint(0, 14))) for _ in "ab")
        for _ in range(500)
    ]
    runs = [
        (chance.choices("abc", k=chance.randint(0, 20)), chance.choices("abcd", k=9), most)
        for most in (0, 1, 3, 100)
        for _ in range(60)
    ]
    return {"runs": runs, "texts": texts, "volumes": volumes}


def changed(old: Sequence[Section], new: Sequence[Section]) -> list[Any]:
    return [c for c in compare_volumes(old, new).changes if c.old and c.new]


@pytest.fixture(scope="module")
def answers(
    pairs: dict[str, list[tuple[Any, ...]]],
    node_tool: Callable[[str], str],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, list[Any]]:
    """What the script says of all pairs."""
    folder = tmp_path_factory.mktemp("script")
    (folder / "comparing.mjs").write_text(SCRIPT.read_text("utf-8"), "utf-8")
    (folder / "program.mjs").write_text(PROGRAM, "utf-8")
    told = {
        **pairs,
        "volumes": [
            [[plain(section) for section in side] for side in pair] for pair in pairs["volumes"]
        ],
    }
    done = subprocess.run(
        [node_tool("node"), str(folder / "program.mjs")],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    answers: dict[str, list[Any]] = json.loads(done.stdout)
    return answers


def plain(section: Section) -> dict[str, str]:
    return {name: getattr(section, name) for name in ("id", "heading", "body", "page")}


def test_runs_of_edits_are_the_same(
    pairs: dict[str, list[tuple[Any, ...]]], answers: dict[str, list[Any]]
) -> None:
    expected = [
        [
            [run.same, run.old.start, run.old.stop, run.new.start, run.new.stop]
            for run in edit_runs(old, new, most=most)
        ]
        for old, new, most in pairs["runs"]
    ]
    assert answers["runs"] == expected


def test_differences_of_texts_are_the_same(
    pairs: dict[str, list[tuple[Any, ...]]], answers: dict[str, list[Any]]
) -> None:
    for (old, new), answer in zip(pairs["texts"], answers["texts"], strict=True):
        rows = compare_texts(old, new)
        assert answer == [
            [row.is_code, [list(piece) for piece in row.pieces], row.folded] for row in rows
        ], (old, new)


def test_changes_of_volumes_are_the_same(
    pairs: dict[str, list[tuple[Any, ...]]], answers: dict[str, list[Any]]
) -> None:
    moved = 0
    for (old, new), answer in zip(pairs["volumes"], answers["volumes"], strict=True):
        comparison = compare_volumes(old, new)
        ids = [[c.old.id if c.old else "", c.new.id if c.new else ""] for c in comparison.changes]
        moved += sum(bool(was and now and was != now) for was, now in ids)
        assert answer == [ids, comparison.unchanged]
    assert moved > 50
