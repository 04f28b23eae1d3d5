"""Archives are read and never unpacked: hostile ones are refused with a reason."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.importing.errors import FileRefused, SourceRefused
from doctrove_builder.importing.source_archive import ArchiveLimits, open_archive

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


_PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


def tar_of(
    files: Mapping[str, bytes], links: Mapping[str, str] | None = None, *, suffix: str = "gz"
) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        for name, target in (links or {}).items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)
    return _PACK[suffix](packed.getvalue())


def zip_of(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


FILES = {"acme-1.0/docs/a.md": b"# A\r\n", "acme-1.0/setup.py": b"open('x', 'w')"}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("acme-1.0.tar.gz", tar_of(FILES), id="tar.gz"),
        pytest.param("acme-1.0.tar.bz2", tar_of(FILES, suffix="bz2"), id="tar.bz2"),
        pytest.param("acme-1.0.tar.xz", tar_of(FILES, suffix="xz"), id="tar.xz"),
        pytest.param("acme-1.0.zip", zip_of(FILES), id="zip"),
    ],
)
def test_an_archive_is_a_tree_without_its_one_top_folder(name: str, data: bytes) -> None:
    tree = open_archive(data, name=name)
    assert tree.paths == ("docs/a.md", "setup.py")
    assert tree.read_text("docs/a.md") == "# A\n"
    assert tree.under("docs") == ("docs/a.md",)


def test_a_wheel_keeps_its_folders() -> None:
    assert open_archive(
        zip_of({"acme/__init__.py": b""}), name="acme-1-py3-none-any.whl"
    ).paths == ("acme/__init__.py",)


@pytest.mark.parametrize(
    "entry", ["../evil", "a/../../evil", "/etc/passwd", "C:/evil", "a\\..\\..\\evil"]
)
@pytest.mark.parametrize("form", ["zip", "tar"])
def test_an_entry_that_leads_out_makes_the_archive_refused(entry: str, form: str) -> None:
    data = zip_of({entry: b"x"}) if form == "zip" else tar_of({entry: b"x"})
    with pytest.raises(SourceRefused, match="leads out of its folder"):
        open_archive(data, name="a.zip" if form == "zip" else "a.tar.gz")


def test_links_are_left_out_and_said() -> None:
    tree = open_archive(
        tar_of({"a/x.md": b"x"}, {"a/link": "/etc/passwd", "a/up": "../.."}), name="a.tgz"
    )
    assert tree.paths == ("x.md",)
    assert [path for path, _ in tree.skipped] == ["a/link", "a/up"]


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    limits = ArchiveLimits(ratio_from=1 << 20)
    zeros = bytes(1 << 23)
    with pytest.raises(SourceRefused, match="archive bomb"):
        open_archive(tar_of({"a": zeros}), name="a.tar.gz", limits=limits)
    with pytest.raises(SourceRefused, match="archive bomb"):
        open_archive(zip_of({"a": zeros}), name="a.zip", limits=limits)
    with pytest.raises(SourceRefused, match="unpacks to more than"):
        open_archive(zip_of({"a": zeros}), name="a.zip", limits=ArchiveLimits(unpacked=1 << 20))


def test_too_many_entries_are_refused() -> None:
    many = {f"f{number}": b"" for number in range(30)}
    for data, name in ((zip_of(many), "a.zip"), (tar_of(many), "a.tgz")):
        with pytest.raises(SourceRefused, match="more than 20 entries"):
            open_archive(data, name=name, limits=ArchiveLimits(entries=20))


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tar.xz", "a.tar", "a.whl"])
@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"PK\x03\x04 and no more", id="zip-cut-off"),
        pytest.param(gzip.compress(b"not a tar" * 100)[:40], id="gzip-cut-off"),
        pytest.param(b"\xfd7zXZ\x00 broken", id="xz-broken"),
        pytest.param(bytes(600), id="zeros"),
    ],
)
def test_a_damaged_archive_is_refused_or_empty(name: str, data: bytes) -> None:
    if data == bytes(600) and ".tar" in name:
        assert open_archive(data, name=name).paths == ()  # an archive that ends at once
        return
    with pytest.raises(SourceRefused, match=name):
        open_archive(data, name=name)


def test_an_encrypted_entry_is_said_in_plain_words() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.md", "# A")
    data = bytearray(packed.getvalue())
    data[6] |= 1  # the flag in the entry's own header, and in the central directory
    data[data.index(b"PK\x01\x02") + 8] |= 1
    tree = open_archive(bytes(data), name="a.zip")
    with pytest.raises(SourceRefused, match=r"^a\.md cannot be unpacked: it is encrypted$"):
        tree.read_bytes("a.md")


def test_a_file_above_the_limit_is_refused_alone() -> None:
    tree = open_archive(zip_of({"a.md": b"x" * 2_000, "b.md": b"y"}), name="a.zip")
    with pytest.raises(FileRefused, match="more than 1,000 bytes"):
        tree.read_bytes("a.md", limit=1_000)
    assert tree.read_text("b.md") == "y"
