"""Measure the token estimate against the true tokenizer and against a quarter of the characters.

    python tests/benchmarks/tokens/measure.py FOLDER...

Prints a line for each folder: sections of about 1,000 characters, mean and 95th percentile of the
error of one section, error of the sum, and the same for a quarter of the characters; then megabytes
of UTF-8 estimated in a second. Needs `rs-bpe`, which brings the vocabulary o200k_base with it.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from texts import counter, read_texts, sections

from doctrove_schema.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def main() -> int:
    """Print the figures."""
    folders = [Path(word) for word in sys.argv[1:]]
    if not folders:
        print(__doc__)
        return 2
    try:
        count = counter()
    except ImportError:
        print("the true tokenizer is not installed: pip install rs-bpe", file=sys.stderr)
        return 2
    for folder in folders:
        found = [section for text in read_texts(folder) for section in sections(text)]
        if not found:
            print(f"{folder}: no texts")
            continue
        true = [count(section) for section in found]
        print(
            f"{folder}: {len(found)} sections; {_errors(estimate_tokens, found, true)}; "
            f"characters / 4: {_errors(_quarter, found, true)}; {_speed(found):.1f} MB/s"
        )
    return 0


def _quarter(text: str) -> int:
    return (len(text) + 3) // 4


def _errors(estimate: Callable[[str], int], found: Sequence[str], true: Sequence[int]) -> str:
    estimates = [estimate(section) for section in found]
    pairs = zip(estimates, true, strict=True)
    errors = sorted(100 * abs(guess - count) / count for guess, count in pairs)
    mean = sum(errors) / len(errors)
    late = errors[len(errors) * 95 // 100]
    whole = 100 * (sum(estimates) / sum(true) - 1)
    return f"mean {mean:.1f} %, p95 {late:.1f} %, sum {whole:+.1f} %"


def _speed(found: Sequence[str]) -> float:
    size = sum(len(section.encode()) for section in found)
    runs: list[float] = []
    for _ in range(3):
        start = time.perf_counter()
        for section in found:
            estimate_tokens(section)
        runs.append(time.perf_counter() - start)
    return size / min(runs) / 1e6


if __name__ == "__main__":
    sys.exit(main())
