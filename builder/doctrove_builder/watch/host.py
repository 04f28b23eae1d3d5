"""The host of the preview: the static host, closed to pages of other origins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from doctrove_server.host import HostCheck, Policy, StaticHost, host_check
from doctrove_server.host.hosts import is_loopback
from doctrove_server.host.response import Response, make_message

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

POLICY = Policy(cors=False)


class PreviewHost(StaticHost):
    """Answers its own pages and whoever types its address, and no other page's script."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one connection or request."""
        if scope["type"] == "http" and is_foreign(scope["headers"]):
            refusal = _refusal()
            await send(
                {"type": "http.response.start", "status": refusal.status, "headers": refusal.fields}
            )
            await send({"type": "http.response.body", "body": refusal.body})
            return
        await super().__call__(scope, receive, send)

    def ready(
        self, method: str, url: bytes, fields: Sequence[tuple[bytes, bytes]]
    ) -> Response | None:
        """Return the response that is at hand, see `StaticHost.ready`."""
        return _refusal() if is_foreign(fields) else super().ready(method, url, fields)


def preview_hosts(address: str, allowed: tuple[str, ...] = ()) -> HostCheck:
    """Make the rule by which names requests may call a preview that listens on an address.

    Another machine reads it by the address of this one; a name has to be allowed, since it may be
    one that a page of another site leads here (DNS rebinding).
    """
    check = host_check(address, allowed)
    return msgspec.structs.replace(check, every=False, addresses=not is_loopback(address))


def is_foreign(fields: Iterable[tuple[bytes, bytes]]) -> bool:
    """Tell whether another origin's page makes a request (Fetch standard; Fetch Metadata).

    Following a link to the preview is no such request.
    """
    found = dict(fields)
    origin = found.get(b"origin")
    if origin is not None and origin.lower() != b"http://" + found.get(b"host", b"").lower():
        return True
    site = found.get(b"sec-fetch-site", b"none")
    return site not in {b"none", b"same-origin"} and found.get(b"sec-fetch-mode") != b"navigate"


def _refusal() -> Response:
    return make_message(403, "The preview answers its own pages only.", POLICY)
