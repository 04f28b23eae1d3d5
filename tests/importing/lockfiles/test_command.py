"""`doctrove-import lock` with a registry on a socket of this machine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from base64 import b64encode
from hashlib import sha512
from typing import TYPE_CHECKING, NamedTuple

import pytest

from doctrove_builder.cli.import_ import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


PROGRAM = "import sys; from doctrove_builder.cli.import_ import main; sys.exit(main())"


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Done]:
    """Import the lock file of the folder with this registry."""
    monkeypatch.chdir(tmp_path)

    def lock_command(registry: str, *arguments: str) -> Done:
        monkeypatch.setenv("DOCTROVE_NPM_REGISTRY", registry)
        code = main(["lock", *arguments])
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return lock_command


def lock(folder: Path, *packages: str, integrity: str = "") -> None:
    entries = {
        f"{'node_modules/x/' * at}node_modules/{name.partition('@')[0]}": {
            "version": name.partition("@")[2],
            "integrity": integrity,
        }
        for at, name in enumerate(packages)
    }
    text = json.dumps({"lockfileVersion": 3, "packages": entries})
    (folder / "package-lock.json").write_text(text)


def test_every_package_becomes_a_volume_of_its_version(
    run: Callable[..., Done], tmp_path: Path, registry: str
) -> None:
    lock(tmp_path, "good@1.0.0", "good@2.0.0", "bare@1.0.0")
    done = run(registry, "package-lock.json", "--into", "authoring")
    assert done.code == 0, done.err
    assert "package-lock.json: 2 volumes with 2 sections" in done.err
    assert "1 without anything to read\n    bare 1.0.0: " in done.err
    assert "Newer." in (tmp_path / "authoring/good/2.0.0/index.md").read_text()
    assert "Text." in (tmp_path / "authoring/good/1.0.0/index.md").read_text()
    assert not (tmp_path / "authoring/bare").exists()
    again = run(registry, "package-lock.json", "--into", "authoring", "--report", "json")
    assert [one["version"] for one in json.loads(again.out)["imports"]] == ["1.0.0", "2.0.0"]


def test_a_package_that_is_not_there_is_said_and_the_others_are_imported(
    run: Callable[..., Done], tmp_path: Path, registry: str
) -> None:
    lock(tmp_path, "good@1.0.0", "gone@1.0.0")
    done = run(registry, "package-lock.json", "--into", "authoring", "--quiet")
    assert done.code == 1
    assert "1 failed\n    gone 1.0.0: " in done.err
    assert (tmp_path / "authoring/good/1.0.0/index.md").exists()


def test_a_second_run_asks_no_registry_for_what_it_has(
    run: Callable[..., Done], tmp_path: Path, registry: str
) -> None:
    lock(tmp_path, "good@1.0.0", "good@2.0.0", "gone@1.0.0")
    assert run(registry, "package-lock.json").code == 1
    done = run(registry, "package-lock.json", "--into", "authoring", "--offline")
    assert "2 volumes with 2 sections" in done.err
    assert "1 failed\n    gone 1.0.0: " in done.err
    assert "--offline downloads nothing" in done.err


def test_a_package_that_is_not_the_locked_one_is_refused(
    run: Callable[..., Done], tmp_path: Path, registry: str
) -> None:
    other = b64encode(sha512(b"the package of a company's own registry").digest()).decode()
    for _ in range(2):  # from the registry, then from what is kept
        lock(tmp_path, "good@1.0.0", integrity=f"sha512-{other}")
        done = run(registry, "package-lock.json", "--into", "authoring")
        assert done.code == 1
        assert "is not what the lock file pins: it has none of its hashes" in done.err
        assert not (tmp_path / "authoring").exists()
        lock(tmp_path, "good@1.0.0")
        assert run(registry, "package-lock.json").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "SOURCE is missing"),
        (["package-lock.json", "--id", "x"], "leave out --id"),
        (["package-lock.json", "--option", "only=zzz"], "no package 'zzz'"),
    ],
)
def test_wrong_usage_is_said_with_exit_code_2(
    run: Callable[..., Done], tmp_path: Path, arguments: list[str], said: str
) -> None:
    lock(tmp_path, "good@1.0.0")
    done = run("http://127.0.0.1:9/", *arguments)
    assert done.code == 2
    assert said in done.err


def test_ctrl_c_ends_it_while_downloads_wait(tmp_path: Path) -> None:
    lock(tmp_path, *(f"slow{at}@1.0.0" for at in range(9)))
    with socket.create_server(("127.0.0.1", 0)) as server:
        command = [
            sys.executable,
            "-c",
            PROGRAM,
            "lock",
            "package-lock.json",
            "--into",
            "authoring",
        ]
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            env={**os.environ, "DOCTROVE_NPM_REGISTRY": address},
            stderr=subprocess.PIPE,
            text=True,
        )
        asked = [server.accept()[0] for _ in range(4)]  # none of them is answered
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        for one in asked:
            one.close()
    assert process.returncode == 130
    assert said.splitlines()[-1] == "doctrove-import: interrupted"
    assert "Traceback" not in said
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["package-lock.json"]
