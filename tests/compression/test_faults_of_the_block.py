"""What is wrong in the configuration block is said key by key, all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.compression.block_faults import block_faults
from doctrove_server.compression.settings import CompressionSettings, read_settings
from doctrove_server.errors import WrongKeys

if TYPE_CHECKING:
    from collections.abc import Iterator

BUCKET = {"days": 7, "compressionLevel": "low"}
BUCKETS = "mcp.temporalCompression.ageBuckets"


def faults_of(block: object) -> dict[str, str]:
    try:
        read_settings(block)
    except WrongKeys as error:
        return dict(error.faults)
    return {}


@pytest.mark.parametrize(
    ("block", "key", "text"),
    [
        ([], "mcp", "[] is not an object; its keys are type, summarization, keyValue,"),
        ("compressed", "mcp", '"compressed" is not an object'),
        ({"type": "stdio"}, "mcp.type", '"stdio" is not "compressed"'),
        ({"typ": "compressed"}, "mcp.typ", 'did you mean "type"? the keys there are type,'),
        ({"level": 1}, "mcp.level", "there is no such key; the keys there are type, summarization"),
        ({"summarization": 3}, "mcp.summarization", "3 is not an object; its keys are method,"),
        (
            {"summarization": {"metod": "extractive"}},
            "mcp.summarization.metod",
            'did you mean "method"?',
        ),
        (
            {"summarization": {"method": "magic"}},
            "mcp.summarization.method",
            '"magic" is not one of "abstractive", "extractive", "hierarchical"; left out, it is'
            ' "hierarchical"',
        ),
        (
            {"summarization": {"levels": 4}},
            "mcp.summarization.levels",
            "4 levels need as many compressionRatios, and there are 3; set levels to 3 or less",
        ),
        (
            {"summarization": {"levels": 9}},
            "mcp.summarization.levels",
            "9 is not a whole number from 1 to 8; left out, it is 3",
        ),
        ({"summarization": {"levels": True}}, "mcp.summarization.levels", "true is not a whole"),
        (
            {"summarization": {"compressionRatios": [0.5, 1.5], "levels": 1}},
            "mcp.summarization.compressionRatios[1]",
            "1.5 is not a number above 0, 1 at most",
        ),
        (
            {"summarization": {"compressionRatios": []}},
            "mcp.summarization.compressionRatios",
            "it has 0 values, and must have 1 to 8; left out, it is [0.5,0.4,0.25]",
        ),
        (
            {"summarization": {"compressionRatios": 0.5}},
            "mcp.summarization.compressionRatios",
            "0.5 is not a list",
        ),
        ({"keyValue": {"maxFacts": -1}}, "mcp.keyValue.maxFacts", "from 0 to 100000; left out"),
        ({"keyValue": {"maxFacts": 2.5}}, "mcp.keyValue.maxFacts", "2.5 is not a whole number"),
        (
            {"keyValue": {"enabled": "yes"}},
            "mcp.keyValue.enabled",
            '"yes" is not true or false; left out, it is true',
        ),
        ({"gistTokens": {"tokensPerGist": 0}}, "mcp.gistTokens.tokensPerGist", "from 1 to 50"),
        ({"gistTokens": {"maxGists": -2}}, "mcp.gistTokens.maxGists", "from 0 to 100000"),
        ({"temporalCompression": {"ageBuckets": []}}, BUCKETS, "it has 0 values"),
        (
            {"temporalCompression": {"ageBuckets": [BUCKET, {**BUCKET, "days": 1}]}},
            f"{BUCKETS}[1].days",
            "1 is not above the 7 before it; order the buckets by rising days",
        ),
        (
            {"temporalCompression": {"ageBuckets": [{**BUCKET, "compressionLevel": "tiny"}]}},
            f"{BUCKETS}[0].compressionLevel",
            '"tiny" is not one of "high", "low", "medium", "none"',
        ),
        (
            {"temporalCompression": {"ageBuckets": [{"days": 1}]}},
            f"{BUCKETS}[0].compressionLevel",
            "it is missing",
        ),
        (
            {"tokenBudget": {"maxCompressedTokens": 99}},
            "mcp.tokenBudget.maxCompressedTokens",
            "99 is not a whole number from 100 to 20000; left out, it is 2048",
        ),
        (
            {"tokenBudget": {"allocation": {"temporal": 0.9}}},
            "mcp.tokenBudget.allocation",
            "temporal 0.9, keyValue 0.3 and gist 0.2 are 1.4 together, and 1 is the most",
        ),
        (
            {"tokenBudget": {"allocation": {"facts": 0.1}}},
            "mcp.tokenBudget.allocation.facts",
            "the keys there are temporal, keyValue, gist",
        ),
        (
            {"tokenBudget": {"allocation": {"gist": "x" * 900}}},
            "mcp.tokenBudget.allocation.gist",
            "is not a number from 0 to 1; left out, it is 0.2",
        ),
    ],
)
def test_a_wrong_key_or_value_is_named_with_what_would_do(
    block: object, key: str, text: str
) -> None:
    (fault,) = faults_of(block).items()
    assert fault[0] == key
    assert text in fault[1]
    assert len(fault[1]) < 250


def test_all_faults_are_found_at_once() -> None:
    block = {
        "type": "x",
        "summarization": {"levels": "three", "ratios": [1]},
        "temporalCompression": {"ageBuckets": [{"days": 0, "level": "low"}]},
    }
    assert list(faults_of(block)) == [
        "mcp.type",
        "mcp.summarization.levels",
        "mcp.summarization.ratios",
        f"{BUCKETS}[0].days",
        f"{BUCKETS}[0].level",
        f"{BUCKETS}[0].compressionLevel",
    ]


@pytest.mark.parametrize(
    ("block", "together", "beside"),
    [
        (
            {"summarization": {"levels": 5, "compressionRatios": [0.5, 1.5, "x"]}},
            (
                "mcp.summarization.levels",
                "5 levels need as many compressionRatios, and there are 3",
            ),
            {"mcp.summarization.compressionRatios[1]", "mcp.summarization.compressionRatios[2]"},
        ),
        (
            {"summarization": {"levels": 5}, "typ": 1},
            (
                "mcp.summarization.levels",
                "5 levels need as many compressionRatios, and there are 3",
            ),
            {"mcp.typ"},
        ),
        (
            {"tokenBudget": {"allocation": {"temporal": 1, "keyValue": 0.5, "gist": 0.5, "x": 1}}},
            ("mcp.tokenBudget.allocation", "temporal 1, keyValue 0.5 and gist 0.5 are 2 together"),
            {"mcp.tokenBudget.allocation.x"},
        ),
        (
            {"tokenBudget": {"allocation": {"temporal": 0.9, "keyValue": 0.8, "gist": "x"}}},
            ("mcp.tokenBudget.allocation", "temporal 0.9 and keyValue 0.8 are 1.7 together"),
            {"mcp.tokenBudget.allocation.gist"},
        ),
        (
            {
                "keyValue": 3,
                "temporalCompression": {"ageBuckets": [BUCKET, {"days": "x"}, 7, BUCKET]},
            },
            (f"{BUCKETS}[3].days", "7 is not above the 7 before it"),
            {
                "mcp.keyValue",
                f"{BUCKETS}[1].days",
                f"{BUCKETS}[1].compressionLevel",
                f"{BUCKETS}[2]",
            },
        ),
        (
            {"summarization": {"levels": "5"}, "tokenBudget": {"allocation": {"gist": 1}}},
            ("mcp.tokenBudget.allocation", "temporal 0.5, keyValue 0.3 and gist 1 are 1.8"),
            {"mcp.summarization.levels"},
        ),
    ],
)
def test_what_keys_say_together_is_found_beside_other_faults(
    block: object, together: tuple[str, str], beside: set[str]
) -> None:
    faults = faults_of(block)
    path, text = together
    assert faults.keys() == {path, *beside}
    assert text in faults[path]


def test_null_counts_as_left_out() -> None:
    block = {"type": None, "keyValue": None, "tokenBudget": {"allocation": {"gist": None}}}
    assert read_settings(block) == CompressionSettings()


def paths(block: object) -> Iterator[tuple[Any, Any]]:
    """Yield each object or list of a block with each key or place in it."""
    parts: Any = block
    if isinstance(block, dict | list):
        for key in parts if isinstance(block, dict) else range(len(parts)):
            yield parts, key
            yield from paths(parts[key])


@given(
    number=st.integers(0, 60),
    value=st.none()
    | st.booleans()
    | st.integers(-5, 10**7)
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.just([])
    | st.builds(dict),
)
def test_what_has_no_fault_can_be_read_whatever_stands_in_a_place(
    number: int, value: object
) -> None:
    block: Any = msgspec.to_builtins(CompressionSettings(), builtin_types=())
    block = msgspec.json.decode(msgspec.json.encode(block))
    places = list(paths(block))
    around, key = places[number % len(places)]
    around[key] = value
    faults_of(block)  # whatever stands there, nothing but faults comes out
    if not block_faults(block, CompressionSettings, place="mcp"):
        msgspec.convert(block, CompressionSettings)
