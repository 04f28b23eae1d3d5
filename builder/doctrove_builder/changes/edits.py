"""The fewest edits that make one sequence of another, as runs; gives up past a number of edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Run(NamedTuple):
    """A stretch that both have, or one that is replaced by another; either side may be empty."""

    same: bool
    old: slice
    new: slice


def edit_runs(old: Sequence[str], new: Sequence[str], *, most: int) -> list[Run]:
    """Return the runs that lead from `old` to `new`; same and replaced ones alternate.

    The greedy algorithm of E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
    Where more than `most` insertions and deletions are needed, all between the common beginning and
    end is replaced: the cost is bounded by `most` squared.
    """
    start = 0
    least = min(len(old), len(new))
    while start < least and old[start] == new[start]:
        start += 1
    end = 0
    while end < least - start and old[-1 - end] == new[-1 - end]:
        end += 1
    inner_old, inner_new = old[start : len(old) - end], new[start : len(new) - end]
    kept = [(x + start, y + start) for x, y in _kept(inner_old, inner_new, most)]
    pairs = [
        *((at, at) for at in range(start)),
        *kept,
        *((len(old) - back, len(new) - back) for back in range(end, 0, -1)),
    ]
    return list(_runs(pairs, len(old), len(new)))


def _runs(pairs: list[tuple[int, int]], old: int, new: int) -> Iterator[Run]:
    """Yield the runs around the kept pairs of places."""
    x = y = 0
    number = 0
    while number < len(pairs):
        first = pairs[number]
        if first != (x, y):
            yield Run(same=False, old=slice(x, first[0]), new=slice(y, first[1]))
        length = 1
        while (
            number + length < len(pairs)
            and pairs[number + length] == (first[0] + length, first[1] + length)
        ):  # fmt: skip
            length += 1
        x, y = first[0] + length, first[1] + length
        yield Run(same=True, old=slice(first[0], x), new=slice(first[1], y))
        number += length
    if (x, y) != (old, new):
        yield Run(same=False, old=slice(x, old), new=slice(y, new))


def _kept(old: Sequence[str], new: Sequence[str], most: int) -> list[tuple[int, int]]:
    """Return the places that are kept, in order; none when too much differs."""
    reached = {1: 0}
    trail: list[dict[int, int]] = []
    for edits in range(min(most, len(old) + len(new)) + 1):
        trail.append(dict(reached))
        for diagonal in range(-edits, edits + 1, 2):
            x, _ = _entered(reached, diagonal, edits)
            y = x - diagonal
            while x < len(old) and y < len(new) and old[x] == new[y]:
                x, y = x + 1, y + 1
            reached[diagonal] = x
            if x >= len(old) and y >= len(new):
                return _walked(trail, len(old), len(new))
    return []


def _entered(reached: dict[int, int], diagonal: int, edits: int) -> tuple[int, bool]:
    """Return where a diagonal is entered with the last edit, and whether that is an insertion."""
    deleted, inserted = reached.get(diagonal - 1, -1) + 1, reached.get(diagonal + 1, -1)
    if diagonal == -edits or (diagonal != edits and deleted <= inserted):
        return inserted, True
    return deleted, False


def _walked(trail: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    """Walk back from the end, and return the places that were kept on the way."""
    kept: list[tuple[int, int]] = []
    for edits in range(len(trail) - 1, -1, -1):
        diagonal = x - y
        entered, is_insertion = _entered(trail[edits], diagonal, edits)
        while x > entered:
            x, y = x - 1, y - 1
            kept.append((x, y))
        if is_insertion:
            y -= 1
        else:
            x -= 1
    return kept[::-1]
