"""Lies that leave every name and number as it is: swaps between neighbours, dropped conditions.

Attacked in two ways: by hand, and by changing sentences of real documentation.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from doctrove_server.compression.checking import faults
from doctrove_server.compression.concepts import analysed
from doctrove_server.compression.replacing import says_the_same_to_use
from doctrove_server.compression.sentences import CODE_SPAN, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

ORIGINAL = """\
## Connection pool

`Pool.open` was added in version 3.1 and `Pool.reset` in version 3.4. `Pool.drain` is deprecated
since version 4.0 and removed in 5.0; use `Pool.close` instead. Supports Python 3.8 to 3.12.

- `min_size`: Connections that are always open, from 1 to 64. Defaults to `4`.
- `max_size`: Connections at most, from 1 to 512. Defaults to `32`.
- `idle` (milliseconds): After which a connection is closed. Defaults to `1500`.

Do not use `connect_sync`; use `connect` instead. If `lazy` is true, connections are opened on
first use. When the pool is full, `acquire` waits, unless `nowait` is set, in which case it raises
`PoolFull`. `release` returns the connection to the pool. `acquire` is a coroutine; `release` is a
plain function.

Passwords are hashed with `bcrypt` before they are stored. The body may have 64 KB, the header 8
KB. Retries are made for `GET` requests only. `verify` checks the certificate of the server, and
`pin` its public key. `encode` converts a string to bytes and `decode` bytes to a string. Errors
in the worker are logged to `stderr`, warnings to `stdout`. The token is sent in the
`Authorization` header, not in the query. The callback receives `(error, result)`.

On Windows, `fork` is not available. `load` reads the file once; `watch` reads it every 5 seconds.
`config.toml` wins over `config.json`. Rate: 100 requests per minute for each user. `Cache.get` is
safe to call from several threads; `Cache.put` is not. The server closes the connection after the
client has sent `BYE`.

| Method | Status | Meaning |
|--------|--------|---------|
| `create` | `201` | made |
| `update` | `204` | changed |
| `remove` | `410` | gone |
"""

LIES = [
    "`Pool.open` was added in version 3.4 and `Pool.reset` in 3.1.",
    "`Pool.reset` was added in version 3.1.",
    "`Pool.open` is deprecated since version 3.1.",
    "`Pool.drain` was added in version 4.0.",
    "`Pool.drain` was removed in 4.0.",
    "`Pool.drain` is deprecated since version 5.0.",
    "`Pool.close` is deprecated since version 4.0.",
    "Use `Pool.drain` instead of `Pool.close`.",
    "Supports Python 3.12 to 3.8.",
    "Supports Python 3.8 to 3.9.",
    "Supports Python up to 3.8.",
    "Requires Python 3.12 or later.",
    "Supports Python above 3.8.",
    "`min_size` is from 1 to 512.",
    "`max_size` is from 4 to 32.",
    "`max_size` is from 64 to 512.",
    "`min_size` defaults to `32`.",
    "`idle` defaults to `1500` seconds.",
    "`idle` defaults to 1.5 minutes.",
    "`idle` is in seconds and defaults to `1500`.",
    "Use `connect_sync` instead of `connect`.",
    "Use `connect_sync`, not `connect`.",
    "Do not use `connect`; use `connect_sync` instead.",
    "Do not use `connect`.",
    "Use `connect_sync`.",
    "Connections are opened on first use.",
    "If `lazy` is false, connections are opened on first use.",
    "If `nowait` is set, `acquire` waits.",
    "When the pool is full, `acquire` waits.",
    "When the pool is full, `acquire` raises `PoolFull`.",
    "`acquire` raises `PoolFull`.",
    "When the pool is empty, `acquire` waits.",
    "Unless `nowait` is set, `acquire` raises `PoolFull`.",
    "`release` waits when the pool is full.",
    "`acquire` returns the connection to the pool.",
    "`release` is a coroutine.",
    "`acquire` is a plain function.",
    "Passwords are hashed with `bcrypt` after they are stored.",
    "Passwords are stored before they are hashed with `bcrypt`.",
    "Passwords are encrypted with `bcrypt` before they are stored.",
    "The body may have 8 KB, the header 64 KB.",
    "The header may have 64 KB.",
    "The body may have 64 MB.",
    "Retries are made for `GET` requests.",
    "Retries are made for all requests.",
    "Retries are made for all but `GET` requests.",
    "`pin` checks the certificate of the server, and `verify` its public key.",
    "`verify` checks the certificate of the client.",
    "`verify` checks the public key of the server.",
    "`encode` converts bytes to a string.",
    "`decode` converts a string to bytes.",
    "Errors in the worker are logged to `stdout`, warnings to `stderr`.",
    "Warnings are logged to `stderr`.",
    "The token is sent in the query, not in the `Authorization` header.",
    "The token is sent in the query.",
    "The token is sent in the `Authorization` header and in the query.",
    "The callback receives `(result, error)`.",
    "`fork` is not available.",
    "On Windows, `fork` is available.",
    "On Linux, `fork` is not available.",
    "`fork` is available on Windows only.",
    "`load` reads the file every 5 seconds.",
    "`watch` reads the file once.",
    "`watch` reads the file every 5 minutes.",
    "`config.json` wins over `config.toml`.",
    "Rate: 100 requests per second for each user.",
    "Rate: 100 requests per minute for all users.",
    "Rate: 1000 requests per minute for each user.",
    "`Cache.put` is safe to call from several threads.",
    "`Cache.get` is not safe to call from several threads.",
    "`Cache.get` and `Cache.put` are safe to call from several threads.",
    "The client closes the connection after the server has sent `BYE`.",
    "The server closes the connection before the client has sent `BYE`.",
    "The server sends `BYE` before it closes the connection.",
    "`create` answers `204`.",
    "`update` answers `201`, `create` `204`.",
    "`remove` means changed.",
    "| `create` | `410` | made |",
    "| `remove` | `410` | changed |",
    "`create` means gone.",
]

FAIR = [
    "`Pool.open` was added in 3.1, `Pool.reset` in 3.4.",
    "`Pool.drain` is deprecated since 4.0; use `Pool.close`.",
    "Use `Pool.close` instead of `Pool.drain`.",
    "Use `Pool.close`, not `Pool.drain`.",
    "Supports Python 3.8 to 3.12.",
    "`idle` is in milliseconds and defaults to `1500`.",
    "Use `connect`, not `connect_sync`.",
    "Use `connect` instead of `connect_sync`.",
    "Use `connect` rather than `connect_sync`.",
    "Do not use `connect_sync`; use `connect`.",
    "If `lazy` is true, connections are opened on first use.",
    "`acquire` waits when the pool is full, unless `nowait` is set.",
    "`release` returns the connection to the pool.",
    "`acquire` is a coroutine, `release` a plain function.",
    "Passwords are hashed with `bcrypt` before they are stored.",
    "The body may have 64 KB, the header 8 KB.",
    "Retries are made for `GET` requests only.",
    "`verify` checks the server's certificate, `pin` its public key.",
    "`encode` converts a string to bytes, `decode` bytes to a string.",
    "Errors in the worker are logged to `stderr`, warnings to `stdout`.",
    "The token is sent in the `Authorization` header, not in the query.",
    "`fork` is not available on Windows.",
    "On Windows `fork` isn't available.",
    "`load` reads the file once, `watch` every 5 seconds.",
    "`config.toml` wins over `config.json`.",
    "100 requests per minute for each user.",
    "`Cache.get` is safe to call from several threads; `Cache.put` is not.",
    "The server closes the connection after the client has sent `BYE`.",
]


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_made_of_true_words_is_refused(lie: str) -> None:
    assert faults(lie, analysed(ORIGINAL), expected="")


@pytest.mark.parametrize("fair", FAIR)
def test_what_is_said_in_the_same_words_passes(fair: str) -> None:
    assert faults(fair, analysed(ORIGINAL), expected="") == ()


@pytest.mark.parametrize(
    "original",
    [
        "Do not use `b`; use `a` instead.",
        "Don't use `b`, use `a`.",
        "Never call `b`. Use `a` instead.",
        "Use `a` instead of `b`.",
        "Please use `a` rather than `b`.",
        "Prefer `a` over `b`.",
        "`b` is deprecated since version 2.1; use `a` instead.",
        "`b` was removed in 3.0: use `a`.",
        "Text before. Use `a`, not `b`. Text after.",
    ],
)
def test_what_to_use_may_be_said_in_other_words(original: str) -> None:
    for said in ("Use `a`, not `b`.", "Use `a` instead of `b`", "Prefer `a` over `b`."):
        assert says_the_same_to_use(said, original)
        assert faults(said, analysed(original), expected="") == ()
    for lie in ("Use `b`, not `a`.", "Use `b` instead of `a`.", "Use `a`, not `c`."):
        assert not says_the_same_to_use(lie, original)
        assert faults(lie, analysed(original), expected="")


@pytest.mark.parametrize(
    "original",
    [
        "Use `a`. Use `b`.",
        "On Windows, use `a` instead of `b`.",
        "If it is slow, use `a` instead of `b`.",
        "Use `a` instead of `b` for large files.",
        "Do not use `b` unless you must; use `a` where you can.",
        "Do not use `a` instead of `b`.",
        "You never need to use `a` instead of `b`.",
        "Use `a` instead of `b`. Use `b` instead of `a`.",
        "`b` is deprecated in `c`; use `a` there.",
    ],
)
def test_what_to_use_is_refused_where_the_original_says_it_otherwise(original: str) -> None:
    assert not says_the_same_to_use("Use `a`, not `b`.", original)
    assert faults("Use `a`, not `b`.", analysed(original), expected="")


EXCHANGES = (
    "before after, always never, must may, all some, string number, server client,"
    " request response, first last, increase decrease, deprecated removed, added deprecated,"
    " seconds minutes, milliseconds seconds, parent child, true false, key value, read write,"
    " least most, class function, left right"
)
PAIRS = [pair.split() for pair in EXCHANGES.split(", ")]
_NUMBER = re.compile(r"(?<![\w.`])\d+(?:\.\d+)*(?![\w.`])")
_VERB = re.compile(r"\b(is|are|can|will|must|does)\b")
_CONDITION = re.compile(
    r"(?:If|When|Unless|On|In|For|Before|After)\s[^,]{5,80},\s(.)(.*)", re.DOTALL
)


def swapped(text: str, one: re.Match[str], other: re.Match[str]) -> str:
    middle = text[one.end() : other.start()]
    return f"{text[: one.start()]}{other[0]}{middle}{one[0]}{text[other.end() :]}"


def changed(sentence: str) -> Iterator[str]:
    """Yield false forms of a sentence."""
    for form in (CODE_SPAN, _NUMBER):
        found = list(form.finditer(sentence))[:2]
        if len(found) == 2 and found[0][0] != found[1][0]:
            yield swapped(sentence, found[0], found[1])
    if re.search(r"\bnot\b", sentence):
        yield re.sub(r"\s*\bnot\b", "", sentence, count=1)
    elif _VERB.search(sentence):
        yield _VERB.sub(r"\1 not", sentence, count=1)
    if dropped := _CONDITION.match(sentence):
        yield dropped[1].upper() + dropped[2]
    for one, other in (*PAIRS, *(pair[::-1] for pair in PAIRS)):
        if re.search(rf"\b{one}\b", sentence):
            yield re.sub(rf"\b{one}\b", other, sentence, count=1)


def test_of_real_documentation_true_sentences_pass_and_changed_ones_do_not(
    real_sections: tuple[str, ...],
) -> None:
    chosen = random.Random(1)
    true = passed = lies = believed = 0
    for text in real_sections:
        original = analysed(text[:6_000])
        found = [
            re.sub(r"^\s*[-*+]\s+", "", line)
            for unit in original.units
            if unit.kind in ("sentence", "item")
            for line in sentences(unit.text)
            if 40 < len(line) < 400 and not re.search(r"\]\(|[\n<]", line)
        ]
        for line in chosen.sample(found, min(3, len(found))):
            true += 1
            passed += not faults(line, original, expected="")
            for lie in set(changed(line)) - {line}:
                lies += 1
                believed += not faults(lie, original, expected="")
    assert true > 100
    assert lies > 100
    assert passed >= 0.95 * true, f"{passed} of {true} true sentences pass"
    assert believed <= 0.08 * lies, f"{believed} of {lies} changed sentences pass"
