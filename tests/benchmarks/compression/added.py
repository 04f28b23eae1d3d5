"""Measure what a budget adds to a call of `doc_extract`.

    python tests/benchmarks/compression/added.py INDEX LIBRARY [CALLS]

INDEX is a built `index.json` that holds LIBRARY, one of those that `questions.jsonl` asks about.
Prints the processor's milliseconds of a call, the median over 20 of the questions, each asked CALLS
times (7): the plain call, then by budget the call under it and what that is more than the plain
call for the same question. Nothing is kept between calls but what was prepared. Needs `rs-bpe`.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from material import questions

from doctrove_server.compression.counting import counting
from doctrove_server.desk import Desk
from doctrove_server.sources.cache import TtlCache
from doctrove_server.sources.local import built_in_source, local_source
from doctrove_server.sources.supply import Supply
from doctrove_server.tools.registry import call

if TYPE_CHECKING:
    from collections.abc import Sequence

BUDGETS = (300, 1_500, 4_000, 8_000)
ASKED = 20


def main() -> int:
    """Print the figures."""
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    library, calls = sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 7
    if not counting().exact:
        print("the tokenizer is not installed: pip install 'doctrove[tokens]'", file=sys.stderr)
        return 2
    asked = [q.question for q in questions() if q.library == library]
    asked = asked[:: max(1, len(asked) // ASKED)][:ASKED]
    figures = asyncio.run(_measured(_desk(Path(sys.argv[1])), library, asked, calls))
    plain = figures.pop(0)
    print(f"{len(asked)} questions; ms: plain {statistics.median(plain):.1f}")
    print(f"{'budget':>8}{'call':>8}{'added':>8}{'most':>8}")
    for budget, spent in figures.items():
        added = [one - bare for one, bare in zip(spent, plain, strict=True)]
        print(
            f"{budget:8,}{statistics.median(spent):8.1f}"
            f"{statistics.median(added):8.1f}{max(added):8.1f}"
        )
    return 0


def _log(line: str) -> None:
    print(line, file=sys.stderr)


def _desk(index: Path) -> Desk:
    """Return a desk without a ceiling that keeps no answers."""
    return Desk(
        Supply(remote=None, local=local_source(str(index)), built_in=built_in_source(), log=_log),
        profile="tiered",
        cache=TtlCache(ttl=0, clock=time.monotonic),
        clock=time.monotonic,
    )


async def _measured(
    desk: Desk, library: str, asked: Sequence[str], calls: int
) -> dict[int, list[float]]:
    """Return by budget, 0 for none, the median milliseconds of each question's calls."""
    budgets = (0, *BUDGETS)
    spent: dict[tuple[int, str], list[float]] = {(b, q): [] for b in budgets for q in asked}
    for number in range(calls + 1):
        for (budget, question), times in spent.items():
            wanted = {"tokenBudget": budget} if budget else {}
            begun = time.process_time()
            answer = await call(desk, "doc_extract", {"id": library, "focus": question} | wanted)
            if number:  # the first round prepares
                times.append(1000 * (time.process_time() - begun))
            if answer.is_error:
                raise SystemExit(answer.text)
    return {b: [statistics.median(spent[b, q]) for q in asked] for b in budgets}


if __name__ == "__main__":
    sys.exit(main())
