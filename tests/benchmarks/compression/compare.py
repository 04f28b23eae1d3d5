"""Measure what compression keeps, beside the seed's sketch and LexRank.

    python tests/benchmarks/compression/compare.py CORPORA [LIBRARY...]

Prints, for the libraries that were looked at during tuning and for those that were not: the share
of tokens, of identifiers, of facts, of answers to questions by their set, of all answers, and of
broken code blocks, at 0.2 and 0.5; how many results are over the budget; then milliseconds. Needs
`rs-bpe`.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from material import FOLDERS, SETS, TUNED, pieces, questions
from metrics import broken_code, facts, identifiers, kept_facts, kept_identifiers
from peers import front, lexrank, sketch, sketch_in_budget

from doctrove_server.compression.concepts import analysed
from doctrove_server.compression.counting import counting
from doctrove_server.compression.extractive import extract
from doctrove_server.compression.queries import query_terms
from doctrove_server.compression.selection import choose

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from material import Piece, Question

SMALLEST, LARGEST = 500, 6_000
"""Tokens of the sections that are shortened."""


def main() -> int:
    """Print the figures."""
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    corpora, only = Path(sys.argv[1]), sys.argv[2:] or list(FOLDERS)
    counts = counting()
    if not counts.exact:
        print("the tokenizer is not installed: pip install 'doctrove[tokens]'", file=sys.stderr)
        return 2
    for title, libraries in (
        ("looked at while tuning", [name for name in only if name in TUNED]),
        ("not looked at", [name for name in only if name not in TUNED]),
    ):
        if libraries:
            found = [piece for name in libraries for piece in pieces(corpora, name)]
            asked = [q for q in questions() if q.library in libraries]
            print(f"\n{title}: {', '.join(libraries)}")
            _shortened(found, asked, counts.count)
    return 0


def _gold(question: Question, found: Sequence[Piece]) -> Piece | None:
    """Return the section that answers a question: of those that do, the nearest to its words."""
    terms = query_terms(question.question)
    best: tuple[float, Piece] | None = None
    for piece in found:
        if (piece.library, piece.page) == (
            question.library,
            question.page,
        ) and question.answered_by(piece.text):
            words = query_terms(piece.text)
            score = len(terms & words) - len(piece.text) / 1e6
            if best is None or score > best[0]:
                best = (score, piece)
    return best[1] if best else None


def _shortened(
    found: Sequence[Piece], asked: Sequence[Question], count: Callable[[str], int]
) -> None:
    sized = [p for p in found if SMALLEST <= count(p.text) <= LARGEST]
    sized = sized[:: max(1, len(sized) // 60)]
    golds = [(q, piece) for q in asked if (piece := _gold(q, found))]
    lost = [q.question for q in asked if not _gold(q, found)]
    if lost:
        print("no section answers:", "; ".join(lost))
    total = sum(count(p.text) for p in sized)
    print(f"{len(sized)} sections, {total:,} tokens; {len(golds)} questions")
    methods: list[tuple[str, Callable[[Piece, float, str], str]]] = [
        ("cut at the front", lambda p, r, _q: front(p.text, _target(p, r, count), count)),
        ("seed's sketch as written", lambda p, r, _q: sketch(p.text, r, count)),
        (
            "seed's sketch in the budget",
            lambda p, r, _q: sketch_in_budget(p.text, _target(p, r, count), count),
        ),
        ("Markdown units, LexRank", lambda p, r, _q: lexrank(p.text, _target(p, r, count), count)),
        (
            "ours",
            lambda p, r, _q: (
                extract(analysed(p.text), budget=_target(p, r, count), count=count).text
            ),
        ),
        (
            "ours, with the question",
            lambda p, r, q: (
                choose(
                    analysed(p.text), budget=_target(p, r, count), count=count, query=query_terms(q)
                ).text
            ),
        ),
    ]
    print(
        f"{'method':28} {'target':>6} {'tokens':>7} {'names':>6} {'facts':>6}"
        + "".join(f" {name:>7}" for name in (*SETS, "all"))
        + f" {'broken':>7} {'over':>5} {'ms':>6}"
    )
    for ratio in (0.2, 0.5):
        for name, shorten in methods:
            _row(name, ratio, shorten, sized, golds, count)


def _row(
    name: str,
    ratio: float,
    shorten: Callable[[Piece, float, str], str],
    sized: Sequence[Piece],
    golds: Sequence[tuple[Question, Piece]],
    count: Callable[[str], int],
) -> None:
    tokens = whole = names = all_names = kept = all_facts = broken = fences = over = 0
    spent = 0.0
    for piece in sized:
        begun = time.process_time()
        text = shorten(piece, ratio, "")
        spent += time.process_time() - begun
        tokens += count(text)
        whole += count(piece.text)
        over += count(text) > _target(piece, ratio, count)
        wanted = identifiers(piece.text)
        names += kept_identifiers(wanted, text)
        all_names += len(wanted)
        stated = facts(piece.text)
        kept += kept_facts(stated, text)
        all_facts += len(stated)
        bad, blocks = broken_code(text, piece.text)
        broken += bad
        fences += blocks
    told = [(q.set, q.answered_by(shorten(p, ratio, q.question))) for q, p in golds]
    answered = [[found for own, found in told if own == asked] for asked in SETS]
    print(
        f"{name:28} {ratio:6.1f} {tokens / whole:7.2f} {100 * names / all_names:6.0f}"
        f" {100 * kept / max(1, all_facts):6.0f}"
        + "".join(
            f" {100 * sum(found) / max(1, len(found)):7.0f}"
            for found in (*answered, [found for _, found in told])
        )
        + f" {100 * broken / max(1, fences):7.0f} {over:5d} {1000 * spent / len(sized):6.1f}"
    )


def _target(piece: Piece, ratio: float, count: Callable[[str], int]) -> int:
    return int(count(piece.text) * ratio)


if __name__ == "__main__":
    sys.exit(main())
