from __future__ import annotations

import pytest

from doctrove_server.compression.checking import faults
from doctrove_server.compression.concepts import analysed

ORIGINAL = """\
## Client

`retries` is 5 and `timeout` is 30 seconds. The queue holds at most 50 entries.

The server listens on port 8123 and answers each request in its own task. A wrong token raises
`AuthError`. A token is kept for one hour after the login, and an expired one is refused.

`strict` is on by default. `find` raises `KeyError`, `load` returns `None`. `open` does not lock the
file. `Client.close` must be called before `Client.delete`.

`Pool.get` accepts a `Key` and never blocks. Use `Client.stream` instead of `Client.read`. The
option `cache` is required; `proxy` is optional. Only administrators may call `purge`.

- `size`: How many are kept. Defaults to `16`.
- `level` (string): One of `"low"` and `"high"`. Defaults to `"low"`.

| Option | Type | Default |
|--------|------|---------|
| `delay` | `float` | `0.5` |
| `tries` | `int` | `3` |

```python
client = Client(retries=5, timeout=30)
client.find("key")
```
"""

CACHE = """\
## Caching

The `ttl` option sets how long entries live; it defaults to 300 seconds. `maxSize` limits the
cache to 1000 items, and `cleanup` runs every 10 minutes. Entries are evicted after they expire.
`cache.get()` returns `undefined` for a missing key and does not throw. `cache.set()` throws a
`QuotaError` if the value is larger than 2 MB. Compression is disabled by default. If `persist` is
true, entries are written to disk before the process exits.

Deprecated since version 3.2: use `cache.clear()` instead of `cache.reset()`. Requires Node 18 or
later. Keys must be strings. Unlike `Map`, the cache never keeps references to objects.
"""


@pytest.mark.parametrize(
    "lie",
    [
        "`retries` defaults to 30 and `timeout` to 5.",
        "`retries` is 30 seconds and `timeout` is 5.",
        "`timeout` is 5, `retries` is 30.",
        "`timeout` (5) and `retries` (30 seconds) are options.",
        "The server does not listen on port 8123.",
        "A wrong token never raises `AuthError`.",
        "A wrong token doesn't raise `AuthError`.",
        "`retries` is five hundred.",
        "The queue holds at most five hundred entries.",
        "`timeout` is thirty hours.",
        "`timeout` is 30 minutes.",
        "`timeout` is 30 ms.",
        "A valid token raises `AuthError`.",
        "A token raises `AuthError`.",
        "A wrong token returns `AuthError`.",
        "`strict` is off by default.",
        "`strict` is disabled by default.",
        "`strict` is `false` by default.",
        "`find` returns `None`, `load` raises `KeyError`.",
        "`load` raises `KeyError`.",
        "`find` returns `KeyError`.",
        "`find` returns `None`.",
        "`open` locks the file.",
        "`Client.delete` must be called before `Client.close`.",
        "`Client.close` must be called after `Client.delete`.",
        "`Pool.get` accepts a `Key` and always blocks.",
        "`Pool.get` rejects a `Key`.",
        "`Pool.get` blocks.",
        "Use `Client.read` instead of `Client.stream`.",
        "`Client.read` replaces `Client.stream`.",
        "`cache` is optional.",
        "`proxy` is required.",
        "Anyone may call `purge`, administrators never.",
        "Administrators may call `purge`.",
        "The queue holds at least 50 entries.",
        "`size` defaults to `3`.",
        '`level` defaults to `"high"`.',
        "`delay` is `3`.",
        "`delay` defaults to `3` and `tries` to `0.5`.",
        "| `delay` | `float` | `3` |",
        "A token is kept for one hour before the login.",
        "A token is kept for a hundred hours after the login.",
        "A token is kept for two hours after the login.",
        "Call `Client(retries=30, timeout=5)`.",
        '```python\nclient.find("other", strict=False)\n```',
    ],
)
def test_a_lie_is_refused(lie: str) -> None:
    assert faults(lie, analysed(ORIGINAL), expected="")


@pytest.mark.parametrize(
    "fair",
    [
        "`retries` defaults to 5 and `timeout` to 30 seconds.",
        "`timeout`: 30 seconds; `retries`: 5.",
        "`timeout` is 30 s.",
        "`retries` is five, `timeout` thirty seconds.",
        "The queue has no more than 50 entries.",
        "The server listens on port 8123.",
        "Requests are answered in tasks of their own by the server on port 8123.",
        "A wrong token raises `AuthError`.",
        "An invalid token raises `AuthError`.",
        "`AuthError` is raised by a wrong token.",
        "A token is kept for 60 minutes after the login.",
        "Expired tokens are refused.",
        "`strict` is enabled by default.",
        "`strict` defaults to on by default.",
        "`find` raises `KeyError`; `load` returns `None`.",
        "`load` returns `None`.",
        "`KeyError` is raised by `find`.",
        "`open` doesn't lock the file.",
        "Call `Client.close` before `Client.delete`.",
        "`Pool.get` accepts a `Key`.",
        "`Pool.get` takes a `Key`, never blocking.",
        "`Client.stream` replaces `Client.read`.",
        "`cache` is required, `proxy` optional.",
        "Only administrators may call `purge`.",
        "- `size`: how many are kept, `16` by default.",
        '`level` (a string) defaults to `"low"`.',
        "`delay` is a float and defaults to `0.5`; `tries` defaults to `3`.",
        "| `delay` | `float` | `0.5` |\n| `tries` | `int` | `3` |",
        "- `delay`: `0.5`\n- `tries`: `3`",
        'Call `client.find("key")`.',
        "```python\nclient = Client(retries=5, timeout=30)\n```",
    ],
)
def test_a_fair_paraphrase_passes(fair: str) -> None:
    assert faults(fair, analysed(ORIGINAL), expected="") == ()


@pytest.mark.parametrize(
    "lie",
    [
        "`ttl` defaults to 1000 and `maxSize` to 300.",
        "`cleanup` runs every 300 seconds.",
        "`cleanup` runs every ten hours.",
        "`cleanup` runs every 10 seconds.",
        "`cache.get()` throws for a missing key.",
        "`cache.get()` throws a `QuotaError` for a missing key.",
        "`cache.set()` returns `undefined` if the value is larger than 2 MB.",
        "`cache.set()` throws if the value is smaller than 2 MB.",
        "`cache.set()` throws a `QuotaError` if the value is larger than 2 GB.",
        "Compression is enabled by default.",
        "Compression is on by default.",
        "If `persist` is false, entries are written to disk before the process exits.",
        "If `persist` is true, entries are written to disk after the process exits.",
        "Use `cache.reset()` instead of `cache.clear()`.",
        "Deprecated since version 18.",
        "Requires Node 3.2 or later.",
        "Requires Node 18 or earlier.",
        "Keys must not be strings.",
        "The cache keeps references to objects.",
        "Entries are evicted before they expire.",
        "Entries are never evicted.",
        "`maxSize` is 300 seconds.",
        "`ttl` defaults to five minutes and `cleanup` to 300 seconds.",
        "`ttl` limits the cache to 1000 items.",
        "`cache.get()` returns `undefined` for a present key.",
        "`cache.clear()` is deprecated since version 3.2.",
        "`cache.get()` does not return `undefined` for a missing key.",
        "`cache.set()` never throws `QuotaError`.",
    ],
)
def test_a_lie_about_a_cache_is_refused(lie: str) -> None:
    assert faults(lie, analysed(CACHE), expected="")


@pytest.mark.parametrize(
    "fair",
    [
        "`ttl` defaults to 300 seconds and `maxSize` limits the cache to 1000 items.",
        "`ttl` is 5 minutes by default.",
        "`cache.get()` returns `undefined` for a missing key.",
        "A missing key makes `cache.get()` return `undefined`.",
        "`cache.set()` throws `QuotaError` for values larger than 2 MB.",
        "Compression is off by default.",
        "With `persist` set to true, entries are written to disk before exit.",
        "`cache.clear()` replaces `cache.reset()`, deprecated since 3.2.",
        "Node 18 or later is required.",
        "Keys are strings.",
        "The cache never keeps object references.",
        "`cleanup` runs every ten minutes.",
        "`maxSize`: at most 1000 items.",
        "Entries live for `ttl` (default 300 seconds).",
        "- `ttl`: how long entries live, default 300 seconds\n- `maxSize`: 1000 items",
    ],
)
def test_a_fair_paraphrase_about_a_cache_passes(fair: str) -> None:
    assert faults(fair, analysed(CACHE), expected="") == ()


@pytest.mark.parametrize(
    "text",
    ["`a` is 5 and " * 4000, "`" * 9 + "x " * 3000, "one hundred " * 5000, "`a` `b` is " * 100],
    ids=["clauses", "backticks", "numbers", "names"],
)
def test_a_hostile_summary_of_any_length_is_refused_soon(text: str) -> None:
    assert faults(text, analysed(ORIGINAL), expected="")
