"""The preview as a process: what a browser is told and given while files change."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_builder.cli.watch import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Start = Callable[..., Any]
    Files = Any

GUIDE = "/tool/1.0.0/guide/"


def has_failed(state: Any) -> bool:
    return bool(state["failed"])


def is_good(state: Any) -> bool:
    return not state["failed"]


def test_a_saved_page_is_told_to_reload_and_others_are_left_alone(
    start: Start, files: Files
) -> None:
    preview = start()
    with preview.stream(GUIDE) as guide, preview.stream("/tool/1.0.0/other/") as other:
        assert next(guide)[0] == next(other)[0] == "state"
        files.write("tool/1.0.0/guide.md", "# Guide\n\nA new lead.\n\n## First\n\nFirst text.\n")
        assert next(guide)[0] == "reload"
        assert "A new lead." in preview.get(GUIDE)[2]
        files.write("tool/1.0.0/other.md", "# Other\n\nChanged.\n")
        assert next(other)[0] == "reload"
    assert "Changed." in preview.get("/tool/1.0.0/other/")[2]


def test_an_inherited_page_changes_with_its_source(start: Start, files: Files) -> None:
    preview = start()
    with preview.stream("/tool/2.0.0/other/") as changes:
        assert next(changes)[0] == "state"
        files.write("tool/1.0.0/other.md", "# Other\n\nInherited.\n")
        assert next(changes)[0] == "reload"
    assert "Inherited." in preview.get("/tool/2.0.0/other/")[2]


def test_a_page_that_was_loaded_before_a_change_is_told_when_it_begins_to_listen(
    start: Start,
) -> None:
    preview = start()
    with preview.stream(GUIDE, version="0123456789abcdef") as changes:
        assert next(changes)[0] == "reload"


def test_problems_are_told_with_their_place_and_vanish_when_repaired(
    start: Start, files: Files
) -> None:
    preview = start()
    good = (files.root / "tool/1.0.0/other.md").read_text()
    with preview.stream("/tool/1.0.0/other/") as changes:
        assert next(changes) == (
            "state",
            {"failed": False, "errors": 0, "warnings": 0, "remarks": []},
        )
        files.write("tool/1.0.0/other.md", "# Other\n\nSee [it](guied.md).\n")
        told = preview.state_with(changes, has_failed)
        assert told["remarks"] == [
            {
                "severity": "error",
                "file": "tool/1.0.0/other.md",
                "line": 3,
                "column": 5,
                "message": "the link `guied.md` leads to no file of the authoring tree",
                "hint": "do you mean `guide.md`?",
                "rule": "broken-link",
                "text": "See [it](guied.md).",
            }
        ]
        assert "Other text." in preview.get("/tool/1.0.0/other/")[2], "the last good build stays"
        preview.said(r"authoring/tool/1\.0\.0/other\.md:3:5: error")
        files.write("tool/1.0.0/other.md", good)
        assert not preview.state_with(changes, is_good)["remarks"]
    preview.said("no problems any more")


def test_a_tree_that_cannot_be_built_at_first_is_shown_as_soon_as_it_can(
    start: Start, files: Files
) -> None:
    good = (files.root / "doctrove.yaml").read_text()
    files.write("doctrove.yaml", "titel: Small\n")
    preview = start("--strict", built=False)
    preview.said("not built")
    assert "Nothing is built yet" in preview.get("/")[2]
    with preview.stream("/") as changes:
        assert preview.state_with(changes, has_failed)
        files.write("doctrove.yaml", good)
        assert any(name == "reload" for name, _ in changes)
    assert "<title>Small</title>" in preview.get("/")[2]


def test_a_template_at_fault_is_told_and_its_repair_shown(start: Start, files: Files) -> None:
    preview = start()
    with preview.stream(GUIDE) as changes:
        assert next(changes)[0] == "state"
        template = files.write("_templates/page.html", '{% extends "!page.html" %}\n{% blok %}\n')
        told = preview.state_with(changes, has_failed)
        assert told["remarks"][0]["file"] == "_templates/page.html"
        assert told["remarks"][0]["line"] == 2
        template.write_text(
            '{% extends "!page.html" %}{% block lede %}<p>From the project.</p>{% endblock %}'
        )
        assert any(name == "reload" for name, _ in changes)
    assert "From the project." in preview.get(GUIDE)[2]


def _atomically(file: Path) -> None:
    new = file.with_name("new~")
    new.write_text("# Guide\n\nSaved.\n\n## First\n\nText.\n")
    new.replace(file)


def _with_a_backup(file: Path) -> None:
    file.rename(file.with_name("guide.md~"))
    (file.parent / "4913").touch()
    (file.parent / "4913").unlink()
    file.write_text("# Guide\n\nSaved.\n\n## First\n\nText.\n")
    file.with_name("guide.md~").unlink()


def _in_pieces(file: Path) -> None:
    with file.open("w") as opened:
        for piece in ("# Guide\n\n", "Saved.\n\n", "## First\n\n", "Text.\n"):
            opened.write(piece)
            opened.flush()


def _from_another_folder(file: Path) -> None:
    new = file.parents[3] / "elsewhere.md"
    new.write_text("# Guide\n\nSaved.\n\n## First\n\nText.\n")
    new.replace(file)


@pytest.mark.parametrize("save", [_atomically, _with_a_backup, _in_pieces, _from_another_folder])
def test_it_does_not_matter_how_an_editor_saves(
    start: Start, files: Files, save: Callable[[Path], None]
) -> None:
    preview = start()
    with preview.stream(GUIDE) as changes:
        assert next(changes)[0] == "state"
        save(files.root / "tool/1.0.0/guide.md")
        while "Saved." not in preview.get(GUIDE)[2]:
            next(name for name, _ in changes)


def test_pages_come_go_and_are_renamed(start: Start, files: Files) -> None:
    preview = start()
    with preview.stream("/tool/1.0.0/new/") as changes:
        assert next(changes)[0] == "state"
        new = files.write("tool/1.0.0/new.md", "# New\n\nText.\n")
        assert any(name == "reload" for name, _ in changes)
        assert preview.get("/tool/1.0.0/new/")[0] == 200
        with preview.stream("/tool/1.0.0/newer/") as newer:
            new.rename(new.with_name("newer.md"))
            assert any(name == "reload" for name, _ in newer)
        assert any(name == "reload" for name, _ in changes)
        assert preview.get("/tool/1.0.0/new/")[0] == 404
        assert preview.get("/tool/1.0.0/newer/")[0] == 200
    with preview.stream("/tool/1.0.0/newer/") as changes:
        assert next(changes)[0] == "state"
        new.with_name("newer.md").unlink()
        assert any(name == "reload" for name, _ in changes)
    assert preview.get("/tool/1.0.0/newer/index.json")[0] == 404


def test_a_new_library_is_shown_and_a_removed_one_is_not(start: Start, files: Files) -> None:
    preview = start()
    with preview.stream("/second/1.0.0/") as changes:
        assert next(changes)[0] == "state"
        shutil.copytree(files.root / "tool", files.root / "second")
        while preview.get("/second/1.0.0/")[0] != 200:
            next(changes)
    with preview.stream("/second/1.0.0/") as changes:
        assert next(changes)[0] == "state"
        shutil.rmtree(files.root / "second")
        while preview.get("/second/1.0.0/")[0] != 404:
            next(changes)


def test_hundreds_of_changes_at_once_end_in_the_newest_state(start: Start, files: Files) -> None:
    for number in range(150):
        files.write(f"tool/1.0.0/many/page-{number}.md", f"# Page {number}\n\nOld.\n")
    preview = start()
    last = "/tool/1.0.0/many/page-149/"
    with preview.stream(last) as changes:
        assert next(changes)[0] == "state"
        for state in ("Middle.", "New."):
            for number in range(150):
                files.write(f"tool/1.0.0/many/page-{number}.md", f"# Page {number}\n\n{state}\n")
        while "New." not in preview.get(last)[2]:
            next(changes)
    preview.said(r"page-\d+/ and \d+ more")
    assert all(
        "New." in preview.get(f"/tool/1.0.0/many/page-{number}/")[2] for number in range(0, 150, 10)
    )


def test_a_folder_that_is_exchanged_is_watched_on(start: Start, files: Files) -> None:
    preview = start()
    with preview.stream(GUIDE) as changes:
        assert next(changes)[0] == "state"
        new = files.root.with_name("new")
        shutil.copytree(files.root, new)
        (new / "tool/1.0.0/guide.md").write_text("# Guide\n\nAnother.\n\n## First\n\nText.\n")
        files.root.rename(files.root.with_name("old"))
        new.rename(files.root)
        while "Another." not in preview.get(GUIDE)[2]:
            next(changes)
        files.write("tool/1.0.0/guide.md", "# Guide\n\nOnce more.\n\n## First\n\nText.\n")
        while "Once more." not in preview.get(GUIDE)[2]:
            next(changes)


def test_a_folder_without_events_is_polled(start: Start, files: Files) -> None:
    preview = start("--poll")
    preview.said("looking for changes twice a second")
    with preview.stream(GUIDE) as changes:
        assert next(changes)[0] == "state"
        files.write("tool/1.0.0/guide.md", "# Guide\n\nPolled.\n\n## First\n\nText.\n")
        assert next(changes)[0] == "reload"


def test_files_for_programs_and_the_report_card_follow(start: Start, files: Files) -> None:
    preview = start()
    with preview.stream("/_preview/report/") as changes:
        while preview.get("/index.json")[0] != 200 or preview.get("/_preview/report/")[0] != 200:
            next(changes)
        files.write("tool/1.0.0/other.md", "# Other\n\nFollowed.\n")
        while "Followed." not in preview.get("/index.json")[2]:
            next(changes)
    assert "Report card" in preview.get("/_preview/report/")[2]
    assert '"doctrove-report@1"' in preview.get("/_preview/report/report.json")[2]


def test_a_folder_that_is_gone_is_told_and_shown_again_when_it_is_back(
    start: Start, files: Files
) -> None:
    kept = files.root.with_name("kept")
    shutil.copytree(files.root, kept)
    preview = start()
    with preview.stream(GUIDE) as changes:
        assert next(changes)[0] == "state"
        shutil.rmtree(files.root)
        assert preview.state_with(changes, has_failed)["errors"]
        assert "The lead." in preview.get(GUIDE)[2]
        (kept / "tool/1.0.0/guide.md").write_text("# Guide\n\nBack.\n\n## First\n\nText.\n")
        kept.rename(files.root)
        assert not preview.state_with(changes, is_good)["errors"]
    assert "Back." in preview.get(GUIDE)[2]


def test_a_file_that_the_system_refuses_to_write_is_told_and_the_next_change_is_built(
    start: Start, files: Files
) -> None:
    preview = start(before=("sh", "-c", 'ulimit -f 64; exec "$@"', "sh"))
    with preview.stream("/tool/1.0.0/other/") as changes:
        assert next(changes)[0] == "state"
        files.write("tool/1.0.0/other.md", "# Other\n\n" + "Too long for this system.\n\n" * 4000)
        told = preview.state_with(changes, has_failed)
        assert "file too large" in told["remarks"][0]["message"]
        preview.said("not built: .*file too large")
        files.write("tool/1.0.0/other.md", "# Other\n\nShort.\n")
        preview.state_with(changes, is_good)
    assert "Short." in preview.get("/tool/1.0.0/other/")[2]


def test_timings_say_when_browsers_were_told(start: Start, files: Files) -> None:
    preview = start("--timings")
    files.write("tool/1.0.0/other.md", "# Other\n\nTimed.\n")
    said = preview.said(r"told \d+ ms after the change: (waiting \d+, .*)")[1]
    assert [step.rstrip("0123456789 ") for step in said.split(", ")][:4] == [
        "waiting", "read files", "parse pages", "plan pages",
    ]  # fmt: skip


def test_a_port_that_is_taken_is_said(start: Start, files: Files) -> None:
    port = start().url.rpartition(":")[2]
    command = [sys.executable, "-m", "doctrove_builder.cli.watch", str(files.root)]
    ended = subprocess.run(
        [*command, "--port", port], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 1
    assert port in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_other_origins_and_names_are_refused(start: Start) -> None:
    preview = start()
    own = preview.url
    assert preview.get("/")[0] == 200
    assert preview.get("/", Origin=own)[0] == 200
    for path in ("/", "/index.html", "/_preview/events?page=/&version=x"):
        assert preview.get(path, Origin="http://evil.example")[0] == 403
        assert preview.get(path, Origin="null")[0] == 403
        assert preview.get(path, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")[0] == 403
        assert preview.get(path, Host="evil.example")[0] in {403, 404, 421}
    assert preview.get("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")[0] == 200
    assert not [name for name in preview.get("/")[1] if name.lower().startswith("access-control")]


def test_it_ends_at_once_and_leaves_nothing_behind(start: Start, files: Files) -> None:
    preview = start()
    assert preview.left_behind
    with preview.stream(GUIDE) as changes:
        assert next(changes)[0] == "state"
        assert preview.end() == 0
    assert not preview.left_behind
    assert sorted(path.name for path in files.root.iterdir()) == ["doctrove.yaml", "tool"]


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_it_ends_in_the_middle_of_a_build(start: Start, files: Files, name: str) -> None:
    for number in range(400):
        files.write(f"tool/1.0.0/many/page-{number}.md", f"# Page {number}\n\nText.\n" * 4)
    preview = start("--jobs", "2", built=False)
    assert preview.end(getattr(signal, name)) == 0
    assert not preview.left_behind


def test_what_imports_are_made_from_is_followed(start: Start, files: Files) -> None:
    source = files.write("../upstream/docs/index.md", "# Upstream\n\nAs it was.\n")
    files.write(
        "doctrove.yaml",
        'format: "doctrove-authoring@1"\ntitle: Small\nimports:\n'
        "- {kind: markdown, source: ../upstream/docs, id: up, version: '1.0'}\n",
    )
    preview = start()
    page = "/up/1.0/"
    with preview.stream(page) as changes:
        for text in ("Changed.", "Again."):
            # What was read before it is followed is read once more, whenever it is changed.
            source.write_text(f"# Upstream\n\n{text}\n")
            while text not in preview.get(page)[2]:
                next(changes)


def test_an_address_of_another_machine_is_said(files: Files) -> None:
    command = [sys.executable, "-m", "doctrove_builder.cli.watch", str(files.root)]
    ended = subprocess.run(
        [*command, "--host", "192.0.2.1", "--port", "0"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 1
    assert "192.0.2.1 is no address of this machine" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nowhere"], 2, "nowhere is not a folder"),
        ([__file__], 2, "is a file; name the authoring folder"),
        ([".", "--allowed-host", "http://docs.test"], 2, "give it without scheme and port"),
        ([".", "--port", "70000"], 2, "a port is a number from 0 to 65535"),
        (["--version"], 0, ""),
        (["--help"], 0, ""),
    ],
    ids=["no folder", "a file", "no host name", "no port", "version", "help"],
)
def test_wrong_usage_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    ended: object = None
    try:
        ended = main(arguments)
    except SystemExit as left:  # argparse ends so
        ended = left.code
    assert ended == code
    assert said in capsys.readouterr().err
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - names alone
