"""The seed's configuration block, `{"mcp": {"type": "compressed", ...}}`: typed, strict, complete.

Every key has a default, the seed's; a key that is none is an error that names it. All that is wrong
is said at once, each fault with the path of its key.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from doctrove_server.compression.aging import BUCKETS, AgeBucket
from doctrove_server.compression.asking import LARGEST_BUDGET, SMALLEST_BUDGET
from doctrove_server.compression.block_faults import block_faults, without_nulls
from doctrove_server.compression.block_together import faults_together
from doctrove_server.compression.budgeting import Allocation
from doctrove_server.errors import WrongKeys

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
    wrong = [path for path, _ in faults]
    faults += tuple(faults_together(given, CompressionSettings(), place=place, wrong=wrong))
    if faults:
        raise WrongKeys(faults)
    return msgspec.convert(given, CompressionSettings)
