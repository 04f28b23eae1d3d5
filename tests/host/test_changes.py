"""Changes on the disk are seen by the next request, and no response mixes two states."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from typing import TYPE_CHECKING

import pytest

from doctrove_server.host.catalog import FileCatalog, Folder
from doctrove_server.host.description import FileFacts
from doctrove_server.host.response import Policy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Ask = Callable[..., tuple[int, dict[str, str], bytes]]

LARGE = 64 * 1024 * 1024  # more than the buffers of a connection hold


def test_a_file_that_changes_is_sent_as_it_is_now(
    ask: Ask, serve: Callable[..., int], new_site: Path
) -> None:
    port = serve(new_site)
    tags: set[str] = set()
    for number in range(50):
        content = b"%04d" % number  # always as long, always as old
        (new_site / "notes.txt").write_bytes(content)
        os.utime(new_site / "notes.txt", (1_000_000_000, 1_000_000_000))
        _, fields, body = ask(port, "/notes.txt")
        assert body == content
        tags.add(fields["etag"])
    assert len(tags) == 50


def test_a_tree_may_be_exchanged_removed_and_come_back(
    ask: Ask, serve: Callable[..., int], new_site: Path
) -> None:
    port = serve(new_site)
    new = new_site.parent / "new"
    for number in range(10):
        shutil.copytree(new_site, new, symlinks=True, ignore=shutil.ignore_patterns("pipe"))
        (new / "index.html").write_text(f"{number}")
        (new / "guide" / "page.html").write_text(f"page {number}")
        new_site.rename(new_site.parent / "old")
        assert ask(port, "/")[0] == 404
        new.rename(new_site)
        assert ask(port, "/")[2] == b"%d" % number
        assert ask(port, "/guide/page.html")[2] == b"page %d" % number
        shutil.rmtree(new_site.parent / "old")
        assert ask(port, "/guide/page.html")[2] == b"page %d" % number
    shutil.rmtree(new_site)
    assert ask(port, "/")[2] == b"Not found.\n"
    new_site.write_bytes(b"a file where the folder was")
    assert ask(port, "/")[0] == 404


def find(catalog: FileCatalog, *parts: str) -> FileFacts | Folder | None:
    return asyncio.run(catalog.find(parts))


def make_catalog(root: Path, *, memory: int = 1 << 20) -> FileCatalog:
    return FileCatalog(str(root), policy=Policy(), memory=memory, settled_ns=0)


def test_a_file_is_described_once(new_site: Path) -> None:
    catalog = make_catalog(new_site)
    first = find(catalog, "guide", "page.html")
    assert isinstance(first, FileFacts)
    assert find(catalog, "guide", "page.html") is first


def test_a_file_that_changed_just_now_is_not_kept(new_site: Path) -> None:
    catalog = FileCatalog(str(new_site), policy=Policy())
    assert find(catalog, "notes.txt") is not find(catalog, "notes.txt")


def replace(site: Path) -> None:
    (site / "new").write_bytes(b"new")
    (site / "new").rename(site / "guide" / "page.html")


def lengthen(site: Path) -> None:
    (site / "guide" / "page.html").write_bytes(b"longer than it was before")


def exchange_folder(site: Path) -> None:
    shutil.copytree(site / "guide", site / "copy")
    (site / "guide").rename(site / "was")
    (site / "copy").rename(site / "guide")


def add_variant(site: Path) -> None:
    (site / "guide" / "page.html.gz").write_bytes(b"coded")


@pytest.mark.parametrize("change", [replace, lengthen, exchange_folder, add_variant])
def test_a_kept_file_is_described_anew_once_it_is_another(
    new_site: Path, change: Callable[[Path], None]
) -> None:
    catalog = make_catalog(new_site)
    before = find(catalog, "guide", "page.html")
    change(new_site)
    after = find(catalog, "guide", "page.html")
    assert isinstance(after, FileFacts)
    assert after is not before
    assert after.content == (new_site / "guide" / "page.html").read_bytes()
    assert after.codings == (("gzip",) if change is add_variant else ())


def remove(site: Path) -> None:
    (site / "guide" / "page.html").unlink()


def remove_folder(site: Path) -> None:
    shutil.rmtree(site / "guide")


def link_out(site: Path) -> None:
    remove(site)
    (site / "guide" / "page.html").symlink_to(site.parent / "outside" / "secret.txt")


def link_folder_out(site: Path) -> None:
    (site / "guide").rename(site.parent / "guide")
    (site / "guide").symlink_to(site.parent / "guide")


@pytest.mark.parametrize("change", [remove, remove_folder, link_out, link_folder_out])
def test_a_kept_file_that_is_gone_is_not_found(
    new_site: Path, change: Callable[[Path], None]
) -> None:
    catalog = make_catalog(new_site)
    assert isinstance(find(catalog, "guide", "page.html"), FileFacts)
    change(new_site)
    assert find(catalog, "guide", "page.html") is None


def test_what_is_kept_is_bounded_and_the_latest_stays(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_bytes(b"x" * 40)
    catalog = make_catalog(tmp_path, memory=100)
    first, second = find(catalog, "a"), find(catalog, "b")
    assert find(catalog, "a") is first
    third = find(catalog, "c")
    assert find(catalog, "a") is first
    assert find(catalog, "c") is third
    assert find(catalog, "b") is not second


def ask_for_large(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    connection.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert connection.recv(9) == b"HTTP/1.1 "
    return connection


def received(connection: socket.socket) -> int:
    with connection:
        return sum(map(len, iter(lambda: connection.recv(1 << 20), b"")))


@pytest.fixture
def large(new_site: Path) -> Path:
    with (new_site / "large").open("wb") as file:
        file.truncate(LARGE)
    return new_site / "large"


def test_a_download_of_a_file_that_shrinks_is_broken_off(
    ask: Ask, serve: Callable[..., int], large: Path
) -> None:
    port = serve(large.parent)
    connection = ask_for_large(port)
    os.truncate(large, 1000)
    assert received(connection) < LARGE
    assert ask(port, "/large")[1]["content-length"] == "1000"


def test_a_download_of_a_file_that_is_written_to_is_broken_off(
    serve: Callable[..., int], large: Path
) -> None:
    connection = ask_for_large(serve(large.parent))
    with large.open("r+b") as file:
        file.write(b"new")
    os.utime(large, (1_000_000_000, 1_000_000_000))
    assert received(connection) < LARGE


def test_a_download_of_a_file_that_is_replaced_is_finished(
    serve: Callable[..., int], large: Path
) -> None:
    connection = ask_for_large(serve(large.parent))
    (large.parent / "new").write_bytes(b"new")
    (large.parent / "new").rename(large)
    assert received(connection) > LARGE
