"""`imports:` in doctrove.yaml with doctrove.lock: pinned, offline, the same bytes everywhere."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from doctrove_builder.cli.build import main as build_main
from doctrove_builder.cli.import_ import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PROJECT = """\
format: doctrove-authoring@1
title: Acme
imports:
  - { kind: npm, source: "npm:good@1.0.0", id: good, version: "1.0.0" }
  - { kind: npm, source: "npm:good@2.0.0", id: good, version: "2.0.0" }
"""


def clone(folder: Path, project: str = PROJECT) -> Path:
    """Write a repository with an authoring folder, and return the latter."""
    (folder / ".git").mkdir(parents=True)
    (folder / "authoring").mkdir()
    (folder / "authoring" / "doctrove.yaml").write_text(project)
    return folder / "authoring"


def build(authoring: Path, *more: str) -> int:
    """Build beside the authoring folder, with a cache of its own."""
    folder = authoring.parent
    cache = ["--cache", str(folder / "cache")]
    return build_main([str(authoring), str(folder / "dist"), "-q", "--strict", *cache, *more])


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def sections(authoring: Path) -> dict[str, dict[str, Any]]:
    """Return the published sections of all volumes by `VERSION ID`."""
    index = json.loads((authoring.parent / "dist" / "index.json").read_text())
    return {
        f"{version} {one['id']}": one
        for entry in index["entries"]
        for version, volume in entry["volumes"].items()
        for one in volume["sections"]
    }


def import_failures(said: str) -> list[dict[str, Any]]:
    problems: list[dict[str, Any]] = json.loads(said)["problems"]
    return [one for one in problems if one["rule"] == "import-failed"]


def test_two_clones_with_two_caches_build_the_same_bytes_and_then_offline(
    tmp_path: Path, registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCTROVE_NPM_REGISTRY", registry)
    one = clone(tmp_path / "one")
    cache = ["--cache", str(tmp_path / "one" / "cache")]
    assert build(one) == 1
    assert main(["--update", str(one), "-q", *cache]) == 0
    lock = (one / "doctrove.lock").read_bytes()
    assert [pin["source"] for pin in json.loads(lock)["imports"]] == [
        "npm:good@1.0.0",
        "npm:good@2.0.0",
    ]
    two = clone(tmp_path / "two")
    (two / "doctrove.lock").write_bytes(lock)
    assert build(one) == build(two) == 0
    assert tree(tmp_path / "one" / "dist") == tree(tmp_path / "two" / "dist")
    assert main(["--update", str(one), "-q", *cache]) == 0
    assert (one / "doctrove.lock").read_bytes() == lock
    shutil.rmtree(tmp_path / "one" / "dist")
    shutil.rmtree(tmp_path / "one" / "cache" / "imports")
    monkeypatch.setenv("DOCTROVE_NPM_REGISTRY", "http://127.0.0.1:9/")
    assert build(one, "--offline") == 0
    assert tree(tmp_path / "one" / "dist") == tree(tmp_path / "two" / "dist")


def test_offline_with_an_empty_cache_is_a_problem_of_each_entry(
    tmp_path: Path,
    registry: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DOCTROVE_NPM_REGISTRY", registry)
    authoring = clone(tmp_path / "one")
    assert main(["--update", str(authoring), "-q", "--cache", str(tmp_path / "other")]) == 0
    assert build(authoring, "--offline", "--format", "json") == 1
    failed = import_failures(capsys.readouterr().out)
    assert [one["line"] for one in failed] == [4, 5]
    assert all("--offline downloads nothing" in one["message"] for one in failed)


def test_a_changed_option_makes_that_volume_alone_anew(
    tmp_path: Path, registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCTROVE_NPM_REGISTRY", registry)
    authoring = clone(tmp_path / "one")
    assert main(["--update", str(authoring), "-q", "--cache", str(tmp_path / "one/cache")]) == 0
    assert build(authoring) == 0
    kept = tmp_path / "one" / "cache" / "imports"
    before = {folder.name: folder.stat().st_mtime_ns for folder in kept.iterdir()}
    changed = PROJECT.replace('version: "2.0.0" }', 'version: "2.0.0", license: MIT }')
    (authoring / "doctrove.yaml").write_text(changed)
    assert build(authoring, "--offline") == 0
    after = {folder.name: folder.stat().st_mtime_ns for folder in kept.iterdir()}
    assert before.items() <= after.items()
    assert (len(before), len(after)) == (2, 3)


class Changed(BaseHTTPRequestHandler):
    """Gives another file under every address."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "5")
        self.end_headers()
        self.wfile.write(b"other")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


def test_a_file_that_is_not_the_pinned_one_is_refused(
    tmp_path: Path,
    registry: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DOCTROVE_NPM_REGISTRY", registry)
    authoring = clone(tmp_path / "one")
    assert main(["--update", str(authoring), "-q", "--cache", str(tmp_path / "other")]) == 0
    with ThreadingHTTPServer(("127.0.0.1", 0), Changed) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}/"
        lock = authoring / "doctrove.lock"
        lock.write_text(lock.read_text().replace(registry, address))
        monkeypatch.setenv("DOCTROVE_NPM_REGISTRY", address)
        assert build(authoring, "--format", "json") == 1
        server.shutdown()
        thread.join()
    first = import_failures(capsys.readouterr().out)[0]
    assert first["message"] == "npm:good@1.0.0 is not what was pinned: its sha256 differs"


def test_a_volume_may_extend_an_imported_one_and_correct_it_by_hand(
    tmp_path: Path, registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCTROVE_NPM_REGISTRY", registry)
    authoring = clone(tmp_path / "one")
    assert main(["--update", str(authoring), "-q", "--cache", str(tmp_path / "one/cache")]) == 0
    own = authoring / "good" / "2.0.1"
    own.mkdir(parents=True)
    (own / "volume.yaml").write_text('extends: "2.0.0"\n')
    (own / "index.md").write_text("# Good\n\nCorrected by hand.\n")
    (own / "more.md").write_text("# More\n\nWritten by hand. See [good](index.md).\n")
    assert build(authoring) == 0
    found = sections(authoring)
    assert found["2.0.0 index"]["body"] == "Newer."
    assert found["2.0.1 index"]["body"] == "Corrected by hand."
    assert found["2.0.1 index"]["source"]["file"] == "good/2.0.1/index.md"
    assert "2.0.1 more" in found


KILLED = """
import os, signal, sys
from doctrove_builder.cli.import_ import main

def kill_while_the_volume_is_written(event, arguments):
    if event == "os.rename" and str(arguments[1]).endswith("page-5.md"):
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

sys.addaudithook(kill_while_the_volume_is_written)
sys.exit(main())
"""


def test_a_killed_import_leaves_no_part_of_a_volume_and_the_next_one_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authoring = clone(tmp_path / "one", "format: doctrove-authoring@1\n")
    docs = tmp_path / "one" / "docs"
    docs.mkdir()
    for number in range(10):
        (docs / f"page-{number}.md").write_text(f"# Page {number}\n\nWords.\n")
    monkeypatch.chdir(tmp_path / "one")
    source = ["markdown", "docs", "--id", "acme", "--version", "1.0.0", "-q", "--into"]
    assert main([*source, "whole"]) == 0
    volume = authoring / "acme" / "1.0.0"
    killed = subprocess.run([sys.executable, "-c", KILLED, *source, "authoring"], check=False)
    assert killed.returncode != 0
    assert len(list(volume.parent.glob(".1.0.0.new-*/page-*.md"))) == 5
    assert not volume.exists()
    assert main([*source, "authoring"]) == 0
    ended = tree(authoring)
    ended.pop("doctrove.yaml")
    assert ended == tree(tmp_path / "one" / "whole")
