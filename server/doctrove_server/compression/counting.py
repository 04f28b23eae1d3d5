"""How many tokens a text has: exactly where a tokenizer is installed, else bounded from above.

Budgets are in tokens of o200k_base. Nothing is loaded before the first text is counted.
"""

from __future__ import annotations

import importlib
import json
import re
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
    in_pieces: Callable[[str], int] | None = None

    def once(self, text: str) -> int:
        """Count a text that is not met again: its pieces may be remembered, it is not."""
        return (self.in_pieces or self.count)(text)


def of_json(counts: Counting) -> Counting:
    """Return a way to count JSON: as it is, or with other scripts escaped, whichever is more.

    Who reads an answer may write it again in either way (RFC 8259, section 7), and a budget holds
    for both.
    """

    def count(text: str) -> int:
        return _larger(counts.count, text)

    def once(text: str) -> int:
        return _larger(counts.once, text)

    return Counting(count, counts.exact, once)


def _larger(count: Callable[[str], int], text: str) -> int:
    if text.isascii():
        return count(text)
    escaped = _OTHER_SCRIPTS.sub(lambda run: json.dumps(run[0])[1:-1], text)
    return max(count(text), count(escaped))


_OTHER_SCRIPTS = re.compile(r"[^\x00-\x7f]+")


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
    """Return a way to count with a tokenizer; half surrogates, which no UTF-8 has, count as one.

    Long texts are counted in pieces, and these remembered: one answer repeats those of another.
    """

    def count(text: str) -> int:
        size = len(text)
        if size < _SHORT:
            return counted(text)
        if size < _LONG:
            return short(text)
        return long(text) if size < _LONGEST else in_pieces(text)

    def counted(text: str) -> int:
        try:
            return tokenizer.count(text)
        except UnicodeEncodeError:
            return tokenizer.count(text.encode("utf-8", "replace").decode())

    def in_pieces(text: str) -> int:
        parts = pieces(text)
        if len(parts) > 1:
            some = sum(map(short, [part for part in parts if len(part) < _LONG]))
            return some + sum(map(count, [part for part in parts if len(part) >= _LONG]))
        size = len(text)
        return (short if size < _LONG else alone if size < _LONGEST else counted)(text)

    short, long = lru_cache(_SHORT_ONES)(counted), lru_cache(_LONG_ONES)(in_pieces)
    alone = lru_cache(_LONG_ONES)(counted)
    return Counting(count, exact=True, in_pieces=in_pieces)


def pieces(text: str) -> list[str]:
    """Return a text cut where no token of o200k_base reaches across, whatever stands around.

    Its pattern ends a word or a run of signs at a line's end, slashes right after it included, and
    a word before a backslash and before a quote: so Markdown is cut between paragraphs, and JSON
    between the escapes of two line ends and around the body of a section.
    """
    if "\n" in text:
        return _paragraphs(text)
    found = [text]
    for word, sign in (('"body', '"'), ('"level', '"'), ("\\n", "\\n")):
        found = [piece for part in found for piece in _cut(part, word, sign)]
    return found


def _paragraphs(text: str) -> list[str]:
    last, *others = text.split("\n\n")
    found: list[str] = []
    for part in others:
        if part[:1] in _JOINING:
            last += "\n\n"
            last += part
        else:
            found.append(f"{last}\n\n")
            last = part
    return [*found, last]


_JOINING = frozenset(("", "/", *filter(str.isspace, map(chr, range(0x3001)))))
"""What a paragraph begins with that may be in a token with the line ends before it."""


def _cut(text: str, end: str, begin: str) -> list[str]:
    """Return a text cut between each `end` and the `begin` that follows it."""
    first, *others = text.split(f"{end}{begin}")
    if not others:
        return [text]
    between = [f"{begin}{part}{end}" for part in others[:-1]]
    return [f"{first}{end}", *between, f"{begin}{others[-1]}"]


_SHORT, _LONG, _LONGEST = 8, 1_000, 20_000
_SHORT_ONES, _LONG_ONES = 32_768, 2_048
"""Characters between which the tokens of a text are remembered, and of how many texts."""


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
