"""An upper bound of a text's o200k_base tokens that needs no tokenizer.

It may be too high, never too low. That tokenizer cuts a text into pieces and merges the bytes of a
piece for as long as two neighbours together are in its vocabulary; so of two neighbours whose pair
is in the vocabulary, at least one is longer than a character, and a word that is in the vocabulary
as a whole is one token.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# Pairs of letters that are not in the vocabulary, so that both may stand alone.
_FREE_PAIRS = """
bq gk gq jv jz kq kz lq nq qf qg qj qk qv qz rj tq wq wz xg xj xk xq xv xw yq zj zq zv EJ FJ FQ
FZ GJ GQ GZ IY JH JQ JX JY JZ KJ KQ KX KZ LJ LQ LZ MZ NQ OQ OZ PZ QF QG QH QJ QK QO QW QX QY QZ
RZ TQ UO UQ VJ VQ VY VZ WJ WQ WZ XG XH XJ XK XQ XU XW YB YF YH YI YJ YQ YV ZB ZC ZJ ZK ZL ZP ZQ
ZV
"""
_FREE = frozenset(_FREE_PAIRS.split())
# Pairs of signs that documentation holds and the vocabulary too; the double of any sign is there.
_BOUND_PAIRS = """
]( ). ), `. `, () [] {} => -> != == <= >= :: // :/ ## /* */ '] "] (' (" </ /> ^^ ** ,"
"""
_BOUND = frozenset(_BOUND_PAIRS.split())

_RUN = re.compile(
    # A whole word that nothing else can join: with the space before it, or alone.
    r"((?:(?<=[!-~]) |(?<![A-Z\x00-\x09\x0b-\x1f\x7f-\U0010ffff]))"
    r"(?:[A-Z]?[a-z]{1,30}(?![a-z'\u0080-\U0010ffff])"
    r"|(?<![a-z])[A-Z]{2,30}(?![A-Za-z'\u0080-\U0010ffff])))"
    r"|([a-z]{1,64}|[A-Z]{1,64}|[0-9]{1,48}| (?=[A-Za-z])"
    r"| [!-/:-@\[-`{-~](?=[A-Za-z0-9 ])"  # one sign between a space and a word
    r"|[!-/:-@\[-`{-~]{1,64}"
    r"| {1,64}|\n{1,5}|[^ -~\n]{1,64}|(?s:.))"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f]")
_REMEMBERED = 20_000


def most_tokens(text: str) -> int:
    """Return a number of o200k_base tokens that `text` does not exceed; linear in its length.

    Documentation in English comes out two thirds too high, other scripts up to four times.
    """
    words, others = _WORDS, _OTHERS
    return sum(words[word] if word else others[other] for word, other in _RUN.findall(text))


def _most_of_word(word: str) -> int:
    if word[0] != " ":
        return 1 if word in _frequent().alone else _crowd(word)
    if word[1:] in _frequent().spaced:
        return 1
    return 2 if word[1:] in _frequent().alone else _crowd(word)


def _most_of_other(run: str) -> int:
    if not run.isascii() or _CONTROL.search(run):
        # A token is a byte at least; digits of other scripts may shift the groups of three.
        return len(run.encode("utf-8", "surrogatepass")) + 1
    first = run[0]
    if first.isdigit():
        return -(-len(run) // 3)
    if first == "\n" or len(run) == 1:
        return 1
    if first == " ":
        return 1 if run.strip() else 2
    return _crowd(run)


def _crowd(run: str) -> int:
    """Return the most tokens that can begin in a run, over all ways that its pairs allow."""
    single, longer, before = 1, 0, 0
    for left, right in pairwise(run):
        most = max(single, longer)
        alone = most if _is_free(left, right) else longer
        single, longer, before = alone + 1, before + 1, most
    return max(single, longer, before + 1)


def _is_free(left: str, right: str) -> bool:
    """Tell whether both may be tokens of their own; a capital may also begin a piece."""
    if left.isalnum() and right.isalnum():
        return left + right in _FREE or left.islower() != right.islower()
    if left == " ":
        return False
    return left != right and left + right not in _BOUND


class _Frequent:
    """Words that are one token each, with the space before them or without."""

    def __init__(self) -> None:
        file = files("doctrove_server.compression").joinpath("frequent_words.txt")
        words = file.read_text("ascii").split()
        self.spaced = frozenset(word.strip("_") for word in words if word[0] != "_")
        # One token alone, and two at most after any sign.
        self.alone = frozenset(word.strip("_") for word in words if word[-1] != "_")


@lru_cache(maxsize=1)
def _frequent() -> _Frequent:
    return _Frequent()


class _Costs(dict[str, int]):
    """Costs of the runs met so far; no more of them than a long text has."""

    def __init__(self, cost: Callable[[str], int]) -> None:
        self._cost = cost

    def __missing__(self, run: str) -> int:
        most = self._cost(run)
        if len(self) < _REMEMBERED:
            self[run] = most
        return most


_WORDS = _Costs(_most_of_word)
_OTHERS = _Costs(_most_of_other)
