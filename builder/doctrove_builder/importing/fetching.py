"""The edge to the network: one bounded GET from a host that is allowed, never a private one.

The address that was checked is the address that is connected to, so that a name which resolves to
another one a moment later gains nothing. Redirects are checked like the first address. A download
that breaks off goes on where it stopped, as long as the server says that it is the same file.
"""

from __future__ import annotations

import re
import socket
import time
import urllib.request
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urljoin, urlsplit

from doctrove_builder.about import VERSION
from doctrove_builder.importing.addresses import is_private
from doctrove_builder.importing.errors import DownloadFailed, OptionRefused
from doctrove_builder.importing.receiving import Received, Unfinished, shown
from doctrove_builder.importing.source_tree import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import httpx2

MAX_BODY = 256 * MIB
MAX_REDIRECTS = 5
MAX_TRIES = 4
SECONDS = 300
"""For one whole download."""

_HOST = re.compile(r"\w(?:[\w.-]*\w)?|[0-9a-f]*:[0-9a-f:.]*")
"""A name, of any script, or an address of IPv4 or IPv6."""

_HOME = "nothing is downloaded from one's own machine or network; take a file from its folder"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


def resolved(host: str, port: int) -> list[str]:
    """Return the addresses of a host, as the system finds them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]).partition("%")[0] for entry in found]


class Network:
    """Downloads from named hosts alone.

    `hosts` may be reached over https. `trusted` are origins (`http://127.0.0.1:8080`) that the
    user who starts the command named himself; they may be private and without TLS.
    """

    def __init__(
        self,
        *,
        hosts: Iterable[str],
        trusted: Iterable[str] = (),
        seconds: float = SECONDS,
        pause: Callable[[float], object] = time.sleep,
        resolve: Callable[[str, int], Sequence[str]] = resolved,
    ) -> None:
        """Open nothing yet; `pause` waits before a busy server is asked again."""
        self._hosts = frozenset(map(host_name, hosts))
        self._trusted = frozenset(map(origin_of, trusted))
        self._seconds = seconds
        self._pause = pause
        self._resolve = resolve

    def with_hosts(self, hosts: Iterable[str]) -> Network:
        """Return a network that reaches these hosts too."""
        return Network(
            hosts=(*self._hosts, *hosts),
            trusted=self._trusted,
            seconds=self._seconds,
            pause=self._pause,
            resolve=self._resolve,
        )

    def get(self, url: str, *, accept: str = "*/*", limit: int = MAX_BODY) -> bytes:
        """Return what is at an address; raises `DownloadFailed` with the reason."""
        import httpx2  # noqa: PLC0415 - builds without downloads do without it

        deadline = time.monotonic() + self._seconds
        received = Received(url=url, limit=limit, deadline=deadline, seconds=self._seconds)
        reason = ""
        for number in range(MAX_TRIES):
            try:
                with httpx2.Client(timeout=30, follow_redirects=False) as client:
                    return self._get(client, url, accept=accept, received=received)
            except Unfinished as error:
                reason, wait = error.reason, error.wait
            except (httpx2.TransportError, httpx2.StreamError) as error:
                reason, wait = _reason(error), float(number)
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                raise DownloadFailed(f"{shown(url)} cannot be downloaded") from error
            if number + 1 < MAX_TRIES and time.monotonic() + wait < deadline:
                self._pause(wait)
        raise DownloadFailed(f"{shown(url)} cannot be downloaded: {reason}")

    def _get(self, client: httpx2.Client, url: str, *, accept: str, received: Received) -> bytes:
        asked = url
        for _ in range(MAX_REDIRECTS + 1):
            headers = {
                "accept": accept,
                "accept-encoding": "identity",
                "user-agent": f"doctrove/{VERSION}",
                **received.headers(),
            }
            response = client.send(self._request(client, url, headers=headers), stream=True)
            try:
                if response.status_code not in _REDIRECTS:
                    return received.take(response)
                try:
                    url = urljoin(url, response.headers.get("location", ""))
                except ValueError:
                    raise DownloadFailed(f"{shown(url)} leads to no address") from None
            finally:
                response.close()
        raise DownloadFailed(f"{shown(asked)} leads from one address to the next without an end")

    def _request(
        self, client: httpx2.Client, url: str, *, headers: dict[str, str]
    ) -> httpx2.Request:
        parts = _parts(url)
        host = (parts.hostname or "").lower()
        if origin_of(url) in self._trusted:
            return client.build_request("GET", url, headers=headers)
        if parts.scheme != "https":
            raise DownloadFailed(f"{shown(url)} is not an https address")
        if host not in self._hosts:
            raise DownloadFailed(
                f"{host or shown(url)} is not a host that downloads may come from",
                hint="name it with --allow-host, or under `allowed_hosts` in doctrove.yaml",
            )
        by_proxy = urllib.request.getproxies().get("https")
        is_proxied = bool(by_proxy) and not urllib.request.proxy_bypass(host)
        address = self._public_address(host, parts.port or 443, needed=not is_proxied)
        if is_proxied:
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

    def _public_address(self, host: str, port: int, *, needed: bool) -> str:
        """Resolve a host; raises `DownloadFailed` when any of its addresses is private.

        Where only a proxy resolves names, it is not `needed`, and empty when it cannot be had.
        """
        try:
            addresses = self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            if not needed:
                return ""
            raise DownloadFailed(f"no address is known of the host {host}") from error
        for text in addresses:
            if is_private(text):
                raise DownloadFailed(f"{host} has the private address {text}", hint=_HOME)
        return addresses[0]


class NoNetwork(Network):
    """Downloads nothing: what is missing is said."""

    def __init__(self) -> None:
        """Allow no host."""
        super().__init__(hosts=())

    def get(self, url: str, *, accept: str = "*/*", limit: int = MAX_BODY) -> bytes:  # noqa: ARG002
        """Refuse."""
        raise DownloadFailed(
            f"{shown(url)} is not in the cache, and --offline downloads nothing",
            hint="run the command once with a network",
        )


def _reason(error: Exception) -> str:
    """Say why a transfer failed; what the libraries below say is not for people."""
    import httpx2  # noqa: PLC0415 - builds without downloads do without it

    if isinstance(error, httpx2.TimeoutException):
        return "it does not answer in time"
    if "CERTIFICATE" in str(error):
        return "its certificate is not trusted"
    if isinstance(error, httpx2.ConnectError):
        return "no connection can be made"
    return "the proxy refused" if isinstance(error, httpx2.ProxyError) else "it broke off"


def host_name(text: str) -> str:
    """Return the name of a host as addresses are compared by; raises `OptionRefused` for none."""
    host = text.strip().lower().removeprefix("[").removesuffix("]")
    if not _HOST.fullmatch(host):
        raise OptionRefused(
            f"{text[:200]!r} is not the name of a host",
            hint="name each host by itself, without https:// and a port: docs.example.org",
        )
    return host


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address; raises `DownloadFailed` when it is none."""
    parts = _parts(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}"


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - it is read to see whether it can be
    except ValueError as error:
        raise DownloadFailed(f"{url[:300]!r} is not an address") from error
    return parts
