"""The seed's configuration block, `{"mcp": {"type": "compressed", ...}}`: typed, strict, complete.

Every key has a default, the seed's; a key that is none is an error that names it. All that is wrong
is said at once, each fault with the path of its key.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from doctrove_server.compression.aging import BUCKETS, AgeBucket
from doctrove_server.compression.asking import LARGEST_BUDGET, SMALLEST_BUDGET
from doctrove_server.compression.block_faults import block_faults, without_nulls
from doctrove_server.compression.budgeting import Allocation
from doctrove_server.errors import WrongKeys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_server.compression.block_faults import Fault

Method = Literal["extractive", "abstractive", "hierarchical"]


class _Block(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A part of the block."""


class Summarization(_Block, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """How the levels of a remembered text are made."""

    method: Method = "hierarchical"
    """`hierarchical`: each from the one above; the others each from the original."""

    levels: Annotated[int, Meta(ge=1, le=8)] = 3
    compression_ratios: Annotated[
        tuple[Annotated[float, Meta(gt=0, le=1)], ...], Meta(min_length=1, max_length=8)
    ] = (0.5, 0.4, 0.25)
    """Of the level above, in tokens."""


class KeyValue(_Block, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Facts."""

    enabled: bool = True
    max_facts: Annotated[int, Meta(ge=0, le=100_000)] = 1000


class GistTokens(_Block, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Gists."""

    enabled: bool = True
    tokens_per_gist: Annotated[int, Meta(ge=1, le=50)] = 10
    """Phrases for a text."""

    max_gists: Annotated[int, Meta(ge=0, le=100_000)] = 100
    """Texts that have one; the newest."""


class TemporalCompression(
    _Block, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True
):
    """Shorter with age."""

    enabled: bool = True
    age_buckets: Annotated[tuple[AgeBucket, ...], Meta(min_length=1, max_length=50)] = BUCKETS


class TokenBudget(_Block, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """What a retrieval may take."""

    max_compressed_tokens: Annotated[int, Meta(ge=SMALLEST_BUDGET, le=LARGEST_BUDGET)] = 2048
    """Where the call does not say."""

    allocation: Allocation = Allocation()


class CompressionSettings(
    _Block, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True
):
    """The whole block."""

    type: Literal["compressed"] = "compressed"
    summarization: Summarization = Summarization()
    key_value: KeyValue = KeyValue()
    gist_tokens: GistTokens = GistTokens()
    temporal_compression: TemporalCompression = TemporalCompression()
    token_budget: TokenBudget = TokenBudget()


def read_settings(block: object, *, place: str = "mcp") -> CompressionSettings:
    """Read the value of `mcp`, where null counts as left out; raises `WrongKeys`."""
    given = without_nulls(block)
    faults = block_faults(given, CompressionSettings, place=place)
    if not faults:
        read = msgspec.convert(given, CompressionSettings)
        faults = tuple((f"{place}.{path}", text) for path, text in _contradictions(read))
        if not faults:
            return read
    raise WrongKeys(faults)


def _contradictions(read: CompressionSettings) -> Iterator[Fault]:
    """Yield what single keys do not show: values that do not fit each other."""
    levels, ratios = read.summarization.levels, read.summarization.compression_ratios
    if levels > len(ratios):
        yield (
            "summarization.levels",
            f"{levels} levels need as many compressionRatios, and there are {len(ratios)};"
            f" set levels to {len(ratios)} or less, or name more ratios",
        )
    days = [bucket.days for bucket in read.temporal_compression.age_buckets]
    for number, (one, other) in enumerate(pairwise(days), start=1):
        if other <= one:
            yield (
                f"temporalCompression.ageBuckets[{number}].days",
                f"{other:g} is not above the {one:g} before it; order the buckets by rising days",
            )
    share = read.token_budget.allocation
    together = share.temporal + share.key_value + share.gist
    if together > 1.0001:
        yield (
            "tokenBudget.allocation",
            f"temporal {share.temporal:g}, keyValue {share.key_value:g} and gist {share.gist:g} are"
            f" {together:g} together, and 1 is the most; lower them",
        )
