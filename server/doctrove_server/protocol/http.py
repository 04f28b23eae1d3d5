"""MCP over Streamable HTTP: a stateless ASGI app behind checks of method, token, Host and Origin.

One POST is one exchange, answered as JSON. There is no stream to open and no session to end, so
other methods are refused at once. Pages of an allowed origin may call, and read what is answered
(https://fetch.spec.whatwg.org/#http-cors-protocol).
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any

import msgspec
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse, Response

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATH = "/mcp"

_PREFLIGHT = {
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": (
        "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name,"
        " Mcp-Session-Id"
    ),
    "access-control-max-age": "86400",
}


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """Who may call."""

    hosts: tuple[str, ...]
    """Values of `Host`; a name alone stands for any port."""

    origins: tuple[str, ...]
    """Values of `Origin`; browsers send it, agents do not."""

    token: str = ""
    """Bearer token to ask for; empty for none."""


def asgi_app(server: Server[Any], access: Access) -> ASGIApp:
    """Return the app that serves `/mcp`."""
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[host for name in access.hosts for host in _with_ports(name)],
            allowed_origins=[origin for name in access.origins for origin in _with_ports(name)],
        ),
    )
    return _Guard(inner, access)


class _Guard:
    """Lets through POSTs with the right token; the rest is answered here."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._token = access.token.encode()
        self._origins = frozenset(origin.encode() for origin in access.origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # White space around a value is no part of it (RFC 9110, 5.5); the server leaves it there.
        headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        scope = {**scope, "headers": headers}
        origin = _field(scope, b"origin")
        if self._admits(origin):
            send = _readable_by(origin, send)
        await (self._refusal(scope, origin) or self._app)(scope, receive, send)

    def _admits(self, origin: bytes) -> bool:
        name, _, port = origin.rpartition(b":")
        return origin in self._origins or (port.isdigit() and name in self._origins)

    def _refusal(self, scope: Scope, origin: bytes) -> Response | None:
        asks_first = scope["method"] == "OPTIONS" and _field(
            scope, b"access-control-request-method"
        )
        if asks_first and scope["path"] == PATH and self._admits(origin):
            # A browser asks before it sends the token.
            return Response(status_code=204, headers=_PREFLIGHT)
        if self._token and not self._authorized(scope):
            return JSONResponse(
                {"error": "a bearer token is needed"},
                status_code=401,
                headers={"www-authenticate": "Bearer"},
            )
        if scope["path"] == PATH and scope["method"] != "POST":
            return JSONResponse(
                {"error": "only POST is served here"}, status_code=405, headers={"allow": "POST"}
            )
        return None

    def _authorized(self, scope: Scope) -> bool:
        scheme, _, token = _field(scope, b"authorization").partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


def _field(scope: Scope, name: bytes) -> bytes:
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    return next((value for own, value in headers if own == name), b"")


def _readable_by(origin: bytes, send: Send) -> Send:
    """Let pages of an origin read what is sent."""

    async def send_readable(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(b"access-control-allow-origin", origin), (b"vary", b"Origin")]
            message = {**message, "headers": [*message.get("headers", ()), *own]}
        await send(message)

    return send_readable


def _with_ports(name: str) -> tuple[str, ...]:
    return (name, f"{name}:*")
