"""Which folders may be replaced: a table of refusals, each of which touches nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.writing import (
    DestinationRefused,
    DiskFailed,
    check_destination,
    publish_tree,
)
from doctrove_builder.writing.mounts import mount_point

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_builder.writing import Artefact

    Make = Callable[[dict[str, str]], list[Artefact]]
    Look = Callable[[Path], dict[str, str]]


@pytest.fixture
def project(tmp_path: Path, artefacts: Make, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project with all kinds of destinations, and work in it."""
    root = tmp_path / "home" / "work" / "project"
    (root / "authoring/express/5.1.0").mkdir(parents=True)
    (root / "authoring/doctrove.yaml").write_text("title: T\n", "utf-8")
    (root / ".doctrove").mkdir()
    (root / "docs").mkdir()
    (root / "docs/readme.txt").write_text("precious", "utf-8")
    (root / "app").mkdir()
    (root / "app/manifest.json").write_text('{"name": "web app"}', "utf-8")
    (root / "badmark").mkdir()
    (root / "badmark/manifest.json").write_bytes(b'{"format":"doctrove-manifest@1"')
    (root / "linkmark").mkdir()
    (root / "file").write_text("precious", "utf-8")
    (root / "empty").mkdir()
    (root / "pages").mkdir()
    (root / "pages/.git").write_text("gitdir: x", "utf-8")
    (root / "pages/CNAME").write_text("docs.example.org", "utf-8")
    (root / "to-source").symlink_to("authoring")
    (root / "to-project").symlink_to("..")
    (root / "to-nowhere").symlink_to("nowhere")
    (root / "circle").symlink_to("circle")
    os.mkfifo(root / "pipe")
    publish_tree(root / "dist", artefacts({"index.html": "home"}))
    (root / "linkmark/manifest.json").symlink_to(root / "dist/manifest.json")
    (root / "to-dist").symlink_to("dist")
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return root


@pytest.mark.parametrize(
    "dest",
    ["dist", "new", "new/deeper", "empty", "pages", "to-dist", "to-nowhere", "authoring-dist"],
)
def test_a_destination_is_accepted_when_it_is(project: Path, dest: str) -> None:
    check_destination(Path("authoring"), Path(dest), cache=Path(".doctrove"))
    check_destination(project / "authoring", project / dest, cache=project / ".doctrove")


@pytest.mark.parametrize(
    ("dest", "why"),
    [
        ("authoring", "is the source itself"),
        ("authoring/", "is the source itself"),
        ("docs/../authoring", "is the source itself"),
        ("to-source", "is the source itself"),
        ("authoring/dist", "is inside the source authoring"),
        ("authoring/express/5.1.0", "is inside the source authoring"),
        ("to-source/dist", "is inside the source authoring"),
        (".", "holds the source authoring"),
        ("..", "holds the source authoring"),
        ("/", "holds the source authoring"),
        ("to-project", "holds the source authoring"),
        (".doctrove", "is the cache itself"),
        (".doctrove/dist", "is inside the cache .doctrove"),
        ("docs", "holds files that doctrove-build did not write (readme.txt; no manifest.json)"),
        ("app", "holds files that doctrove-build did not write (manifest.json; its manifest.json"),
        ("badmark", "holds files that doctrove-build did not write"),
        ("linkmark", "holds files that doctrove-build did not write"),
        ("file", "is not a folder"),
        ("pipe", "is not a folder"),
        ("circle", "is not a usable path"),
        ("nul\0byte", "is not a usable path"),
    ],
)
def test_a_destination_is_refused_when_it(project: Path, look: Look, dest: str, why: str) -> None:
    before = look(project / "authoring"), look(project / "docs"), sorted(project.iterdir())
    with pytest.raises(DestinationRefused) as caught:
        check_destination(Path("authoring"), Path(dest), cache=Path(".doctrove"))
    assert why in caught.value.message
    assert caught.value.hint
    after = look(project / "authoring"), look(project / "docs"), sorted(project.iterdir())
    assert after == before


@pytest.mark.parametrize(
    ("dest", "why"),
    [
        (".", "is or holds the working folder"),
        ("..", "is or holds the working folder"),
        ("~", "is or holds your home folder"),
        ("~/..", "is or holds your home folder"),
    ],
)
def test_even_apart_from_the_source_a_destination_is_refused_when_it(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dest: str, why: str
) -> None:
    work = tmp_path / "elsewhere" / "work"
    work.mkdir(parents=True)
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(tmp_path / "persons" / "me"))
    (tmp_path / "persons" / "me").mkdir(parents=True)
    with pytest.raises(DestinationRefused, match=why):
        check_destination(project / "authoring", Path(dest).expanduser())


def test_a_cache_inside_the_destination_is_refused_before_either_exists(project: Path) -> None:
    with pytest.raises(DestinationRefused, match="holds the cache"):
        check_destination(project / "authoring", Path("new"), cache=Path("new/.cache"))


def test_a_mount_point_is_refused_with_a_folder_inside_it_as_hint(
    tmp_path: Path, mount: Callable[..., Path]
) -> None:
    point = mount(tmp_path / "out", "-t", "tmpfs", "-o", "size=64k", "tmpfs")
    with pytest.raises(DestinationRefused, match="is a mount point") as caught:
        check_destination(tmp_path / "authoring", point)
    assert str(point / "site") in caught.value.hint
    check_destination(tmp_path / "authoring", point / "site")


def test_a_bind_mount_of_the_same_disk_is_a_mount_point(
    tmp_path: Path, mount: Callable[..., Path]
) -> None:
    (tmp_path / "real").mkdir()
    point = mount(tmp_path / "with space", "--bind", str(tmp_path / "real"))
    with pytest.raises(DestinationRefused, match="is a mount point"):
        check_destination(tmp_path / "authoring", point)


def test_a_mount_inside_the_destination_is_refused(
    tmp_path: Path, artefacts: Make, mount: Callable[..., Path]
) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts({"a/b": "1"}))
    point = mount(dest / "a", "-t", "tmpfs", "-o", "size=64k", "tmpfs")
    with pytest.raises(DestinationRefused, match=f"holds the mount point {point}"):
        publish_tree(dest, artefacts({"c": "2"}))


def test_a_source_seen_through_a_bind_mount_is_still_the_source(
    tmp_path: Path, mount: Callable[..., Path]
) -> None:
    (tmp_path / "authoring").mkdir()
    point = mount(tmp_path / "view", "--bind", str(tmp_path / "authoring"))
    with pytest.raises(DestinationRefused, match="is inside the source"):
        check_destination(tmp_path / "authoring", point / "dist")


@pytest.mark.parametrize(
    ("line", "point"),
    [
        ("36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw", "/mnt2"),
        (
            r"36 35 98:0 / /with\040space\011and\134more rw - tmpfs tmpfs rw",
            "/with space\tand\\more",
        ),
    ],
)
def test_a_mount_point_is_read_from_its_line(line: str, point: str) -> None:
    assert mount_point(line) == point


def test_a_destination_that_cannot_be_looked_at_is_an_error_of_the_disk(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DiskFailed, match=r"cannot read .*: not a directory"):
        check_destination(tmp_path / "authoring", tmp_path / "file" / "dist")
