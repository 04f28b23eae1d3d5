"""Print what publishing costs, as ratios to a full write of the same tree in the same run.

    python tests/benchmarks/writing/publish.py [FILES]

The tree is FILES (10,000) pages of about 6 kB in folders of 20. `bare` is the same files written by
a plain loop without any care: what the disk itself costs.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.writing import Artefact, publish_tree, reusable

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3


def main(count: int) -> None:
    """Measure and print."""
    pages = {
        f"express/5.1.0/guide-{number // 20}/page-{number}/index.html": (
            f"<p>{number}</p>".encode() * 400
        )
        for number in range(count)
    }
    artefacts = [Artefact(path=path, content=content) for path, content in pages.items()]
    changed = [*artefacts[1:], Artefact(path=artefacts[0].path, content=b"changed")]
    wanted = {path: hashlib.sha256(content).hexdigest() for path, content in pages.items()}
    with tempfile.TemporaryDirectory() as name:
        dest, bare = Path(name, "dist"), Path(name, "bare")

        def reuse() -> None:
            found = reusable(dest, wanted)
            publish_tree(dest, [Artefact(path=path, content=r) for path, r in found.items()])

        full = measure(lambda: publish_tree(dest, artefacts), before=lambda: remove(dest))
        rows = {
            "full write": full,
            "full write, not durable": measure(
                lambda: publish_tree(dest, artefacts, durable=False), before=lambda: remove(dest)
            ),
            "bare loop": measure(lambda: write_bare(bare, pages), before=lambda: remove(bare)),
            "no change, bytes compared": measure(lambda: publish_tree(dest, artefacts)),
            "no change, taken over by hash": measure(reuse),
            "one page changed": measure(
                lambda: publish_tree(dest, changed), before=lambda: publish_tree(dest, artefacts)
            ),
        }
    size = sum(map(len, pages.values()))
    print(f"{count:,} files, {size / 1e6:.0f} MB, best of {ROUNDS}, ratios to a full write")
    for label, (seconds, busy) in rows.items():
        print(
            f"{label:32} {seconds:6.2f} s {seconds / full[0]:6.2f}"
            f"   processor {busy:6.2f} s {busy / full[1]:6.2f}"
        )


def measure(
    work: Callable[[], object], *, before: Callable[[], object] = lambda: None
) -> tuple[float, float]:
    """Return the seconds of the best round, by the clock and of the processor, without `before`."""
    rounds: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        before()
        begun = time.perf_counter(), time.process_time()
        work()
        rounds.append((time.perf_counter() - begun[0], time.process_time() - begun[1]))
    return min(seconds for seconds, _ in rounds), min(busy for _, busy in rounds)


def write_bare(root: Path, pages: dict[str, bytes]) -> None:
    """Write the files in the simplest way."""
    for path, content in pages.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def remove(folder: Path) -> None:
    """Remove a folder if it is there."""
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
