"""A language model asked for text: a small interface, an OpenAI-compatible endpoint behind it.

What fails is a `CompletionFailed`, always within the deadline; the key is never in a message.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

import msgspec

from doctrove_server.compression.chat import CompletionFailed, TryAgain, ask
from doctrove_server.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

URL, MODEL, API_KEY = "DOCTROVE_LLM_URL", "DOCTROVE_LLM_MODEL", "DOCTROVE_LLM_API_KEY"
TIMEOUT = "DOCTROVE_LLM_TIMEOUT_MS"
LONGEST_TIMEOUT = 600_000
"""Milliseconds."""

_NO_TIME = "no time was left"

DEFAULT = "default"
"""The model's name where none is said; many local servers hold one model and ignore it."""


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
    """Seconds before the first retry, doubled for each further one; `Retry-After` can be more."""

    concurrency: int = 2
    most_calls: int = 500
    most_tokens: int = 1_000_000
    """Of prompts (a quarter of their characters) and answers asked for."""

    failures: int = 2
    """After that many in a row the endpoint is left alone."""

    rest: float = 60.0
    """For that many seconds."""


class HttpCompleter:
    """An endpoint with `POST /chat/completions`, as OpenAI and most local servers have it."""

    def __init__(  # noqa: PLR0913 - an endpoint, and what tests put in its place
        self,
        *,
        url: str,
        model: str,
        api_key: str = "",
        limits: Limits | None = None,
        log: Callable[[str], None] = lambda _text: None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """`log` is told once whenever the endpoint is left alone: why, and for how long."""
        self.model = model
        base = url.rstrip("/")
        self._url = base if base.endswith("/completions") else f"{base}/chat/completions"
        self._headers = {"Accept-Encoding": "identity"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._limits = limits or Limits()
        self._log = log
        self._clock = clock
        self._wait = wait
        self._turns = threading.BoundedSemaphore(self._limits.concurrency)
        self._lock = threading.Lock()
        self._calls = self._tokens = self._used = self._failures = self._failed = 0
        self._rests_until = float("-inf")

    @property
    def concurrency(self) -> int:
        """How many completions go on at once; a further one waits."""
        return self._limits.concurrency

    @property
    def calls(self) -> int:
        """How often the endpoint was asked so far."""
        return self._calls

    @property
    def failed(self) -> int:
        """Questions that the endpoint was asked, once or more often, and gave no answer to."""
        return self._failed

    @property
    def tokens(self) -> int:
        """Tokens of questions and answers so far: as the endpoint counts them, else estimated."""
        return self._used

    def complete(self, prompt: str, /, *, max_tokens: int) -> str:
        """Ask; what the endpoint answers too late, wrongly or not at all is `CompletionFailed`.

        Not to be called from a coroutine.
        """
        end = self._clock() + self._limits.seconds
        self._check_rest()
        if not self._turns.acquire(timeout=self._limits.seconds):
            raise CompletionFailed("the model is busy with other questions", asked=False)
        try:
            self._check_rest()  # which may have begun while this waited for its turn
            answer = self._asked(prompt, max_tokens, end)
        except CompletionFailed as error:
            self._note_failure(error)
            raise
        finally:
            self._turns.release()
        self._failures = 0
        return answer

    def _check_rest(self) -> None:
        if self._clock() < self._rests_until:
            times = self._limits.failures
            raise CompletionFailed(f"the model failed {times} times in a row", asked=False)

    def _note_failure(self, error: CompletionFailed) -> None:
        """Count a failure; the last of too many in a row begins a rest, which is said once."""
        if not error.asked:
            return
        with self._lock:
            self._failed += 1
            if isinstance(error, _Spent) or self._clock() < self._rests_until:
                return
            self._failures += 1
            if self._failures < self._limits.failures:
                return
            self._failures = 0
            self._rests_until = self._clock() + self._limits.rest
        self._log(
            f"the model at {_host(self._url)} failed {self._limits.failures} times in a row, at"
            f" last: {error}; it is left alone for {self._limits.rest:g} s"
        )

    def _asked(self, prompt: str, max_tokens: int, end: float) -> str:
        failure = _NO_TIME
        for attempt in range(self._limits.retries + 1):
            left = end - self._clock()
            if left <= 0:
                break
            self._spend(len(prompt) // 4 + max_tokens, again=attempt > 0)
            pause = self._limits.backoff * 2**attempt
            try:
                reply = ask(self._url, self._headers, self._question(prompt, max_tokens), left)
            except TryAgain as error:
                failure = str(error)
                pause = max(pause, error.after)
            else:
                with self._lock:
                    self._used += reply.tokens or (len(prompt) + len(reply.text)) // 4
                return reply.text
            if attempt < self._limits.retries and self._clock() + pause < end:
                self._wait(pause)
        raise CompletionFailed(f"the model gave no answer: {failure}", asked=failure != _NO_TIME)

    def _spend(self, tokens: int, *, again: bool) -> None:
        with self._lock:
            if self._calls >= self._limits.most_calls:
                raise _Spent(f"{self._calls} calls were made, no more are allowed", asked=again)
            if self._tokens + tokens > self._limits.most_tokens:
                raise _Spent(f"{self._tokens} tokens were spent, no more are allowed", asked=again)
            self._calls += 1
            self._tokens += tokens

    def _question(self, prompt: str, max_tokens: int) -> dict[str, object]:
        whole = prompt.encode("utf-8", "replace").decode()  # half surrogates fit into no request
        return {
            "model": self.model,
            "messages": [{"role": "user", "content": whole}],
            "max_tokens": max_tokens,
            "temperature": 0,
        }


class _Spent(CompletionFailed):
    """The limits of this process are reached; the endpoint did nothing wrong."""


def completer_from(
    env: Mapping[str, str],
    *,
    limits: Limits | None = None,
    log: Callable[[str], None] = lambda _text: None,
) -> HttpCompleter | None:
    """Return the completer that the environment names, or none; raises `ConfigError`."""
    url, api_key = env.get(URL, "").strip(), env.get(API_KEY, "").strip()
    if not url:
        return None
    if not url.lower().startswith(("http://", "https://")):
        raise ConfigError(f"{URL} is not an http or https address")
    if not (api_key.isascii() and api_key.isprintable()):
        raise ConfigError(f"{API_KEY} holds characters that no header can carry")
    return HttpCompleter(
        url=url,
        model=env.get(MODEL, "") or DEFAULT,
        api_key=api_key,
        limits=_in_time(limits or Limits(), env.get(TIMEOUT, "").strip()),
        log=log,
    )


def _host(url: str) -> str:
    """Return host and port of an address: no credentials, path or query."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2][:200]
    except ValueError:
        return "an address that cannot be read"


def _in_time(limits: Limits, given: str) -> Limits:
    """Return limits with the deadline that the environment gives, if it gives one."""
    if not given:
        return limits
    milliseconds = int(given) if given.isascii() and given.isdigit() and len(given) < 8 else 0
    if not 1 <= milliseconds <= LONGEST_TIMEOUT:
        raise ConfigError(f"{TIMEOUT} must be milliseconds, 1 to {LONGEST_TIMEOUT}")
    return msgspec.structs.replace(limits, seconds=milliseconds / 1_000)
