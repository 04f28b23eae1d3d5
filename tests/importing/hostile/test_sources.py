"""Hostile sources through the command: a clear sentence, nothing executed, nothing outside."""

from __future__ import annotations

import io
import tarfile
import zlib
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.cli.import_ import main

if TYPE_CHECKING:
    from pathlib import Path

MIB = 1024 * 1024
PACKAGE = {
    "x-1/pyproject.toml": b"[project]\nname = 'x'\n",
    "x-1/x/__init__.py": b'"""X."""\ndef f():\n    """Do."""\n',
}
NPM = {
    "package/package.json": b'{"name": "x", "types": "index.d.ts"}',
    "package/index.d.ts": b"/** Do. */\nexport declare function f(): void;\n",
}
SPHINX = {"x-1/docs/index.rst": b"X\n=\n\nText.\n"}
SOURCES = {"python": PACKAGE, "npm": NPM, "sphinx": SPHINX}


def _pack(path: Path, files: dict[str, bytes], *, link: str = "", device: bool = False) -> str:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        if link:
            member = tarfile.TarInfo("x-1/leak.md")
            member.type, member.linkname = tarfile.SYMTYPE, link
            archive.addfile(member)
        if device:
            member = tarfile.TarInfo("x-1/pipe.md")
            member.type = tarfile.FIFOTYPE
            archive.addfile(member)
    return str(path)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own, and the working folder in it."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    return project


def _import(kind: str, source: str, *more: str) -> int:
    named = ("--id", "x", "--version", "1", "--into", "authoring", "-q")
    return main([kind, source, *named, *more])


def _files(folder: Path) -> set[str]:
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and path.parts[len(folder.parts)] not in {"authoring", ".doctrove"}
    }


@pytest.mark.parametrize("kind", SOURCES)
def test_programs_of_a_source_are_never_run(kind: str, place: Path) -> None:
    marker = place.parent / "was-executed"
    program = f"open({str(marker)!r}, 'w').write('x')\nraise SystemExit(1)\n".encode()
    script = b'{"name": "x", "types": "index.d.ts", "scripts": {"preinstall": "exit 1"}}'
    top = next(iter(SOURCES[kind])).partition("/")[0]
    files = {
        **SOURCES[kind],
        f"{top}/setup.py": program,
        f"{top}/docs/conf.py": program,
        f"{top}/conftest.py": program,
        **({f"{top}/package.json": script} if kind == "npm" else {}),
        **({f"{top}/x/run.py": program} if kind == "python" else {}),
    }
    assert _import(kind, _pack(place / "x-1.tar.gz", files)) == 0
    assert not marker.exists()
    assert _files(place) == {"x-1.tar.gz"}


@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize(
    "name",
    ["../../outside.md", "/outside.md", "x-1/../../outside.md", "C:\\outside.md"],
    ids=["climbing", "absolute", "climbing from within", "a drive"],
)
def test_an_archive_that_leads_out_is_refused(
    kind: str, name: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = _pack(place / "x-1.tar.gz", {**SOURCES[kind], name: b"# Out\n\nOut.\n"})
    assert _import(kind, archive) == 1
    said = capsys.readouterr().err
    assert "outside" in said
    assert "Traceback" not in said
    assert _files(place.parent) == {"project/x-1.tar.gz"}


@pytest.mark.parametrize("kind", SOURCES)
def test_links_and_devices_in_an_archive_are_not_followed(kind: str, place: Path) -> None:
    secret = place.parent / "secret.md"
    secret.write_text("# Secret\n\nhidden words\n")
    archive = _pack(place / "x-1.tar.gz", SOURCES[kind], link=str(secret), device=True)
    assert _import(kind, archive) == 0
    made = "".join(path.read_text() for path in (place / "authoring").rglob("*.md"))
    assert "Text." in made or "Do." in made
    assert "hidden words" not in made


@pytest.mark.parametrize("kind", SOURCES)
def test_a_bomb_is_refused(kind: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = _pack(place / "x-1.tar.gz", {**SOURCES[kind], "x-1/zeros.md": b"\0" * (64 * MIB)})
    assert _import(kind, archive) == 1
    assert "x-1.tar.gz" in capsys.readouterr().err


HUGE = {
    "python": ("x/big.py", b"x = 1\n" * (MIB + MIB // 2)),
    "npm": ("big.d.ts", b"export declare const a: 1;\n" * MIB),
    "sphinx": ("docs/big.rst", b"Text.\n" * (5 * MIB)),
}


@pytest.mark.parametrize("kind", HUGE)
def test_a_huge_file_is_left_out_and_named(
    kind: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = place / "source"
    for name, data in SOURCES[kind].items():
        path = folder / name.partition("/")[2]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    name, data = HUGE[kind]
    (folder / name).write_bytes(data)
    if kind == "npm":
        (folder / "index.d.ts").write_text('export * from "./big";\nexport declare const b: 1;\n')
    assert _import(kind, "source", "--report", "json") == 0
    assert f"{name} has more than" in capsys.readouterr().out


BYTES = {
    "python": ("x/bad.py", b'"""\xff\xfe Words."""\ndef g():\n    """\xc3\x28 more."""\n'),
    "npm": ("bad.d.ts", b"/** \xff\xfe words */\nexport declare const g: 1;\n"),
    "sphinx": ("docs/bad.rst", b"Bad\n===\n\n\xff\xfe words\n"),
}


@pytest.mark.parametrize("kind", BYTES)
def test_wrong_bytes_lose_nothing_else(kind: str, place: Path) -> None:
    folder = place / "source"
    for name, data in SOURCES[kind].items():
        path = folder / name.partition("/")[2]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    name, data = BYTES[kind]
    (folder / name).write_bytes(data)
    if kind == "npm":
        (folder / "index.d.ts").write_text('/** Do. */\nexport * from "./bad";\n')
    assert _import(kind, "source") == 0


def test_of_an_inventory_that_unpacks_without_end_the_beginning_is_read(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = place / "built"
    folder.mkdir()
    head = (
        b"# Sphinx inventory version 2\n# Project: X\n# Version: 1\n"
        b"# The remainder of this file is compressed using zlib.\n"
    )
    lines = b"m.f py:function 1 index.html#f " + b"-" * 960 + b"\n"
    (folder / "objects.inv").write_bytes(head + zlib.compress(lines * (64 * 1024)))
    (folder / "index.html").write_text("<body><h1>X</h1><p>Text.</p></body>")
    assert _import("sphinx", "built", "--report", "json") == 0
    assert "it unpacks to more than 16,777,216 bytes" in capsys.readouterr().out
    assert "Text." in (place / "authoring/x/1/index.md").read_text()
