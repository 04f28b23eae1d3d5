"""The seed's configuration block, `{"mcp": {"type": "compressed", ...}}`: typed, strict, complete.

Every key has a default, the seed's; a key that is none is an error that names it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from doctrove_server.compression.aging import BUCKETS, AgeBucket
from doctrove_server.compression.budgeting import Allocation
from doctrove_server.errors import ConfigError

Method = Literal["extractive", "abstractive", "hierarchical"]


class _Block(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A part of the block."""


class Summarization(_Block, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """How the levels of a remembered text are made."""

    method: Method = "hierarchical"
    """`hierarchical`: each from the one above; the others each from the original."""

    levels: int = 3
    compression_ratios: tuple[float, ...] = (0.5, 0.4, 0.25)
    """Of the level above, in tokens."""


class KeyValue(_Block, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Facts."""

    enabled: bool = True
    max_facts: int = 1000


class GistTokens(_Block, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Gists."""

    enabled: bool = True
    tokens_per_gist: int = 10
    """Phrases for a text."""

    max_gists: int = 100
    """Texts that have one; the newest."""


class TemporalCompression(
    _Block, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True
):
    """Shorter with age."""

    enabled: bool = True
    age_buckets: tuple[AgeBucket, ...] = BUCKETS


class TokenBudget(_Block, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """What a retrieval may take."""

    max_compressed_tokens: int = 2048
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
    """Read the value of `mcp`; raises `ConfigError` naming the key that is wrong."""
    try:
        read = msgspec.convert(block, CompressionSettings)
    except msgspec.ValidationError as error:
        raise ConfigError(f'"{place}": {str(error).replace("`$.", f"`{place}.")}') from None
    if wrong := _fault(read):
        raise ConfigError(f'"{place}": {wrong}')
    return read


def _fault(read: CompressionSettings) -> str:
    summaries, budget = read.summarization, read.token_budget
    days = [bucket.days for bucket in read.temporal_compression.age_buckets]
    share = budget.allocation
    ratios = summaries.compression_ratios
    checks = (
        (
            1 <= summaries.levels <= len(ratios) <= 8,
            "summarization.levels must be 1 to the number of compressionRatios, 8 at most",
        ),
        (
            all(0 < r <= 1 for r in ratios),
            "summarization.compressionRatios must be above 0, 1 at most",
        ),
        (0 <= read.key_value.max_facts <= 100_000, "keyValue.maxFacts must be 0 to 100000"),
        (1 <= read.gist_tokens.tokens_per_gist <= 50, "gistTokens.tokensPerGist must be 1 to 50"),
        (0 <= read.gist_tokens.max_gists <= 100_000, "gistTokens.maxGists must be 0 to 100000"),
        (
            bool(days) and days == sorted(set(days)) and days[0] > 0,
            "temporalCompression.ageBuckets must name rising numbers of days",
        ),
        (
            100 <= budget.max_compressed_tokens <= 20_000,
            "tokenBudget.maxCompressedTokens must be 100 to 20000",
        ),
        (
            min(share.temporal, share.key_value, share.gist) >= 0
            and share.temporal + share.key_value + share.gist <= 1.0001,
            "tokenBudget.allocation must hold shares from 0, together 1 at most",
        ),
    )
    return next((message for holds, message in checks if not holds), "")
