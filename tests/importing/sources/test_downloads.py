"""Downloads come from registries and allowed hosts, and are checked against their pins."""

from __future__ import annotations

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.importing.addresses import is_private
from doctrove_builder.importing.errors import DownloadFailed, LockRefused, SourceRefused
from doctrove_builder.importing.fetching import Network, NoNetwork
from doctrove_builder.importing.lock import Pin, lock_bytes, parse_lock, read_lock
from doctrove_builder.importing.reach import Reach, project_root
from doctrove_builder.importing.registry import (
    Registries,
    check_integrity,
    find_npm,
    find_pypi,
)
from doctrove_builder.importing.sources import open_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SDIST = b"not really an sdist"


class Registry(BaseHTTPRequestHandler):
    """Answers as PyPI's Simple API and npm's registry do."""

    def do_GET(self) -> None:
        base = f"http://{self.headers['host']}"
        digest = hashlib.sha256(SDIST).hexdigest()
        answers: dict[str, object] = {
            "/simple/acme/": {
                "files": [
                    {
                        "filename": "acme-1.0-py3-none-any.whl",
                        "url": f"{base}/w",
                        "hashes": {"sha256": "0" * 64},
                    },
                    {
                        "filename": "acme-1.0.tar.gz",
                        "url": "../../files/acme-1.0.tar.gz#sha256=1",
                        "hashes": {"sha256": digest},
                    },
                    {"filename": "acme-0.9.zip", "url": f"{base}/z", "hashes": {}},
                    {"filename": "strange", "url": f"{base}/s", "hashes": {}},
                ]
            },
            "/simple/attrs/": {
                "files": [
                    {"filename": f"attrs-{one}.tar.gz", "url": base, "hashes": {}}
                    for one in ("9.9.0", "19.3.0", "25.3.0", "25.4.0rc1")
                ]
            },
            "/@acme%2Fbox": {"versions": {"1.9.0": {}, "2.0.0": {}, "10.0.0": {}}},
            "/@acme%2Fbox/2.0.0": {
                "dist": {"tarball": f"{base}/files/box.tgz", "integrity": "sha512-AAAA"},
                "license": "MIT",
            },
        }
        if self.path == "/away":
            self.send_response(302)
            self.send_header("location", "http://169.254.169.254/latest/meta-data/")
            self.end_headers()
            return
        if self.path == "/circle":
            self.send_response(302)
            self.send_header("location", "/circle")
            self.end_headers()
            return
        if self.path in answers:
            body = json.dumps(answers[self.path]).encode()
        elif self.path == "/files/acme-1.0.tar.gz":
            body = SDIST
        else:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


@pytest.fixture(scope="module")
def registry() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_pypi_gives_the_sdist_of_a_version(registry: str) -> None:
    network = Network(hosts=(), trusted=[registry])
    found = find_pypi("Acme", "1.0.0", network=network, index=f"{registry}/simple")
    assert found.url == f"{registry}/files/acme-1.0.tar.gz"
    assert found.integrity == f"sha256-{hashlib.sha256(SDIST).hexdigest()}"
    locked = [f"sha256-{'0' * 64}"]
    wheel = find_pypi("acme", "1.0", network=network, index=f"{registry}/simple/", hashes=locked)
    assert wheel.name == "acme-1.0-py3-none-any.whl"


def test_a_version_that_is_not_there_is_said_with_the_nearest(registry: str) -> None:
    network = Network(hosts=(), trusted=[registry])
    with pytest.raises(DownloadFailed, match=r"acme 1\.1 is not in the registry") as caught:
        find_pypi("acme", "1.1", network=network, index=f"{registry}/simple/")
    assert "1.0" in caught.value.hint


@pytest.mark.parametrize(("asked", "near"), [("99.0.0", "25.3.0"), ("19.4", "19.3.0")])
def test_the_nearest_version_is_so_by_number(registry: str, asked: str, near: str) -> None:
    network = Network(hosts=(), trusted=[registry])
    with pytest.raises(DownloadFailed) as caught:
        find_pypi("attrs", asked, network=network, index=f"{registry}/simple/")
    assert caught.value.hint == f"the nearest is {near}"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("@acme/box", "the nearest is 10.0.0"),
        ("gone", "the registry lists no archive of it"),
    ],
)
def test_npm_names_the_nearest_version_too(registry: str, name: str, hint: str) -> None:
    network = Network(hosts=(), trusted=[registry])
    with pytest.raises(DownloadFailed, match=f"{name} 99.0.0 is not in the registry") as caught:
        find_npm(name, "99.0.0", network=network, registry=registry)
    assert caught.value.hint == hint


def test_npm_gives_the_tarball_of_a_version(registry: str) -> None:
    network = Network(hosts=(), trusted=[registry])
    found = find_npm("@acme/box", "2.0.0", network=network, registry=registry)
    assert (found.url, found.license) == (f"{registry}/files/box.tgz", "MIT")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.org/a.json", "not an https address"),
        ("https://evil.example.org/a.json", "not a host that downloads may come from"),
        ("https://localhost/a.json", "private address"),
        ("file:///etc/passwd", "not an https address"),
    ],
)
def test_an_address_that_is_not_allowed_is_refused(url: str, reason: str) -> None:
    with pytest.raises(DownloadFailed, match=reason):
        Network(hosts=["localhost", "allowed.example.org"]).get(url)


def test_a_redirect_is_judged_as_the_first_address_is(registry: str) -> None:
    network = Network(hosts=(), trusted=[registry])
    with pytest.raises(DownloadFailed, match="not an https address"):
        network.get(f"{registry}/away")
    with pytest.raises(DownloadFailed, match="without an end"):
        network.get(f"{registry}/circle")


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "172.20.0.1", "100.64.0.1"),
        *("::1", "fd00::1", "fe80::1", "::ffff:10.0.0.1", "0.0.0.0", "2002:7f00:1::"),
    ],
)
def test_an_address_of_ones_own_network_is_private(address: str) -> None:
    assert is_private(address)


def test_a_public_address_is_not_private() -> None:
    assert not is_private("151.101.0.223")


def test_a_download_is_kept_and_found_again_offline(registry: str, tmp_path: Path) -> None:
    reach = Reach(
        base=tmp_path,
        root=tmp_path,
        network=Network(hosts=(), trusted=[registry]),
        store=tmp_path / "downloads",
        registries=Registries(pypi=f"{registry}/simple/"),
    )
    with pytest.raises(SourceRefused, match="no tar archive"):
        open_source("pypi:acme==1.0", reach)
    sha256 = hashlib.sha256(SDIST).hexdigest()
    assert (tmp_path / "downloads" / sha256).read_bytes() == SDIST
    pin = Pin(source="pypi:acme==1.0", url="x", name="a.txt", sha256=sha256, bytes=len(SDIST))
    offline = Reach(
        base=tmp_path,
        root=tmp_path,
        network=NoNetwork(),
        store=tmp_path / "downloads",
        pins={pin.source: pin},
        pinned_only=True,
    )
    opened = open_source("pypi:acme==1.0", offline)
    assert opened.tree.paths == ("a.txt",)
    assert opened.digest() == sha256
    (tmp_path / "downloads" / sha256).write_bytes(b"changed")
    with pytest.raises(DownloadFailed, match="--offline downloads nothing"):
        open_source("pypi:acme==1.0", offline)
    with pytest.raises(LockRefused, match="not pinned"):
        open_source("pypi:other==1.0", offline)


def test_another_file_than_the_pinned_one_is_refused() -> None:
    with pytest.raises(DownloadFailed, match="not what was pinned"):
        check_integrity(b"other", f"sha256-{'0' * 64}", what="acme")


def test_a_lock_is_ordered_and_read_back(tmp_path: Path) -> None:
    pins = {
        name: Pin(source=name, url=f"https://x/{name}", name=name, sha256="a" * 64, bytes=1)
        for name in ("npm:b@1", "npm:a@1", "npm:gone@1")
    }
    data = lock_bytes(pins, kept=["npm:b@1", "npm:a@1"])
    assert list(parse_lock(data, name="lock")) == ["npm:a@1", "npm:b@1"]
    assert read_lock(tmp_path / "none") == {}
    for damaged in (b"", b"{}", b'{"format": "other"}', data.replace(b"a" * 64, b"zz")):
        with pytest.raises(LockRefused):
            parse_lock(damaged, name="lock")


def test_a_local_source_lies_below_the_project(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    for folder in (project / ".git", project / "authoring", project / "docs", outside):
        folder.mkdir(parents=True)
    (project / "docs" / "a.md").write_text("# A")
    (project / "docs" / "link.md").symlink_to(outside)
    base = project / "authoring"
    reach = Reach(base=base, root=project_root(base), network=NoNetwork())
    tree = open_source("../docs", reach).tree
    assert tree.paths == ("a.md",)
    assert [path for path, _ in tree.skipped] == ["link.md"]
    with pytest.raises(SourceRefused, match="lies outside"):
        open_source(str(outside), reach)
    allowed = Reach(base=base, root=project_root(base), network=NoNetwork(), allowed=(outside,))
    assert open_source(str(outside), allowed).tree.paths == ()


def test_the_digest_of_a_folder_changes_with_its_content_alone(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one")
    reach = Reach(base=tmp_path, root=tmp_path, network=NoNetwork())
    first = open_source(".", reach).digest()
    assert open_source(".", reach).digest() == first
    (tmp_path / "a.md").write_text("two")
    assert open_source(".", reach).digest() != first
