"""A language model asked for text: a small interface, an OpenAI-compatible endpoint behind it.

What fails is a `CompletionFailed`, always within the deadline; the key is never in a message.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Protocol

import msgspec

from doctrove_server.errors import ServerError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import httpx2

URL, MODEL, API_KEY = "DOCTROVE_LLM_URL", "DOCTROVE_LLM_MODEL", "DOCTROVE_LLM_API_KEY"
LONGEST_ANSWER = 400_000
"""Bytes of an answer that are read."""

_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class CompletionFailed(ServerError):
    """The model gave no usable answer in time, or its limits are spent."""


class Completer(Protocol):
    """Asks a model."""

    model: str

    def complete(self, prompt: str, /, *, max_tokens: int) -> str:
        """Return the model's text; raises `CompletionFailed`."""
        ...


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one process may ask of an endpoint."""

    seconds: float = 20.0
    """For one completion, retries and waits included."""

    retries: int = 2
    backoff: float = 0.5
    """Seconds before the first retry, doubled for each further one."""

    concurrency: int = 2
    most_calls: int = 500
    most_tokens: int = 1_000_000
    """Of prompts (a quarter of their characters) and answers asked for."""


class HttpCompleter:
    """An endpoint with `POST /chat/completions`, as OpenAI and most local servers have it."""

    def __init__(  # noqa: PLR0913 - an endpoint, and what tests put in its place
        self,
        *,
        url: str,
        model: str,
        api_key: str = "",
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.model = model
        base = url.rstrip("/")
        self._url = base if base.endswith("/completions") else f"{base}/chat/completions"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._limits = limits or Limits()
        self._clock = clock
        self._wait = wait
        self._turns = threading.BoundedSemaphore(self._limits.concurrency)
        self._lock = threading.Lock()
        self._calls = self._tokens = 0

    def complete(self, prompt: str, /, *, max_tokens: int) -> str:
        """Ask; what the endpoint answers too late, wrongly or not at all is `CompletionFailed`."""
        end = self._clock() + self._limits.seconds
        if not self._turns.acquire(timeout=self._limits.seconds):
            raise CompletionFailed("the model is busy with other questions")
        try:
            return self._asked(prompt, max_tokens, end)
        finally:
            self._turns.release()

    def _asked(self, prompt: str, max_tokens: int, end: float) -> str:
        failure = "no time was left"
        for attempt in range(self._limits.retries + 1):
            left = end - self._clock()
            if left <= 0:
                break
            self._spend(len(prompt) // 4 + max_tokens)
            try:
                return self._answer(prompt, max_tokens, left)
            except _TryAgain as error:
                failure = str(error)
            pause = self._limits.backoff * 2**attempt
            if attempt < self._limits.retries and self._clock() + pause < end:
                self._wait(pause)
        raise CompletionFailed(f"the model gave no answer: {failure}")

    def _spend(self, tokens: int) -> None:
        with self._lock:
            if self._calls >= self._limits.most_calls:
                raise CompletionFailed(f"{self._calls} calls were made, no more are allowed")
            if self._tokens + tokens > self._limits.most_tokens:
                raise CompletionFailed(f"{self._tokens} tokens were spent, no more are allowed")
            self._calls += 1
            self._tokens += tokens

    def _answer(self, prompt: str, max_tokens: int, seconds: float) -> str:
        import httpx2  # noqa: PLC0415 - only where a model is asked

        body = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": max_tokens,
            "temperature": 0,
        }
        end = self._clock() + seconds
        try:
            with (
                httpx2.Client(
                    timeout=seconds, headers=self._headers, follow_redirects=False
                ) as client,
                client.stream("POST", self._url, json=body) as response,
            ):
                data = self._read(response, end)
                if response.status_code in _AGAIN:
                    raise _TryAgain(f"status {response.status_code}")
                if response.status_code != 200:
                    raise CompletionFailed(f"the endpoint answered status {response.status_code}")
        except httpx2.HTTPError as error:
            raise _TryAgain(type(error).__name__) from None
        except httpx2.InvalidURL:
            raise CompletionFailed("the endpoint's address cannot be used") from None
        return _content(data)

    def _read(self, response: httpx2.Response, end: float) -> bytes:
        """Read a body of bounded size; an endpoint that drips it out runs out of time."""
        data = bytearray()
        for chunk in response.iter_bytes():
            data += chunk
            if len(data) > LONGEST_ANSWER:
                raise CompletionFailed("the endpoint's answer is too long")
            if self._clock() > end:
                raise _TryAgain("the answer came too slowly")
        return bytes(data)


def completer_from(env: Mapping[str, str], *, limits: Limits | None = None) -> HttpCompleter | None:
    """Return the completer that the environment names, or none."""
    url = env.get(URL, "")
    if not url:
        return None
    return HttpCompleter(
        url=url, model=env.get(MODEL, "") or "default", api_key=env.get(API_KEY, ""), limits=limits
    )


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message


class _Completion(msgspec.Struct):
    choices: list[_Choice]


class _TryAgain(Exception):
    """A failure that may pass."""


def _content(data: bytes) -> str:
    try:
        completion = msgspec.json.decode(data, type=_Completion)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise CompletionFailed("the endpoint's answer is no chat completion") from None
    text = completion.choices[0].message.content if completion.choices else None
    if not text or not text.strip():
        raise CompletionFailed("the endpoint's answer is empty")
    return text.strip()
