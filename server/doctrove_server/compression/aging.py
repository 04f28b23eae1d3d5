"""How short a remembered text becomes: by its age, and by how often it is used.

Older is shorter (seed: "Temporal Compression"); what is used often stays whole (seed: "Adaptive
Compression"). Time is a parameter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from doctrove_server.compression.compressed import LEVELS, Level

if TYPE_CHECKING:
    from collections.abc import Sequence

DAY = 86_400.0
OFTEN, SOMETIMES = 10, 3
"""Accesses above which a text is used often, or now and then."""


class AgeBucket(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True
):
    """Up to an age, a level; an age is in the first bucket whose days it is below."""

    days: Annotated[float, Meta(gt=0, le=1_000_000)]
    compression_level: Level


BUCKETS = (
    AgeBucket(days=1, compression_level="none"),
    AgeBucket(days=7, compression_level="low"),
    AgeBucket(days=30, compression_level="medium"),
    AgeBucket(days=999_999, compression_level="high"),
)


def level_by_age(seconds: float, buckets: Sequence[AgeBucket] = BUCKETS) -> Level:
    """Return the level of an age; one beyond the last bucket has the last one's."""
    days = seconds / DAY
    for bucket in buckets:
        if days < bucket.days:
            return bucket.compression_level
    return buckets[-1].compression_level if buckets else "none"


def level_by_use(accesses: int) -> Level:
    """Return the level of a number of accesses: low above 10, medium above 3, else high."""
    if accesses > OFTEN:
        return "low"
    return "medium" if accesses > SOMETIMES else "high"


def level_of(
    seconds: float,
    accesses: int,
    *,
    buckets: Sequence[AgeBucket] | None = BUCKETS,
    version: Level = "none",
) -> Level:
    """Return the level of a remembered text: its age's or its version's, whichever is shorter.

    Use makes it lighter, and what is used often stays whole. Without buckets nothing is shortened.
    """
    if buckets is None or accesses > OFTEN:
        return "none"
    by_age = level_by_age(seconds, buckets)
    older = by_age if lighter(by_age, version) == version else version
    return lighter(older, level_by_use(accesses))


def level_of_version(place: int) -> Level:
    """Return the level of a version's text by its place, newest first: the newest stays whole."""
    return LEVELS[min(max(0, place), len(LEVELS) - 1)]


def lighter(one: Level, other: Level) -> Level:
    """Return the level that leaves more."""
    return one if LEVELS.index(one) < LEVELS.index(other) else other
