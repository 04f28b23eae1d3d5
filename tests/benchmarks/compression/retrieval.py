"""Measure which questions are answered by what is packed into a budget.

    python tests/benchmarks/compression/retrieval.py CORPORA [LIBRARY...]

Ranks a library's sections for each question as the server does, packs them, and prints the share
of questions whose answer stands in the text, and milliseconds of a pack once warm.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from material import FOLDERS, SETS, TUNED, pieces, questions

from doctrove_schema.model import Section
from doctrove_server.compression.packing import Candidate, Detail, pack
from doctrove_server.compression.shelf import Shelf
from doctrove_server.ranking.sections import tiered
from doctrove_server.ranking.volume import PreparedVolume, prepared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from material import Question

BUDGETS = (150, 300, 600, 1200)
RANKED = 12


def main() -> int:
    """Print the figures."""
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    corpora, only = Path(sys.argv[1]), sys.argv[2:] or list(FOLDERS)
    shelf = Shelf()
    for title, libraries in (
        ("looked at while tuning", [name for name in only if name in TUNED]),
        ("not looked at", [name for name in only if name not in TUNED]),
    ):
        found = [(q, _ranked(corpora, q)) for q in questions() if q.library in libraries]
        for name in SETS:
            asked = [(q, candidates) for q, candidates in found if q.set == name]
            if asked:
                _table(f"{title}, {name}: {len(asked)} questions", asked, shelf)
    return 0


def _table(
    title: str, asked: Sequence[tuple[Question, tuple[Candidate, ...]]], shelf: Shelf
) -> None:
    print(f"\n{title}")
    print(f"{'packing':24}" + "".join(f"{budget:>8}" for budget in BUDGETS))
    _line("ranked high enough", [[_found(q, c) for q, c in asked]] * len(BUDGETS))
    _line("whole sections only", [[_whole(q, c, b, shelf) for q, c in asked] for b in BUDGETS])
    for detail in ("auto", "summary", "facts", "gist"):
        _line(detail, [[_packed(q, c, b, detail, shelf) for q, c in asked] for b in BUDGETS])
    begun = time.process_time()
    for question, candidates in asked:
        pack(candidates, query=question.question, room=1200, detail="auto", shelf=shelf)
    print(f"a pack of 1200, warm: {1000 * (time.process_time() - begun) / len(asked):.1f} ms")


def _ranked(corpora: Path, question: Question) -> tuple[Candidate, ...]:
    sections = _sections(corpora, question.library)
    volume = _VOLUMES.setdefault(question.library, prepared(sections))
    hits = tiered(volume, question.question)[:RANKED]
    return tuple(
        Candidate(sections[hit.section].heading, sections[hit.section].body) for hit in hits
    )


_VOLUMES: dict[str, PreparedVolume] = {}
_SECTIONS: dict[str, tuple[Section, ...]] = {}


def _sections(corpora: Path, library: str) -> tuple[Section, ...]:
    if library not in _SECTIONS:
        _SECTIONS[library] = tuple(
            Section(
                heading=piece.text.split("\n", 1)[0].lstrip("# "),
                body=piece.text.split("\n", 1)[-1],
            )
            for piece in pieces(corpora, library, grown=1)
        )
    return _SECTIONS[library]


def _line(name: str, answered: Sequence[Sequence[bool]]) -> None:
    print(f"{name:24}" + "".join(f"{sum(row) / len(row):8.2f}" for row in answered))


def _found(question: Question, candidates: Sequence[Candidate]) -> bool:
    return any(question.answered_by(c.body) for c in candidates)


def _whole(question: Question, candidates: Sequence[Candidate], budget: int, shelf: Shelf) -> bool:
    for candidate in candidates:
        budget -= shelf.counts.count(candidate.body) + candidate.price
        if budget < 0:
            return False
        if question.answered_by(candidate.body):
            return True
    return False


def _packed(
    question: Question, candidates: Sequence[Candidate], budget: int, detail: Detail, shelf: Shelf
) -> bool:
    packed = pack(candidates, query=question.question, room=budget, detail=detail, shelf=shelf)
    spent = sum(p.tokens + candidates[p.place].price for p in packed)
    if spent > budget:
        raise AssertionError(f"{spent} tokens for {budget}")
    return any(question.answered_by(f"{candidates[p.place].heading}\n{p.text}") for p in packed)


if __name__ == "__main__":
    sys.exit(main())
