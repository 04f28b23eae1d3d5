"""How many tokens a text has: exactly where a tokenizer is installed, else bounded from above.

Budgets are in tokens of o200k_base. Nothing is loaded before the first text is counted.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

import msgspec

from doctrove_server.compression.bound import most_tokens

ENCODING = "o200k_base"


class Counting(msgspec.Struct, frozen=True):
    """A way to count tokens; it never says fewer than there are."""

    count: Callable[[str], int]
    exact: bool


class _Tokenizer(Protocol):
    def count(self, text: str, /) -> int: ...


def counting() -> Counting:
    """Return the exact way when the extra `tokens` is installed, else the bound; loaded once."""
    global _known  # noqa: PLW0603 - a tokenizer takes 0.2 s and 70 MB: one for the process
    with _lock:
        if _known is None:
            tokenizer = _tokenizer()
            _known = exact(tokenizer) if tokenizer else BOUND
        return _known


def exact(tokenizer: _Tokenizer) -> Counting:
    """Return a way to count with a tokenizer; half surrogates, which no UTF-8 has, count as one."""

    def count(text: str) -> int:
        return remembered(text) if _SHORT < len(text) < _LONG else counted(text)

    def counted(text: str) -> int:
        try:
            return tokenizer.count(text)
        except UnicodeEncodeError:
            return tokenizer.count(text.encode("utf-8", "replace").decode())

    remembered = lru_cache(maxsize=_REMEMBERED)(counted)
    return Counting(count, exact=True)


_SHORT, _LONG, _REMEMBERED = 500, 20_000, 512
"""Characters of texts, mostly sections, whose tokens are remembered; and how many of them."""


BOUND = Counting(most_tokens, exact=False)
_known: Counting | None = None
_lock = threading.Lock()


def _tokenizer() -> _Tokenizer | None:
    """Load the tokenizer of the extra: `rs-bpe`, or `bpe-openai` where that has no wheel."""
    try:
        return importlib.import_module("rs_bpe.bpe").openai.o200k_base()  # type: ignore[no-any-return]  # untyped
    except ImportError:
        pass
    try:
        bindings = importlib.import_module("bpe_openai._bindings")
        return bindings.tokenizer_for_encoding(ENCODING)  # type: ignore[no-any-return]  # untyped
    except ImportError:
        return None
