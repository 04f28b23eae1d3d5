"""Downloads over real sockets: bounded, continued where they broke off, never from home."""

from __future__ import annotations

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, ClassVar

import httpx2
import pytest

from doctrove_builder.importing.addresses import is_private
from doctrove_builder.importing.errors import DownloadFailed, NotThere, OptionRefused
from doctrove_builder.importing.fetching import Network
from doctrove_builder.importing.receiving import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

WHOLE = bytes(range(256)) * 512
HALF = len(WHOLE) // 2


class Server(BaseHTTPRequestHandler):
    """Answers each path in its own bad way; `asked` holds the headers of the requests."""

    asked: ClassVar[list[dict[str, str]]] = []
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.asked.append({name.lower(): value for name, value in self.headers.items()})
        getattr(self, f"answer_{self.path.strip('/').partition('?')[0]}")()

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        sent = {"content_length": str(len(body)), **headers}
        for name, value in sent.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def answer_whole(self) -> None:
        self.send(200, WHOLE)

    def answer_breaking(self) -> None:
        begins = self.headers.get("range")
        if begins is None:
            self.send(200, WHOLE[:HALF], content_length=str(len(WHOLE)), etag='"one"')
            self.close_connection = True
        else:
            start = int(begins.removeprefix("bytes=").removesuffix("-"))
            said = f"bytes {start}-{len(WHOLE) - 1}/{len(WHOLE)}"
            self.send(206, WHOLE[start:], content_range=said, etag='"one"')

    def answer_changing(self) -> None:
        if "range" not in self.headers:
            self.send(200, b"old", content_length="100", etag='"one"')
            self.close_connection = True
        else:
            self.send(200, b"new and whole", etag='"two"')

    def answer_unnamed(self) -> None:
        self.send(200, WHOLE[:HALF], content_length=str(len(WHOLE)))
        self.close_connection = True

    def answer_busy(self) -> None:
        if len(self.asked) < 3:
            self.send(503, b"", retry_after="7")
        else:
            self.send(200, b"at last")

    def answer_always(self) -> None:
        self.send(429, b"", retry_after="9999")

    def answer_gone(self) -> None:
        self.send(404, b"")

    def answer_refused(self) -> None:
        self.send(403, b"")

    def answer_gzip(self) -> None:
        self.send(200, gzip.compress(WHOLE), content_encoding="gzip")

    def answer_bomb(self) -> None:
        self.send(200, gzip.compress(bytes(1 << 24)), content_encoding="gzip")

    def answer_strange(self) -> None:
        self.send(200, b"x", content_encoding="strange")

    def answer_drip(self) -> None:
        self.send(200, b"", content_length="1000000")
        try:
            while True:
                self.wfile.write(b".")
        except OSError:
            self.close_connection = True

    def answer_nowhere(self) -> None:
        self.send(302, b"", location="https://[::1")

    def answer_outside(self) -> None:
        self.send(302, b"", location="https://other.example.org/")

    def answer_home(self) -> None:
        self.send(302, b"", location="https://allowed.example.org/")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    Server.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}"
        listening.shutdown()
        thread.join()


def test_a_download_that_breaks_off_goes_on_where_it_stopped(server: str) -> None:
    network = Network(hosts=(), trusted=[server], pause=lambda _: None)
    assert network.get(f"{server}/breaking") == WHOLE
    assert [one.get("range", "") for one in Server.asked] == ["", f"bytes={HALF}-"]
    assert Server.asked[1]["if-range"] == '"one"'


def test_a_file_that_changed_meanwhile_is_taken_anew(server: str) -> None:
    network = Network(hosts=(), trusted=[server], pause=lambda _: None)
    assert network.get(f"{server}/changing") == b"new and whole"


def test_a_download_that_always_breaks_off_ends_with_the_reason(server: str) -> None:
    network = Network(hosts=(), trusted=[server], pause=lambda _: None)
    with pytest.raises(DownloadFailed, match=r"/unnamed cannot be downloaded: it broke off"):
        network.get(f"{server}/unnamed")
    assert len(Server.asked) == 4
    assert not any("range" in one for one in Server.asked)


def test_a_busy_server_is_asked_again_after_the_time_that_it_names(server: str) -> None:
    waited: list[float] = []
    network = Network(hosts=(), trusted=[server], pause=waited.append)
    assert network.get(f"{server}/busy") == b"at last"
    assert waited == [7, 7]
    with pytest.raises(DownloadFailed, match="status 429"):
        network.get(f"{server}/always")
    assert max(waited) <= 20


@pytest.mark.parametrize(
    ("path", "said"),
    [
        pytest.param("gone", "is not there", id="absent"),
        pytest.param("refused", "answered with status 403", id="refused"),
        pytest.param("whole", "more than 1,000 bytes", id="large"),
        pytest.param("bomb", "more than 1,000 bytes", id="bomb"),
        pytest.param("strange", "encoded as 'strange'", id="encoding"),
        pytest.param("nowhere", "leads to no address", id="redirect-to-nothing"),
        pytest.param("outside", "other.example.org is not a host", id="redirect-outside"),
        pytest.param("home", "has the private address 10.0.0.1", id="redirect-home"),
    ],
)
def test_what_a_server_does_wrong_is_said(server: str, path: str, said: str) -> None:
    network = Network(
        hosts=["allowed.example.org"], trusted=[server], resolve=lambda _host, _port: ["10.0.0.1"]
    )
    with pytest.raises(DownloadFailed, match=said):
        network.get(f"{server}/{path}?token=secret", limit=1000)
    assert isinstance(NotThere(""), DownloadFailed)


def test_a_body_that_drips_ends_at_the_time_limit(server: str) -> None:
    network = Network(hosts=(), trusted=[server], seconds=0)
    with pytest.raises(DownloadFailed, match="longer than 0 seconds"):
        network.get(f"{server}/drip")


def test_gzip_that_nobody_asked_for_is_undone(server: str) -> None:
    network = Network(hosts=(), trusted=[server])
    assert network.get(f"{server}/gzip") == WHOLE
    assert Server.asked[0]["accept-encoding"] == "identity"


@pytest.mark.parametrize("host", ["*", "", "a.example:443", "[::1%eth0]", "https://a.example"])
def test_what_is_no_name_of_a_host_is_refused(host: str) -> None:
    with pytest.raises(OptionRefused, match="not the name of a host"):
        Network(hosts=[host])


@pytest.mark.parametrize("host", ["[::1]", "::1", "A.Example", "xn--bcher-kva.de"])
def test_a_host_is_allowed_as_it_stands_in_addresses(host: str) -> None:
    written = f"[{host.strip('[]')}]" if ":" in host else host

    def resolve(_host: str, _port: int) -> list[str]:
        return ["127.0.0.1"]

    network = Network(hosts=[host], resolve=resolve)
    with pytest.raises(DownloadFailed, match="private address"):
        network.get(f"https://{written}:444/a")


def test_an_address_is_said_with_its_port_and_without_a_password() -> None:
    assert shown("https://me:secret@a.example:8443/b?token=1") == "https://a.example:8443/b"


def test_nobody_listens(server: str) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as closed:
        address = f"http://127.0.0.1:{closed.server_port}"
    with pytest.raises(DownloadFailed, match="cannot be downloaded"):
        Network(hosts=(), trusted=[address, server], pause=lambda _: None).get(f"{address}/whole")


@pytest.mark.parametrize("url", ["https://[::1", "https://example.org:99999/", "https://a:b/"])
def test_what_is_no_address_is_said(url: str) -> None:
    with pytest.raises(DownloadFailed, match="is not an address"):
        Network(hosts=["example.org"]).get(url)


@pytest.mark.parametrize("host", ["2130706433", "127.1", "0x7f.0.0.1", "localhost", "[::1]"])
def test_an_address_of_this_machine_is_refused_however_it_is_written(host: str) -> None:
    said = r"private address (127\.0\.0\.1|::1)|no address is known"
    with pytest.raises(DownloadFailed, match=said):
        Network(hosts=[host.strip("[]")]).get(f"https://{host}/")


def test_the_address_that_was_checked_is_the_one_connected_to() -> None:
    """A name that answers a public address first and a private one next gains nothing."""
    answers = iter([["151.101.0.223"], ["127.0.0.1"]])
    network = Network(hosts=["rebinding.example.org"], resolve=lambda _host, _port: next(answers))
    with httpx2.Client() as client:
        request = network._request(  # pyright: ignore[reportPrivateUsage] - sends nothing
            client, "https://rebinding.example.org:8443/a?b", headers={}
        )
    assert str(request.url) == "https://151.101.0.223:8443/a?b"
    assert request.headers["host"] == "rebinding.example.org:8443"
    assert request.extensions["sni_hostname"] == "rebinding.example.org"
    with pytest.raises(DownloadFailed, match=r"private address 127\.0\.0\.1"):
        network.get("https://rebinding.example.org/a")


def test_one_private_address_among_public_ones_is_enough() -> None:
    addresses = ["151.101.0.223", "::ffff:192.168.0.1"]
    network = Network(hosts=["mixed.example.org"], resolve=lambda _host, _port: addresses)
    with pytest.raises(DownloadFailed, match=r"private address ::ffff:192\.168\.0\.1"):
        network.get("https://mixed.example.org/a")


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("::", id="unspecified"),
        pytest.param("::ffff:127.0.0.1", id="mapped"),
        pytest.param("::127.0.0.1", id="compatible"),
        pytest.param("64:ff9b::a00:1", id="nat64"),
        pytest.param("64:ff9b:1::1", id="nat64-local"),
        pytest.param("2002:a00:1::", id="6to4"),
        pytest.param("2001:0:7f00:1::", id="teredo-server"),
        pytest.param("2001:0:808:808::80ff:fffe", id="teredo-client"),
        pytest.param("fec0::1", id="site-local"),
        pytest.param("fd12::1", id="unique-local"),
        pytest.param("ff02::1", id="multicast"),
    ],
)
def test_an_ipv6_address_that_leads_home_is_private(address: str) -> None:
    assert is_private(address)


@pytest.mark.parametrize("address", ["2606:4700::1111", "64:ff9b::808:808", "2002:808:808::1"])
def test_an_ipv6_address_that_leads_out_is_not_private(address: str) -> None:
    assert not is_private(address)
