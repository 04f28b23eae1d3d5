"""Make the table of costs in `doctrove_schema.tokens` from texts and a true tokenizer.

    python tests/benchmarks/tokens/fit.py FOLDER...

Reads every .md, .mdx, .rst, .py and .po file below the folders (of .po files the translations) and
prints the rows. Needs `rs-bpe`, which brings the vocabulary o200k_base with it.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from texts import counter, read_texts

from doctrove_schema.tokens import PIECE, classes, kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_COLUMNS = 16
_ENOUGH = 10
"""Pieces that an average must rest on; below it the cost follows the shorter ones."""


def main() -> int:
    """Print the table."""
    folders = [Path(word) for word in sys.argv[1:]]
    if not folders:
        print(__doc__)
        return 2
    for name, row in sorted(fit(text for folder in folders for text in read_texts(folder)).items()):
        print(f'    "{name}": {row},')
    return 0


def fit(texts: Iterable[str]) -> Mapping[str, tuple[int, ...]]:
    """Average the true cost of pieces by kind and length, in hundredths."""
    count = lru_cache(maxsize=None)(counter())
    tokens: dict[tuple[str, int], int] = defaultdict(int)
    pieces: dict[tuple[str, int], int] = defaultdict(int)
    for text in texts:
        for match in PIECE.finditer(classes(text)):
            name, length = kind(match[0])
            place = (name, min(length, _COLUMNS))
            tokens[place] += count(text[match.start() : match.end()])
            pieces[place] += 1
    names = {name for name, _ in pieces}
    return {name: _row(name, tokens, pieces) for name in names}


def _row(
    name: str, tokens: Mapping[tuple[str, int], int], pieces: Mapping[tuple[str, int], int]
) -> tuple[int, ...]:
    """Fill one row up to its last average; what is rare in between repeats the one before."""
    row = [100]
    for length in range(1, _COLUMNS + 1):
        place = (name, length)
        if pieces.get(place, 0) >= _ENOUGH:
            row += [row[-1]] * (length - len(row))
            row.append((200 * tokens[place] + pieces[place]) // (2 * pieces[place]))
    return tuple(row[1:]) or (100,)


if __name__ == "__main__":
    sys.exit(main())
