"""A light English stemmer for ranking ties: plural, -ing, -ed and -ly, nothing more.

The S-stemmer of Harman (1991, "How effective is suffixing?") with the first steps of Porter's
algorithm (1980). Recall within one library's pages is what it is for, so it may only join words,
never judge them: the scores count whole words.
"""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = frozenset("lsz")


def stem(word: str) -> str:
    """Return the stem of a folded word; words of other scripts and short words stay."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _without_plural(word)
    for suffix in ("ing", "ed", "ly"):
        if word.endswith(suffix) and _has_vowel(rest := word[: -len(suffix)]) and len(rest) > 2:
            return rest if suffix == "ly" else _restored(rest)
    return word.removesuffix("e") if len(word) > 4 else word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _restored(rest: str) -> str:
    """Undo the doubling before -ing and -ed: `runn` to `run`; a final e is never there."""
    if rest[-1] == rest[-2] and rest[-1] not in _KEPT_DOUBLE and rest[-1] not in _VOWELS:
        return rest[:-1]
    return rest.removesuffix("e") if len(rest) > 4 else rest


def _has_vowel(text: str) -> bool:
    return not _VOWELS.isdisjoint(text)
