"""The server's life over Streamable HTTP: where it listens, who may call, and how it ends."""

from __future__ import annotations

import ipaddress
import signal
import socket
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.errors import ConfigError
from doctrove_server.streams import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_server.desk import Desk
    from doctrove_server.options import Options
    from doctrove_server.protocol.http import Access

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
DEFAULT_PORT = 8731
_SHUTDOWN_SECONDS = 1
_BACKLOG = 2048


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where to listen."""

    host: str
    port: int
    """0 lets the system choose."""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def shown_host(self) -> str:
        """The host as it stands in a URL."""
        return f"[{self.host}]" if ":" in self.host else self.host


def read_endpoint(text: str) -> Endpoint:
    """Read `HOST:PORT`, `PORT`, `HOST` or `[V6]:PORT`; raises `ConfigError`."""
    host, port = text, str(DEFAULT_PORT)
    if text.isascii() and text.isdigit():
        host, port = "127.0.0.1", text
    elif text.startswith("["):
        host, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":") or port
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
        host = host or "127.0.0.1"
    if not host or not (port.isascii() and port.isdigit()) or int(port[:9]) > 65_535:
        raise ConfigError(f'--http: "{text}" is not HOST:PORT, for instance 127.0.0.1:8731')
    return Endpoint(host=host, port=int(port))


def access(options: Options, endpoint: Endpoint, env: Mapping[str, str]) -> Access:
    """Return who may call; raises `ConfigError` for an open address without a token."""
    from doctrove_server.protocol.http import Access  # noqa: PLC0415 - the SDK, for HTTP alone

    token = ""
    if options.token_env:
        token = env.get(options.token_env, "").strip()
        if not token:
            raise ConfigError(f"--token-env: environment variable {options.token_env} is not set")
    if not endpoint.is_loopback and not token and not options.insecure:
        raise ConfigError(
            f"--http: {endpoint.host} can be reached from other machines; ask for a token with"
            " --token-env NAME, or say --insecure"
        )
    hosts = dict.fromkeys((*_LOOPBACK_NAMES, endpoint.shown_host, *options.allowed_hosts))
    own = (f"http://{name}" for name in _LOOPBACK_NAMES)
    return Access(
        hosts=tuple(hosts),
        origins=tuple(dict.fromkeys((*own, *options.allowed_origins))),
        token=token,
    )


async def run_http(desk: Desk, endpoint: Endpoint, allowed: Access, *, banner: str) -> int:
    """Serve until SIGINT or SIGTERM, and say the banner once it listens.

    Raises `ConfigError` for a wrong index or a taken port.
    """
    import uvicorn  # noqa: PLC0415 - for HTTP alone

    from doctrove_server.protocol.http import PATH, asgi_app  # noqa: PLC0415 - the same
    from doctrove_server.protocol.server import mcp_server  # noqa: PLC0415 - the same

    await desk.supply.preload()
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn shuts down on these and then raises them again, for whoever had them before.
        signal.signal(number, _shut_down_already)
    listener = _listener(endpoint)
    config = uvicorn.Config(
        asgi_app(mcp_server(desk), allowed),
        log_config=None,  # see `logs`
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    port: int = listener.getsockname()[1]
    say(banner)
    say(f"listening on http://{endpoint.shown_host}:{port}{PATH}")
    await uvicorn.Server(config).serve(sockets=[listener])
    return 0


def _shut_down_already(_number: int, _frame: object) -> None:
    """Take a signal that was obeyed."""


def _listener(endpoint: Endpoint) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            endpoint.host, endpoint.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        where = f"{endpoint.shown_host}:{endpoint.port}"
        reason = error.strerror or type(error).__name__
        raise ConfigError(f"--http: cannot listen on {where}: {reason}") from None
    return listener
