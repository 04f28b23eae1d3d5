"""The parts of the preview that need no process."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from doctrove_builder.pipeline.progress import Silent
from doctrove_builder.watch.changes import Changes
from doctrove_builder.watch.errors import Stopped, Superseded
from doctrove_builder.watch.host import is_foreign, preview_hosts
from doctrove_builder.watch.interruption import Interruptible
from doctrove_builder.watch.served import Served
from doctrove_builder.watch.watching import file_system, is_of_interest


@pytest.mark.parametrize(
    ("fields", "foreign"),
    [
        ({}, False),
        ({"host": "127.0.0.1:8731", "origin": "http://127.0.0.1:8731"}, False),
        ({"host": "LOCALHOST:8731", "origin": "http://localhost:8731"}, False),
        ({"host": "127.0.0.1:8731", "origin": "http://127.0.0.1:9000"}, True),
        ({"host": "127.0.0.1:8731", "origin": "https://127.0.0.1:8731"}, True),
        ({"host": "127.0.0.1:8731", "origin": "null"}, True),
        ({"origin": "http://"}, False),
        ({"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}, False),
        ({"sec-fetch-site": "none", "sec-fetch-mode": "navigate"}, False),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, False),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, True),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"}, True),
    ],
    ids=str,
)
def test_only_other_origins_are_foreign(fields: dict[str, str], foreign: bool) -> None:
    listed = [(name.encode(), text.encode()) for name, text in fields.items()]
    assert is_foreign(listed) is foreign


@pytest.mark.parametrize(
    ("address", "allowed", "host", "admitted"),
    [
        ("127.0.0.1", (), "127.0.0.1:8732", True),
        ("127.0.0.1", (), "localhost", True),
        ("127.0.0.1", (), "192.0.2.7", False),
        ("127.0.0.1", (), "evil.example", False),
        ("127.0.0.1", ("docs.test",), "docs.test:8732", True),
        ("0.0.0.0", (), "192.0.2.7:8732", True),
        ("0.0.0.0", (), "[2001:db8::7]:8732", True),
        ("0.0.0.0", (), "localhost:8732", True),
        ("0.0.0.0", (), "evil.example", False),
        ("0.0.0.0", (), "192.0.2.7.evil.example", False),
        ("0.0.0.0", ("docs.test",), "DOCS.test.", True),
        ("0.0.0.0", ("docs.test",), "192.0.2.7", True),
        ("0.0.0.0", ("docs.test",), "evil.example", False),
        ("box.local", (), "box.local:8732", True),
    ],
)
def test_a_name_has_to_be_allowed_and_an_address_is_safe(
    address: str, allowed: tuple[str, ...], host: str, admitted: bool
) -> None:
    assert preview_hosts(address, allowed).admits(host.encode()) is admitted


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("tool/1.0.0/guide.md", True),
        ("_templates/page.html", True),
        (".", True),
        ("tool/1.0.0/.guide.md.swp", False),
        (".git/index", False),
        ("tool/1.0.0/4913", False),
        ("tool/1.0.0/guide.md~", False),
    ],
)
def test_files_that_are_passed_over_are_not_watched(path: str, wanted: bool) -> None:
    assert is_of_interest(path.replace("/", os.sep)) is wanted


@pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="no list of mounts here")
def test_the_kind_of_file_system_is_known() -> None:
    assert file_system(Path("/proc/self")) == "proc"


def test_a_burst_of_changes_is_taken_once() -> None:
    changes = Changes(quiet=0.05, longest=60)
    for _ in range(100):
        changes.notify()
    assert changes.wait(0)
    changes.take()
    assert not changes.pending
    assert not changes.wait(0)


def test_a_burst_without_end_is_taken_all_the_same() -> None:
    changes = Changes(quiet=60, longest=0)
    changes.notify()
    thread = threading.Thread(target=changes.take)
    thread.start()
    thread.join(30)
    assert not changes.pending


def test_a_build_is_interrupted_by_a_change_and_by_the_end() -> None:
    changes = Changes()
    progress = Interruptible(Silent(), changes)
    progress.step("parse", 1)
    changes.notify()
    with pytest.raises(Superseded):
        progress.advance(1)
    Interruptible(Silent(), changes, until=0).advance(1)  # patience is at its end
    changes.stop()
    with pytest.raises(Stopped):
        progress.advance(1)


def test_a_page_carries_the_version_that_is_known_of_it(tmp_path: Path) -> None:
    served = Served(tmp_path, script=b"script", style=b"style")
    assert served.write("a b/index.html", b"<html><head></head>one</html>")
    version = served.version_at("/a%20b/")
    text = (served.root / "a b/index.html").read_text()
    assert f'data-version="{version}"></script></head>one' in text
    assert not served.write("a b/index.html", b"<html><head></head>one</html>")
    assert served.write("a b/index.html", b"<html><head></head>two</html>")
    assert served.version_at("/a%20b/") != version
    assert served.version_at("/nothing/") == ""
    served.write("404.html", b"<html></html>")
    assert served.version_at("/nothing/") == served.version_at("/404.html") != ""


def test_files_take_the_place_of_folders_and_leave_none_that_is_empty(tmp_path: Path) -> None:
    served = Served(tmp_path, script=b"script", style=b"style")
    served.write("a/b/c.txt", b"deep")
    served.write("a/b", b"a file now")
    assert (served.root / "a/b").read_bytes() == b"a file now"
    served.write("a/b/c.txt", b"deep again")
    assert (served.root / "a/b/c.txt").read_bytes() == b"deep again"
    served.remove("a/b/c.txt")
    assert not (served.root / "a").exists()
    assert "a/b/c.txt" not in served.sizes()
