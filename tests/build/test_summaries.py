"""`doctrove-build --summaries`: a model that answers well, wrongly, or not at all."""

from __future__ import annotations

import http.server
import json
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from doctrove_builder.cli.build import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Run = Callable[..., "Ran"]

TEXT = """\
`Server({n})` listens on one port and answers each request in its own task. It reads its settings
once, when it starts; a change of them needs a restart.

- `port`: Where it listens, a number. Defaults to `{n}8730`.
- `host`: The address. Defaults to `"127.0.0.1"`.
- `timeout` (seconds): How long a request may take before it ends.

`Server.run` raises `PortInUse` when the port is taken. It does not retry by itself. Set the
environment variable `SERVER_PORT` to override `port`.
"""


class Ran(NamedTuple):
    """A build that is done."""

    returncode: int
    stdout: str
    stderr: str


class Model:
    """A loopback endpoint; `answer` makes its text of the documentation that it is asked about."""

    def __init__(self) -> None:
        self.asked = 0
        self.status = 200
        self.answer: Callable[[str], str] = lambda text: text.split(". ")[0] + "."
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                question: dict[str, Any] = json.loads(
                    self.rfile.read(int(self.headers["Content-Length"]))
                )
                outer.asked += 1
                prompt: str = question["messages"][0]["content"]
                text = prompt.partition("<documentation>\n")[2]
                message = {"choices": [{"message": {"content": outer.answer(text)}}]}
                body = json.dumps(message).encode()
                self.send_response(outer.status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.env = {
            "DOCTROVE_LLM_URL": f"http://127.0.0.1:{self._server.server_address[1]}/v1",
            "DOCTROVE_LLM_MODEL": "small",
            "DOCTROVE_LLM_API_KEY": "secret-key",
        }
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def model() -> Iterator[Model]:
    made = Model()
    yield made
    made.close()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a build of two volumes that share a section, in a folder of its own."""
    for version, count in (("1.0.0", 1), ("2.0.0", 5)):
        folder = tmp_path / "authoring" / "acme" / version
        folder.mkdir(parents=True)
        for n in range(count):
            (folder / f"page{n}.md").write_text(f"# Page {n}\n\n{TEXT.replace('{n}', str(n))}")
    (tmp_path / "authoring" / "acme" / "library.yaml").write_text("id: acme\nname: Acme\n")
    options = "format: doctrove-authoring@1\ntitle: T\noptions:\n  search: 'off'\n"
    (tmp_path / "authoring" / "doctrove.yaml").write_text(options)

    def ran(*arguments: str, env: dict[str, str] | None = None) -> Ran:
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path)
            for name in ("URL", "MODEL", "API_KEY"):
                patch.delenv(f"DOCTROVE_LLM_{name}", raising=False)
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            code = main(["authoring", "dist", "--jobs", "1", *arguments])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return ran


def sections(folder: Path) -> list[dict[str, Any]]:
    index = json.loads((folder / "dist" / "index.json").read_text("utf-8"))
    volumes = index["entries"][0]["volumes"].values()
    return [section for volume in volumes for section in volume["sections"]]


def tree(folder: Path) -> dict[str, bytes]:
    dist = folder / "dist"
    return {str(f.relative_to(dist)): f.read_bytes() for f in dist.rglob("*") if f.is_file()}


def test_a_summary_of_each_text_is_published_and_each_text_is_asked_about_once(
    run: Run, model: Model, tmp_path: Path
) -> None:
    done = run("--summaries", env=model.env)
    assert done.returncode == 0, done.stderr
    assert (
        "summaries: 5 of 5 texts; 0 refused by the checks, 5 questions to the model" in done.stdout
    )
    made = sections(tmp_path)
    assert len(made) == 6
    assert all(section["summary"].startswith("`Server(") for section in made)
    assert {section["summaryBy"] for section in made} == {"small"}
    assert model.asked == 5
    page = json.loads((tmp_path / "dist/acme/2.0.0/page1/index.json").read_text("utf-8"))
    assert page["sections"][0]["summary"] == made[1]["summary"]


def test_a_build_without_a_model_publishes_the_same_from_a_committed_folder(
    run: Run, model: Model, tmp_path: Path
) -> None:
    assert run("--no-html", "--summaries-dir", "kept", env=model.env).returncode == 0
    first = tree(tmp_path)
    for arguments in ((), ("--clean", "--cache", "other")):
        done = run("--no-html", "--summaries-dir", "kept", *arguments)
        assert done.returncode == 0
        assert "5 of 5 texts; 0 refused by the checks, 0 questions" in done.stdout
        assert tree(tmp_path) == first
    done = run("--no-html", "--summaries-dir", "kept", "--offline", env=model.env)
    assert tree(tmp_path) == first
    run("--no-html", "--summaries-dir", "kept", env={"DOCTROVE_LLM_MODEL": "another"})
    assert not any("summary" in section for section in sections(tmp_path))
    assert model.asked == 5


def test_an_answer_that_does_not_pass_is_not_published_and_not_asked_for_again(
    run: Run, model: Model, tmp_path: Path
) -> None:
    model.answer = lambda _text: "`port` defaults to `9999`."
    for questions in ("5 questions", "0 questions"):
        done = run("--no-html", "--summaries", env=model.env)
        assert done.returncode == 0
        assert f"0 of 5 texts; 5 refused by the checks, {questions}" in done.stdout
        assert "warning" not in done.stderr
    assert not any("summary" in section for section in sections(tmp_path))
    assert model.asked == 5


def test_a_model_that_fails_is_a_warning_and_is_asked_again_by_the_next_build(
    run: Run, model: Model, tmp_path: Path
) -> None:
    model.status = 401
    done = run("--no-html", "--summaries", "--strict", env=model.env)
    assert done.returncode == 0
    assert (
        "warning: summaries: 5 texts without an answer: the endpoint answered status 401;"
        " the model failed 3 times in a row\n" in done.stderr
    )
    assert done.stderr.count("without an answer") == 1
    questions = int(done.stdout.split("refused by the checks, ")[1].split(" ")[0])
    assert questions == model.asked < 5
    assert "secret-key" not in done.stderr + done.stdout
    assert not any("summary" in section for section in sections(tmp_path))
    model.status = 200
    assert "5 of 5 texts" in run("--no-html", "--summaries", env=model.env).stdout


def test_nobody_listening_does_not_hold_a_build_up(run: Run, tmp_path: Path) -> None:
    done = run("--no-html", "--summaries", env={"DOCTROVE_LLM_URL": "http://127.0.0.1:9/v1"})
    assert done.returncode == 0
    assert "the model gave no answer: ConnectError" in done.stderr
    assert len(sections(tmp_path)) == 6


def test_only_what_is_built_is_asked_about(run: Run, model: Model, tmp_path: Path) -> None:
    assert run().returncode == 0
    done = run("--only", "acme@1.0.0", "--summaries", env=model.env)
    assert done.returncode == 0, done.stderr
    assert model.asked == 1
    assert ["summary" in section for section in sections(tmp_path)].count(True) == 1
    assert run("--only", "acme@2.0.0").returncode == 0
    assert ["summary" in section for section in sections(tmp_path)].count(True) == 1


def test_a_broken_answer_in_the_folder_is_as_none(run: Run, model: Model, tmp_path: Path) -> None:
    run("--no-html", "--summaries-dir", "kept", env=model.env)
    for file in (tmp_path / "kept").rglob("*.md"):
        file.write_bytes(b"\xff\xfe")
    done = run("--no-html", "--summaries-dir", "kept")
    assert (done.returncode, "0 of 5 texts; 0 refused" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "env", "message"),
    [
        (("--check", "--summaries"), {}, "--check writes nothing"),
        (("--summaries-dir", "authoring/kept"), {}, "is in SRC"),
        (("--summaries-dir", "dist/kept"), {}, "is in DEST"),
        (("--summaries-dir", "authoring/acme/library.yaml"), {}, "names the file"),
        (("--summaries",), {"DOCTROVE_LLM_URL": "ftp://h"}, "DOCTROVE_LLM_URL"),
    ],
    ids=["check", "in SRC", "in DEST", "a file", "no URL"],
)
def test_wrong_usage_is_named(
    run: Run, arguments: tuple[str, ...], env: dict[str, str], message: str, tmp_path: Path
) -> None:
    done = run(*arguments, env=env)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "dist").exists()
