"""The network edge: listens on an address and runs uvicorn until a signal ends it."""

from __future__ import annotations

import errno
import signal
import socket
import sys
from math import ceil
from typing import TYPE_CHECKING

import uvicorn

from doctrove_server.host.errors import CannotServe
from doctrove_server.host.limits import Limits

if TYPE_CHECKING:
    import asyncio
    from types import FrameType

    from doctrove_server.host.app import StaticHost

_BACKLOG = 2048
_MOST_FILES = 65536


def listen(address: str, port: int) -> socket.socket:
    """Listen on an address and port, 0 for a free one; raises CannotServe."""
    try:
        family, *_, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(place[:2], family=family, backlog=_BACKLOG)
    except (socket.gaierror, UnicodeError) as error:
        raise CannotServe(f"{address} is no address here; name one with --host") from error
    except OSError as error:
        raise CannotServe(_why(error, address, port)) from error


def url_of(listener: socket.socket) -> str:
    """Return the URL to open for a listening socket; loopback for one on every address."""
    own: tuple[str, int] = listener.getsockname()[:2]
    address, port = own
    address = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)
    return f"http://[{address}]:{port}/" if ":" in address else f"http://{address}:{port}/"


class Running(uvicorn.Server):
    """A uvicorn server for one host.

    From its making on, in the main thread, SIGINT and SIGTERM end it at once and are no errors.
    """

    def __init__(self, host: StaticHost, *, limits: Limits | None = None) -> None:
        super().__init__(_config(host, limits))
        for number in (signal.SIGINT, signal.SIGTERM):
            # uvicorn raises the signal once more when it is done, for whoever was there before.
            signal.signal(number, self._stop)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, with the Date field set before the first request."""
        await self.on_tick(0)
        await super().startup(sockets)

    def serve_on(self, listener: socket.socket) -> None:
        """Serve until a signal comes."""
        _allow_many_files()
        self.run(sockets=[listener])

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.should_exit = True


def _config(host: StaticHost, limits: Limits | None) -> uvicorn.Config:
    limits = limits or Limits()
    http: type[asyncio.Protocol] | str = "h11"  # has bounds of its own
    if sys.platform != "win32":
        from doctrove_server.host.protocol import protocol_for  # noqa: PLC0415 - needs httptools

        http = protocol_for(host, limits)
    return uvicorn.Config(
        host,
        http=http,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_keep_alive=ceil(limits.idle_seconds),
        timeout_graceful_shutdown=0,
        h11_max_incomplete_event_size=limits.head_bytes,
    )


def _allow_many_files() -> None:
    """Raise the number of files and connections that may be open, as far as the system lets."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _why(error: OSError, address: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {address} is taken; name another with --port, or 0 for a free one"
    if error.errno == errno.EACCES:
        return (
            f"port {port} needs more rights than this process has; name one above 1023 with --port"
        )
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{address} is no address of this machine; name another with --host"
    return f"cannot listen on {address}, port {port}: {error.strerror}"
