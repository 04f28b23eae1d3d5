"""The edge to the network: one bounded GET from a host that is allowed, never a private one.

The address that was checked is the address that is connected to, so that a name which resolves to
another one a moment later gains nothing. Redirects are checked like the first address.
"""

from __future__ import annotations

import ipaddress
import socket
import time
import urllib.request
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from doctrove_builder.about import VERSION
from doctrove_builder.importing.errors import DownloadFailed
from doctrove_builder.importing.source_tree import MIB

if TYPE_CHECKING:
    from collections.abc import Iterable

    import httpx2

MAX_BODY = 256 * MIB
MAX_REDIRECTS = 5
SECONDS = 300
"""For one whole download."""

_PRIVATE_4 = (
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
    *("172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4"),
    "240.0.0.0/4",
)
_PRIVATE_6 = ("::/128", "::1/128", "64:ff9b:1::/48", "fc00::/7", "fe80::/10", "ff00::/8")
_PRIVATE = tuple(ipaddress.ip_network(text) for text in (*_PRIVATE_4, *_PRIVATE_6))
"""Networks of one's own machine or house (RFC 6890); nothing is downloaded from them."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Network:
    """Downloads from named hosts alone.

    `hosts` may be reached over https. `trusted` are origins (`http://127.0.0.1:8080`) that the
    user who starts the command named himself; they may be private and without TLS.
    """

    def __init__(self, *, hosts: Iterable[str], trusted: Iterable[str] = ()) -> None:
        """Open nothing yet."""
        self._hosts = frozenset(host.lower() for host in hosts)
        self._trusted = frozenset(map(origin_of, trusted))

    def with_hosts(self, hosts: Iterable[str]) -> Network:
        """Return a network that reaches these hosts too."""
        return Network(hosts=(*self._hosts, *hosts), trusted=self._trusted)

    def get(self, url: str, *, accept: str = "*/*", limit: int = MAX_BODY) -> bytes:
        """Return what is at an address; raises `DownloadFailed` with the reason."""
        import httpx2  # noqa: PLC0415 - builds without downloads do without it

        deadline = time.monotonic() + SECONDS
        try:
            with httpx2.Client(timeout=30, follow_redirects=False) as client:
                for _ in range(MAX_REDIRECTS + 1):
                    request = self._request(client, url, accept=accept)
                    response = client.send(request, stream=True)
                    try:
                        if response.status_code not in _REDIRECTS:
                            return _body(response, url=url, limit=limit, deadline=deadline)
                        url = urljoin(url, response.headers.get("location", ""))
                    finally:
                        response.close()
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            reason = str(error) or type(error).__name__
            raise DownloadFailed(f"{_shown(url)} cannot be downloaded: {reason}") from error
        raise DownloadFailed(f"{_shown(url)} leads from one address to the next without an end")

    def _request(self, client: httpx2.Client, url: str, *, accept: str) -> httpx2.Request:
        headers = {"accept": accept, "user-agent": f"doctrove/{VERSION}"}
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
        if origin_of(url) in self._trusted:
            return client.build_request("GET", url, headers=headers)
        if parts.scheme != "https":
            raise DownloadFailed(f"{_shown(url)} is not an https address")
        if host not in self._hosts:
            raise DownloadFailed(
                f"{host or _shown(url)} is not a host that downloads may come from",
                hint="name it with --allow-host, or under `allowed_hosts` in doctrove.yaml",
            )
        address = public_address(host, parts.port or 443)
        if urllib.request.getproxies().get("https") and not urllib.request.proxy_bypass(host):
            return client.build_request("GET", url, headers=headers)
        pinned = f"[{address}]" if ":" in address else address
        port = f":{parts.port}" if parts.port else ""
        query = f"?{parts.query}" if parts.query else ""
        return client.build_request(
            "GET",
            f"https://{pinned}{port}{parts.path or '/'}{query}",
            headers={**headers, "host": f"{host}{port}"},
            extensions={"sni_hostname": host},
        )


class NoNetwork(Network):
    """Downloads nothing: what is missing is said."""

    def __init__(self) -> None:
        """Allow no host."""
        super().__init__(hosts=())

    def get(self, url: str, *, accept: str = "*/*", limit: int = MAX_BODY) -> bytes:  # noqa: ARG002
        """Refuse."""
        raise DownloadFailed(
            f"{_shown(url)} is not in the cache, and --offline downloads nothing",
            hint="run the command once with a network",
        )


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address."""
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}"


def public_address(host: str, port: int) -> str:
    """Resolve a host; raises `DownloadFailed` when any of its addresses is private."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise DownloadFailed(f"{host} cannot be found: {error}") from error
    addresses = [str(entry[4][0]).partition("%")[0] for entry in found]
    for text in addresses:
        if is_private(text):
            raise DownloadFailed(f"{host} has the private address {text}; nothing is read from it")
    return addresses[0]


def is_private(text: str) -> bool:
    """Say whether an address is one of the user's own network, mapped IPv4 included."""
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None:
            address = inner
    return any(address.version == net.version and address in net for net in _PRIVATE)


def _body(response: httpx2.Response, *, url: str, limit: int, deadline: float) -> bytes:
    if response.status_code != 200:
        raise DownloadFailed(f"{_shown(url)} answered with status {response.status_code}")
    body = bytearray()
    for chunk in response.iter_bytes(1 << 16):
        body += chunk
        if len(body) > limit:
            raise DownloadFailed(f"{_shown(url)} has more than {limit:,} bytes")
        if time.monotonic() > deadline:
            raise DownloadFailed(f"{_shown(url)} took longer than {SECONDS} seconds")
    return bytes(body)


def _shown(url: str) -> str:
    """Return an address without what may be secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"[:300]
