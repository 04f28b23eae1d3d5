"""What the compression tests share: documentation, written here and real where it is at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from doctrove_server.compression.shelf import Shelf

SHARED = Path(__file__).parents[3] / "shared" / "corpora"

SECTION = """\
The server listens on one port and answers each request in its own task. It reads its settings once,
when it starts; a change of them needs a restart.

- `port`: Where it listens, a number. Defaults to `8730`.
- `host`: The address. Defaults to `"127.0.0.1"`.
- `timeout` (seconds): How long a request may take.

| Option | Type | Default |
|--------|------|---------|
| `retries` | `int` | `3` |
| `backoff` | `float` | `0.5` |

```python
server = Server(port=8730, host="127.0.0.1")
server.run()
```

### Errors

`Server.run` raises `PortInUse` when the port is taken. It does not retry by itself. Deprecated
since version 2.1: use `Server.serve` instead. Set the environment variable `SERVER_PORT` to
override `port`.

For more details see the guide. The weather was fine on the day this was written, and everyone went
for a walk along the river, which says nothing about servers at all.

```python
def serve(self, *, retries: int = 3) -> None: ...
```
"""

STORY = "\n\n".join(
    f"Chapter {n} tells how the `module_{n}` was made. It has {n} parts and the function"
    f" `build_{n}()` returns `{n * 7}`. Nobody knows why the old name was kept for so long."
    for n in range(1, 15)
)


@pytest.fixture
def section() -> str:
    """A section with prose, items, a table, code, and a paragraph that says nothing."""
    return SECTION


@pytest.fixture
def story() -> str:
    """A long section of prose with a name in each paragraph."""
    return STORY


@pytest.fixture(scope="session")
def shelf() -> Shelf:
    """A shelf that counts exactly."""
    return Shelf()


@pytest.fixture(scope="session")
def real_sections() -> tuple[str, ...]:
    """Sections of real documentation, spread over the corpora."""
    if not SHARED.is_dir():
        pytest.skip("shared material is not here")
    found: list[str] = []
    for file in sorted((*SHARED.rglob("*.md"), *SHARED.rglob("*.mdx"))):
        text = file.read_text("utf-8")
        found += [text[at : at + 9_000] for at in range(0, len(text), 9_000)]
    found = [text for text in found if len(text) >= 200]
    return tuple(found[:: max(1, len(found) // 60)])
