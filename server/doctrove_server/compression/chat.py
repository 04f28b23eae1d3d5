"""One question to an OpenAI-compatible endpoint over HTTP (this is an edge), bounded throughout.

Bounds: the seconds of the whole exchange, the bytes of the answer; no redirect is followed.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.errors import ServerError

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping

    import httpx2

LONGEST_ANSWER = 400_000
"""Bytes of an answer that are read."""

_MOST_TOKENS = 10_000_000
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class CompletionFailed(ServerError):
    """The model gave no usable answer in time, or its limits are spent."""

    def __init__(self, reason: str, *, asked: bool = True) -> None:
        super().__init__(reason)
        self.asked = asked
        """Whether the endpoint was asked at all."""


class TryAgain(Exception):
    """A failure that may pass, `after` seconds at the earliest."""

    def __init__(self, reason: str, *, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


class Reply(msgspec.Struct, frozen=True):
    """What an endpoint answered."""

    text: str
    tokens: int
    """Of question and answer, as the endpoint counts them; 0 where it does not say."""


def ask(
    url: str, headers: Mapping[str, str], question: Mapping[str, object], seconds: float
) -> Reply:
    """Return the text of the first choice; raises `CompletionFailed` or `TryAgain`.

    All of it, from the first packet to the last, takes `seconds` at most.
    """
    import httpx2  # noqa: PLC0415 - only where a model is asked

    try:
        return _content(_run(_exchange(url, headers, question, seconds)))
    except TimeoutError:
        raise TryAgain("the answer came too slowly") from None
    except httpx2.HTTPError as error:
        raise TryAgain(type(error).__name__) from None
    except httpx2.InvalidURL:
        raise CompletionFailed("the endpoint's address cannot be used") from None


async def _exchange(
    url: str, headers: Mapping[str, str], question: Mapping[str, object], seconds: float
) -> bytes:
    import httpx2  # noqa: PLC0415 - only where a model is asked

    async with (
        asyncio.timeout(seconds),
        httpx2.AsyncClient(timeout=None, headers=headers) as client,
        client.stream("POST", url, json=question, follow_redirects=False) as response,
    ):
        if response.status_code in _AGAIN:
            raise TryAgain(f"status {response.status_code}", after=_after(response))
        if response.status_code != 200:
            raise CompletionFailed(f"the endpoint answered status {response.status_code}")
        data = bytearray()
        async for chunk in response.aiter_raw():
            data += chunk
            if len(data) > LONGEST_ANSWER:
                raise CompletionFailed("the endpoint's answer is too long")
        return bytes(data)


def _after(response: httpx2.Response) -> float:
    """Return the seconds that an endpoint asks to wait (RFC 9110, section 10.2.3); 0 if none."""
    text = response.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0.0


def _run(exchange: Coroutine[object, object, bytes]) -> bytes:
    """Run in a loop of its own; a look-up of a name that hangs is not waited for."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(exchange)
    finally:
        loop.close()


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: object = None


def _content(data: bytes) -> Reply:
    try:
        completion = msgspec.json.decode(data, type=_Completion)
    except (msgspec.ValidationError, RecursionError):
        raise CompletionFailed("the endpoint's answer is no chat completion") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise CompletionFailed("the endpoint's answer is not JSON") from None
    text = completion.choices[0].message.content if completion.choices else None
    if not text or not text.strip():
        raise CompletionFailed("the endpoint's answer is empty")
    return Reply(text.strip(), _tokens(completion.usage))


def _tokens(usage: object) -> int:
    """Return the tokens that an endpoint says it used, as far as that is a number to believe."""
    try:
        total = msgspec.convert(usage, dict[str, object]).get("total_tokens")
    except msgspec.ValidationError:
        return 0
    if not isinstance(total, int) or isinstance(total, bool):
        return 0
    return total if 0 < total < _MOST_TOKENS else 0
