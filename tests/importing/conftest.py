"""A registry of packages that tests of importers may download from."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import threading
from base64 import b64encode
from hashlib import sha512
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGES = {
    "good@1.0.0": {"package.json": '{"name": "good"}', "README.md": "# Good\n\nText.\n"},
    "good@2.0.0": {"package.json": '{"name": "good"}', "README.md": "# Good\n\nNewer.\n"},
    "bare@1.0.0": {"package.json": '{"name": "bare"}', "index.js": "1"},
}


def tarball(files: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return gzip.compress(packed.getvalue(), mtime=0)


class Registry(BaseHTTPRequestHandler):
    """Answers for `PACKAGES` as npm's registry does."""

    def do_GET(self) -> None:
        name = self.path.strip("/").removesuffix(".tgz").replace("/", "@")
        if name not in PACKAGES:
            self.send_error(404)
            return
        data = tarball(PACKAGES[name])
        if not self.path.endswith(".tgz"):
            digest = b64encode(sha512(data).digest()).decode()
            address = f"http://{self.headers['host']}/{name.replace('@', '/')}.tgz"
            dist = {"tarball": address, "integrity": f"sha512-{digest}"}
            data = json.dumps({"dist": dist, "license": "MIT"}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


@pytest.fixture
def registry() -> Iterator[str]:
    """A registry of npm on a socket of this machine; its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Registry) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()
