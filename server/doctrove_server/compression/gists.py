"""Gists: a section in a few phrases of two to five words, its names first.

What a phrase says stands in the section: a fact, a name with the words around it, or words that
come up together again and again.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from doctrove_server.compression.clauses import clauses, without_emphasis
from doctrove_server.compression.denials import denies, holds_denials, is_denied, may_end
from doctrove_server.compression.facts import facts
from doctrove_server.compression.identifiers import names_in_prose
from doctrove_server.compression.sentences import CODE_SPAN
from doctrove_server.compression.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from doctrove_server.compression.clauses import Clause
    from doctrove_server.compression.units import Unit

FEWEST_WORDS, MOST_WORDS = 2, 5
_WORD = re.compile(r"\S+")
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"), ("\u201c", "\u201d"))
_PROSE = frozenset(("sentence", "item", "html", "row"))


def gists(units: Sequence[Unit], *, count: int) -> tuple[str, ...]:
    """Return at most `count` phrases, the most telling first, none within another.

    A phrase stands in the section as it is, but for emphasis. One that is denied anywhere in the
    section is none: it would say the opposite.
    """
    chosen: dict[str, str] = {}
    taken: set[str] = set()
    whole = "\n".join(without_emphasis(unit.text) for unit in units) if count else ""
    for phrase, name in (*_of_facts(units), *_around_names(units), *_repeated(units)):
        key = phrase.lower().replace("`", "")
        if len(chosen) == count:
            break
        if name in taken or any(key in known or known in key for known in chosen):
            continue
        if _is_denied_in(whole, phrase):
            continue
        if name:
            taken.add(name)
        chosen[key] = phrase
    return tuple(chosen.values())


def _is_denied_in(whole: str, phrase: str) -> bool:
    """Tell whether one of the two words before a phrase denies it, wherever it stands."""
    at = whole.find(phrase)
    while at >= 0:
        if is_denied(whole[max(0, at - _TWO_WORDS) : at], 2):
            return True
        at = whole.find(phrase, at + 1)
    return False


_TWO_WORDS = 60
"""Characters that two words have at most."""


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
        for clause in clauses(unit.text.lstrip("# ")):
            for at, word in enumerate(clause.words):
                for name in names_in_prose(word):
                    phrase = _window(clause, at)
                    if phrase:
                        found.append((-counts[name], place, phrase, name))
    for _, _, phrase, name in sorted(found):
        yield phrase, name


def _window(clause: Clause, at: int) -> str:
    """Return a name with the words around it, stop words cut off at the ends.

    What denies something in its clause comes with it.
    """
    words = clause.words
    first, last = max(0, at - 2), min(len(words) - 1, at + 2)
    while first < at and _is_stop(words[first]):
        first += 1
    while last > at and _is_bad_end(words[last]):
        last -= 1
    first, last = _without_joins(words, first, at, last)
    first, last = _with_denials(words, first, last)
    while last > at and last - first >= MOST_WORDS and not denies(words[last]):
        last -= 1
    phrase = " ".join(words[first : last + 1])
    return phrase if _fits(phrase) and _says_as_much(clause, first, last) else ""


def _with_denials(words: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Return the ends of a phrase with all that denies something in its clause."""
    places = [place for place, word in enumerate(words) if denies(word)]
    if not places:
        return first, last
    if places[0] < first:
        first = places[0]
        # `does not` says it as the sentence does.
        if first and words[first - 1].lower() in _AUXILIARIES:
            first -= 1
    last = max(last, places[-1])
    while last + 1 < len(words) and not _ends_well(words, first, last):
        last += 1
    return first, last


def _says_as_much(clause: Clause, first: int, last: int) -> bool:
    """Tell whether a run of a clause's words holds each denial, or is code alone."""
    words = clause.words
    if all("`" in word or word.lower() in _JOINS for word in words[first : last + 1]):
        return True
    return not clause.is_denied and _ends_well(words, first, last)


def _ends_well(words: Sequence[str], first: int, last: int) -> bool:
    return holds_denials(words, first, last) and (
        may_end(words[last]) or not _is_bad_end(words[last])
    )


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
_AUXILIARIES = _VERBS | frozenset(("does", "did", "could", "would", "should", "might"))
_PARTICIPLE = re.compile(r"[a-z]{3,}(?:ing|ed|ly)$")


def _is_bad_end(word: str) -> bool:
    """Tell whether no phrase may end so: a stop word, a verb, a participle."""
    bare = word.strip("\"'*_").lower()
    return bare in STOP_WORDS or bare in _JOINS or bare in _VERBS or bool(_PARTICIPLE.match(bare))


def _is_phrase(run: Sequence[str]) -> bool:
    """Tell whether a run of words begins and ends well, and joins names alone."""
    first = run[0].strip("\"'*_").lower()
    begins_badly = (_is_stop(run[0]) or first in _VERBS) and not denies(run[0])
    if begins_badly or (_is_bad_end(run[-1]) and not may_end(run[-1])):
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
        for clause in clauses(unit.text.lstrip("# ")):
            words = clause.words
            for length in (2, 3, 4):
                for at in range(len(words) - length + 1):
                    run = words[at : at + length]
                    if _is_phrase(run) and _says_as_much(clause, at, at + length - 1):
                        counts[" ".join(run)] += weight * (length - 1)
    for phrase, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        if _fits(phrase):
            yield phrase, ""


def _is_stop(word: str) -> bool:
    return word.strip("\"'*_").lower() in STOP_WORDS


def _fits(phrase: str) -> bool:
    """Tell whether a phrase has the length of one, and nothing in it is cut in the middle."""
    if not FEWEST_WORDS <= len(_WORD.findall(phrase)) <= MOST_WORDS or len(phrase) > _LONGEST:
        return False
    prose = CODE_SPAN.sub("x", phrase)
    if any(mark in prose for mark in ("`", "*", "{{")) or prose.count('"') % 2:
        return False
    # Names with nothing between them are a list that lost its form.
    if "` `" in phrase:
        return False
    # A quote that opens stands before a word, one that closes after it.
    if len(_OPENS.findall(prose)) > len(_CLOSES.findall(prose)):
        return False
    return all(prose.count(a) == prose.count(b) for a, b in _PAIRS)


_LONGEST = 100
"""Characters of a phrase."""

_OPENS = re.compile(r"(?:^|\s)['\u2018]")
_CLOSES = re.compile(r"['\u2019](?:\s|$)")
