"""What is wrong with the seed's block where values of several keys do not fit each other.

Judges the block as it was given, as far as its values are right one by one, so that this is said
beside whatever else is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from doctrove_server.compression.block_faults import Fault

_MOST = 1.0001
"""Of the shares together; decimal fractions do not add up exactly."""


def faults_together(
    block: object, default: msgspec.Struct, *, place: str, wrong: Collection[str]
) -> Iterator[Fault]:
    """Yield the faults; `default` is the block without a key, `wrong` are the paths at fault."""
    given = _Given(block, msgspec.to_builtins(default), place, frozenset(wrong))
    yield from _of_levels(given)
    yield from _of_days(given)
    yield from _of_shares(given)


class _Given:
    """Values of a block by their paths; none of those that are wrong."""

    def __init__(self, block: object, default: object, place: str, wrong: frozenset[str]) -> None:
        self._block = block
        self._default = default
        self._place = place
        self.wrong = wrong

    def path(self, path: str) -> str:
        """Return the path of a value in messages."""
        return f"{self._place}.{path}"

    def value(self, path: str) -> object:
        """Return a value, its default where it is left out, None where it is wrong."""
        if self.path(path) in self.wrong:
            return None
        found = _at(self._block, path)
        return _at(self._default, path) if found is None else found


def _of_levels(given: _Given) -> Iterator[Fault]:
    levels = cast("int | None", given.value("summarization.levels"))
    ratios = cast("Sequence[object] | None", given.value("summarization.compressionRatios"))
    if levels is not None and ratios is not None and levels > len(ratios):
        yield (
            given.path("summarization.levels"),
            f"{levels} levels need as many compressionRatios, and there are {len(ratios)};"
            f" set levels to {len(ratios)} or less, or name more ratios",
        )


def _of_days(given: _Given) -> Iterator[Fault]:
    path = "temporalCompression.ageBuckets"
    buckets = cast("Sequence[object] | None", given.value(path))
    before: float | None = None
    for number, bucket in enumerate(buckets or ()):
        own = f"{path}[{number}].days"
        known = isinstance(bucket, dict) and given.path(own) not in given.wrong
        days = cast("Mapping[str, float]", bucket)["days"] if known else None
        if days is None:
            continue
        if before is not None and days <= before:
            yield (
                given.path(own),
                f"{days:g} is not above the {before:g} before it; order the buckets by rising days",
            )
        before = days


def _of_shares(given: _Given) -> Iterator[Fault]:
    path = "tokenBudget.allocation"
    shares = {
        name: share
        for name in ("temporal", "keyValue", "gist")
        if (share := cast("float | None", given.value(f"{path}.{name}"))) is not None
    }
    together = sum(shares.values())
    if together > _MOST:
        *first, last = (f"{name} {share:g}" for name, share in shares.items())
        yield (
            given.path(path),
            f"{', '.join(first)} and {last} are {together:g} together, and 1 is the most;"
            " lower them",
        )


def _at(block: object, path: str) -> object:
    for key in path.split("."):
        block = cast("Mapping[str, object]", block).get(key) if isinstance(block, dict) else None
    return block
