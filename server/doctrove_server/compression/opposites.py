"""Words that decide whether a sentence is true: denials, opposites, and what is done to what."""

from __future__ import annotations

import re

_DENIALS_LIST = """
not never no cannot without none nothing nobody neither nor unable hardly rarely seldom lacks lack
fails ignores ignore ignored
"""
DENIALS = frozenset(_DENIALS_LIST.split())
"""Words that deny; so does each that ends in `n't`."""

LIMITS = frozenset(("only", "unless", "except", "until", "solely", "exclusively"))
"""Words that say when something holds; without them it holds always."""

_MOST = re.compile(
    r"\b(?:no|not) (?:more|longer|greater|larger|later) than\b|\bat (?:the )?most\b|\bup to\b"
    r"|\bmaximum(?: of)?\b|\bmax\b",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:no|not) (?:less|fewer|smaller|shorter|earlier) than\b|\bat (?:the )?least\b"
    r"|\bminimum(?: of)?\b|\bmin\b",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(r"\bnot only\b|\bwhether or not\b|\bif not already\b", re.IGNORECASE)
_SWITCHED = re.compile(
    r"\b(is|are|be|was|turn(?:s|ed|ing)?|switch(?:es|ed)?|set|to|it|stays?|defaults?) (on|off)\b"
    r"(?= by default|\s*(?:[,.;:)]|$)| (?:when|if|unless|until|for|in|and|or)\b)"
    r"|\b()(on|off)(?= by default\b)",
    re.IGNORECASE,
)

# Of each axis the words of one pole, then those of the other.
_STRONG = {
    "valid": (
        "valid correct well-formed",
        "invalid wrong incorrect bad malformed missing absent expired broken empty unknown",
    ),
    "state": ("switched-on enable true active", "switched-off disable false inactive"),
    "need": ("required require mandatory compulsory", "optional"),
    "always": ("always every", "sometimes occasionally"),
    "time": ("before prior earlier", "after afterwards later"),
    "size": ("limit-most limit", "limit-least"),
    "leave": (
        "allow permit accept support",
        "deny forbid reject refuse disallow prohibit block forbidden unsupported",
    ),
}
_WEAK = {
    "add": ("add insert append", "remove delete drop"),
    "sync": ("synchronous synchronously sync", "asynchronous asynchronously async"),
    "order": ("first", "last"),
    "direction": ("ascending", "descending"),
    "amount": (
        "more increase greater larger bigger higher above longer faster",
        "less fewer decrease smaller lower below shorter slower",
    ),
    "part": ("include including", "exclude excluding"),
    "seen": ("public", "private"),
    "change": ("mutable", "immutable"),
    "result": ("success succeed successful", "failure fail failed"),
    "open": ("open start begin", "close stop end"),
    "side": ("inside internal inner", "outside external outer"),
    "code": ("encode serialise serialize", "decode deserialise deserialize"),
    "copy": ("read load", "write save store"),
    "kin": ("parent", "child"),
    "age": ("old older oldest", "new newer newest"),
    "kept": ("deprecated", "recommended"),
}  # fmt: skip
STRONG = frozenset(_STRONG)
"""Axes on which a summary may have no word that the original has not."""

_POLES = {
    word: (axis, pole)
    for axis, both in (*_STRONG.items(), *_WEAK.items())
    for pole, words in enumerate(both)
    for word in words.split()
}
_VERBS = {
    form: number
    for number, verbs in enumerate(
        (
            "raise raises raised raising throw throws thrown throwing threw",
            "return returns returned returning yield yields give gives resolves",
            "accept accepts accepted take takes taken receive receives",
            "call calls called calling invoke invokes invoked",
            "replace replaces replaced supersedes superseded",
            "override overrides overridden overriding",
            "require requires needs need depends",
            "extend extends inherits inherit subclasses",
            "log logs logged prints print",
            "catch catches caught catching handles",
        )
    )
    for form in verbs.split()
}


def plainly(text: str) -> str:
    """Return a text whose phrases for limits and switches are single words."""
    text = _LEAST.sub(" limit-least ", _MOST.sub(" limit-most ", text))
    text = _NOT_ONLY.sub(" ", text)
    return _SWITCHED.sub(lambda m: f"{m[1] or ''} switched-{(m[2] or m[4]).lower()}", text)


def verbs() -> dict[str, int]:
    """Return each form of the verbs that tell what one thing does to another, with its number."""
    return dict(_VERBS)


def denies(word: str) -> bool:
    """Tell whether a word in lower case denies what it stands with."""
    return word in DENIALS or word.endswith(("n't", "n\u2019t"))


def pole(word: str) -> tuple[str, int] | None:
    """Return the axis and the pole of a word in lower case, in any of its forms."""
    for form in (word, *(word.removesuffix(end) for end in ("s", "d", "ed", "ing", "ly"))):
        if form in _POLES:
            return _POLES[form]
    return _POLES.get(f"{word.removesuffix('ies')}y")


def verb(word: str) -> int:
    """Return the number of a verb that tells what one thing does to another, -1 for none."""
    return _VERBS.get(word, -1)
