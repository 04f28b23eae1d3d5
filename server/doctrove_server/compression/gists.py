"""Gists: a section in a few phrases of two to five words, its names first.

What a phrase says stands in the section: a fact, a name with the words around it, or words that
come up together again and again.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from doctrove_server.compression.facts import facts
from doctrove_server.compression.identifiers import names_in_prose
from doctrove_server.compression.sentences import CODE_SPAN
from doctrove_server.compression.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from doctrove_server.compression.units import Unit

FEWEST_WORDS, MOST_WORDS = 2, 5
_CLAUSE = re.compile(r"[.,;:!?()\[\]|\u2014\u2013\u3001\u3002]+(?:\s|$)|\n")
_WORD = re.compile(r"\S+")
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"))
_PROSE = frozenset(("sentence", "item", "html", "row"))


def gists(units: Sequence[Unit], *, count: int) -> tuple[str, ...]:
    """Return at most `count` phrases, the most telling first, none within another."""
    chosen: dict[str, str] = {}
    taken: set[str] = set()
    for phrase, name in (*_of_facts(units), *_around_names(units), *_repeated(units)):
        key = phrase.lower().replace("`", "")
        if len(chosen) == count:
            break
        if name in taken or any(key in known or known in key for known in chosen):
            continue
        if name:
            taken.add(name)
        chosen[key] = phrase
    return tuple(chosen.values())


def _of_facts(units: Sequence[Unit]) -> Iterator[tuple[str, str]]:
    for fact in facts(units):
        phrase = f"{fact.key} {fact.value}"
        names = names_in_prose(fact.subject)
        if names and fact.attribute and _fits(phrase):
            yield phrase, names[0]


def _around_names(units: Sequence[Unit]) -> Iterator[tuple[str, str]]:
    counts = Counter(
        name for unit in units if unit.kind in _PROSE for name in names_in_prose(unit.text)
    )
    found: list[tuple[int, int, str, str]] = []
    for place, unit in enumerate(units):
        if unit.kind not in ("sentence", "item", "html", "heading"):
            continue
        for clause in _clauses(unit.text.lstrip("# ")):
            for name in names_in_prose(clause):
                phrase = _window(clause.split(), name)
                if phrase:
                    found.append((-counts[name], place, phrase, name))
    for _, _, phrase, name in sorted(found):
        yield phrase, name


def _window(words: list[str], name: str) -> str:
    """Return the name with the words around it, stop words cut off at the ends."""
    at = next((i for i, word in enumerate(words) if name in word), None)
    if at is None:
        return ""
    first, last = at, at
    for reach in (1, 2):
        if at + reach < len(words) and last == at + reach - 1:
            last = at + reach
        if at - reach >= 0 and first == at - reach + 1:
            first = at - reach
    while first < at and _is_stop(words[first]):
        first += 1
    while last > at and _is_bad_end(words[last]):
        last -= 1
    first, last = _without_joins(words, first, at, last)
    phrase = " ".join(words[first : last + 1])
    return phrase if _fits(phrase) else ""


def _without_joins(words: Sequence[str], first: int, at: int, last: int) -> tuple[int, int]:
    """Return the ends of a phrase about a name, without what a conjunction joins to it."""
    joins = [place for place in range(at + 1, last + 1) if words[place].lower() in _JOINS]
    if joins and not _names_something(words[last]):
        last = joins[0] - 1
        while last > at and _is_bad_end(words[last]):
            last -= 1
    opens = [place for place in range(first, at) if words[place].lower() in _JOINS]
    return (opens[-1] + 1 if opens else first), last


_JOINS_LIST = """
and or but nor so than while because whatever which that
"""
_JOINS = frozenset(_JOINS_LIST.split())
_VERBS_LIST = """
becomes become comes come accepts accept takes take gives give makes make gets get uses use
returns return raises raise throws throw goes gone go works work needs need wants want calls call
sets holds hold keeps keep has have is are was were does do can will may must should says say
means mean runs run reads read writes write lets let allows allow supports support requires
require starts start stops stop adds add removes remove defaults changes change matches match
contains contain provides provide
"""
_VERBS = frozenset(_VERBS_LIST.split())
_PARTICIPLE = re.compile(r"[a-z]{3,}(?:ing|ed|ly)$")


def _is_bad_end(word: str) -> bool:
    """Tell whether no phrase may end so: a stop word, a verb, a participle."""
    bare = word.strip("\"'*_").lower()
    return bare in STOP_WORDS or bare in _JOINS or bare in _VERBS or bool(_PARTICIPLE.match(bare))


def _is_phrase(run: Sequence[str]) -> bool:
    """Tell whether a run of words begins and ends well, and joins names alone."""
    first = run[0].strip("\"'*_").lower()
    if _is_stop(run[0]) or first in _VERBS or _is_bad_end(run[-1]):
        return False
    joins = any(word.lower() in _JOINS for word in run[1:-1])
    return not joins or (_names_something(run[0]) and _names_something(run[-1]))


def _names_something(word: str) -> bool:
    return bool(names_in_prose(word)) or word.startswith("`")


def _repeated(units: Sequence[Unit]) -> Iterator[tuple[str, str]]:
    counts: Counter[str] = Counter()
    for unit in units:
        if unit.kind not in ("sentence", "item", "html", "heading"):
            continue
        weight = 3 if unit.kind == "heading" else 1
        for clause in _clauses(unit.text.lstrip("# ")):
            words = clause.split()
            for length in (2, 3, 4):
                for at in range(len(words) - length + 1):
                    run = words[at : at + length]
                    if _is_phrase(run):
                        counts[" ".join(run)] += weight * (length - 1)
    for phrase, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        if _fits(phrase):
            yield phrase, ""


def _clauses(text: str) -> list[str]:
    """Cut a text at its signs, but not inside a code span of several words."""
    whole = CODE_SPAN.sub(lambda span: span[0] if " " not in span[0] else " ", text)
    return [clause.strip("\"'*_ ") for clause in _CLAUSE.split(whole)]


def _is_stop(word: str) -> bool:
    return word.strip("\"'*_").lower() in STOP_WORDS


def _fits(phrase: str) -> bool:
    if not FEWEST_WORDS <= len(_WORD.findall(phrase)) <= MOST_WORDS or len(phrase) > 100:
        return False
    return phrase.count("`") % 2 == 0 and all(phrase.count(a) == phrase.count(b) for a, b in _PAIRS)
