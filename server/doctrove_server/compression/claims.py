"""Claims: what the clauses of a text say, in a form that two texts can be compared by."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.identifiers import names_in_prose
from doctrove_server.compression.opposites import LIMITS, denies, plainly, pole, verb
from doctrove_server.compression.quantities import Quantity, in_words, quantity, unit_of
from doctrove_server.compression.stop_words import STOP_WORDS
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TOKEN = re.compile(
    r"(?<!`)(?P<tick>`{1,9})(?!`)(?P<span>.+?)(?<!`)(?P=tick)(?!`)"
    r"|(?P<quoted>\"[^\"\n]{1,60}\"|(?<!\w)'[^'\n]{1,60}'(?!\w))"
    r"|(?P<number>(?<![\w.])[-+]?v?\d[\w.,%]*(?<![.,])(?:[\s-](?:%|[a-z]+)\b)?)"
    r"|(?P<word>[@$]?[^\W\d][\w$]*(?:(?:\.|::|-|['\u2019]|/)[\w$]+)*(?:\(\))?)"
    r"|(?P<mark>[,;:()|\u2014\u2013])",
    re.IGNORECASE,
)
_OPENS_LIST = """
but while whereas although though because since when whenever if unless until except which who so
"""
_OPENS = frozenset(_OPENS_LIST.split())
"""Words that begin a clause of its own."""

_CONTINUES_LIST = """
and or if when for in with of on at from as by if unless but nor than
"""
_CONTINUES = frozenset(_CONTINUES_LIST.split())
"""Words after a thing that do not make it the subject of a new clause."""

_LEANING_LIST = """
it this they these its their that defaults default raises throws returns deprecated required must
can added since by set use removed
"""
_LEANING = frozenset(_LEANING_LIST.split())
_ARTICLES = (["a"], ["an"], ["the"])
_TYPES_LIST = """
int float str string number bool boolean bytes list dict tuple set array object integer char
"""
_TYPES = frozenset(_TYPES_LIST.split())
_CALL = re.compile(r"([@$\w.:-]+)\(.*\)", re.DOTALL)
_PAIR = re.compile(
    r"([A-Za-z_$][\w$.-]*)\s*(?::\s*[\w\[\]|. ]{1,40})?(?:=|:)\s*"
    r"(\"[^\"\n]*\"|'[^'\n]*'|[-\w.]+)"
)


LONGEST = 1_500
"""Characters of a sentence that are read."""


class Token(msgspec.Struct, frozen=True):
    """A thing, a value, a word or a mark."""

    kind: str
    text: str
    quantity: Quantity | None = None


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What a clause says."""

    text: str
    sentence: int
    """Number of its sentence: claims of one have the same."""

    subject: str = ""
    """What the sentence before is about where this one leans on it."""

    things: tuple[str, ...] = ()
    verbs: frozenset[int] = frozenset()
    words: frozenset[str] = frozenset()
    poles: frozenset[tuple[str, int]] = frozenset()
    values: tuple[Quantity, ...] = ()
    pairs: tuple[tuple[str, Quantity], ...] = ()
    """Names with values: the nearest name before the value, else after it."""

    loose: tuple[tuple[str, Quantity], ...] = ()
    """Of a clause with a single value, all names before it."""

    joined: tuple[tuple[str, str], ...] = ()
    """Things next to each other that more than `and` stands between."""

    order: tuple[str, ...] = ()
    """Things, values and words in lower case, as they stand."""

    denies: bool = False
    limited: bool = False
    passive: bool = False
    free: bool = False
    """Whether the order says nothing: code, and the cells of a row."""

    @property
    def about(self) -> tuple[str, ...]:
        """The things, and before them what the clause leans on."""
        return (self.subject, *self.things) if self.subject else self.things


@lru_cache(maxsize=1 << 11)
def claims(sentence: str, *, number: int = 0, before: str = "") -> tuple[Claim, ...]:
    """Return the claims of a sentence; `before` is what the one before it is about."""
    tokens = tuple(_tokens(plainly(sentence[:LONGEST])))
    first = tokens[0].text.lower() if tokens else ""
    leans = first in _LEANING or not any(token.kind == "thing" for token in tokens)
    found: list[Claim] = []
    for part in _clauses(tokens):
        named = any(token.kind == "thing" for token in part)
        said = before if leans and not (named and found) else ""
        if not named and found and found[-1].about:
            said = found[-1].about[0]
        found.append(_claim(sentence, part, number, said))
    return tuple(found)


def subject_of(claims_of: Sequence[Claim], before: str) -> str:
    """Return what a sentence is about: its first thing, else what it leans on."""
    return next((claim.about[0] for claim in claims_of if claim.about), before)


def code_pairs(code: str) -> tuple[tuple[str, Quantity], ...]:
    """Return the names and values of `name=value` and `name: value` in code."""
    return tuple(
        (name, value) for name, text in _PAIR.findall(code) if (value := quantity(text.rstrip(".")))
    )


def thing(span: str) -> str:
    """Return the name that a code span stands for: of a call, what is called."""
    bare = " ".join(span.split())
    call = _CALL.fullmatch(bare)
    return call[1] if call else bare.removesuffix("()")


def _tokens(text: str) -> Iterator[Token]:
    matches = list(_TOKEN.finditer(text))
    words = [match["word"] or "." for match in matches]
    skip = 0
    for place, match in enumerate(matches):
        if skip:
            skip -= 1
        elif (span := match["span"]) is not None:
            value = quantity(span)
            if value and not value.unit and place + 1 < len(matches):
                value = Quantity(value.value, unit_of(words[place + 1]))
            yield Token("value", span, value) if value else Token("thing", thing(span))
            for name, own in () if value else code_pairs(span):
                yield Token("thing", name)
                yield Token("value", span, own)
        elif match["quoted"] or match["number"]:
            yield from _written(match[0])
        elif match["mark"]:
            yield Token("mark", match[0])
        elif number := in_words(words, place):
            skip = number[1] - 1
            yield Token("value", match[0], number[0])
        else:
            yield _word(match[0])


def _written(text: str) -> Iterator[Token]:
    value = quantity(text)
    if value is None:
        digits, _, rest = text.partition(" ")
        value = quantity(digits)
        if rest and value:
            yield Token("value", digits, value)
            yield Token("word", rest)
            return
    yield Token("value", text, value or Quantity(text))


def _word(word: str) -> Token:
    if word in ("true", "false", "True", "False", "None", "null", "undefined"):
        return Token("value", word, quantity(word))
    names = names_in_prose(word)
    if names and not word.lower().endswith("n't"):
        return Token("thing", word.removesuffix("()"))
    return Token("word", word)


def _clauses(tokens: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    part: list[Token] = []
    for place, token in enumerate(tokens):
        if part and _begins(tokens, place, part):
            yield tuple(part)
            part = []
        part.append(token)
    if part:
        yield tuple(part)


def _begins(tokens: Sequence[Token], place: int, part: Sequence[Token]) -> bool:
    """Tell whether a clause begins: at a sign, a conjunction, or a thing that does something."""
    token, word = tokens[place], tokens[place].text.lower()
    if token.kind == "mark":
        return word == ";" or (word in "\u2014\u2013" and len(part) > 2)
    if token.kind == "word" and word in _OPENS:
        return True
    apart, joins = tokens[place - 1].text == ",", word in ("and", "or")
    after = [one.text.lower() for one in tokens[place + 1 : place + 4]]
    if apart and (denies(word) or (joins and after[:1] in _ARTICLES)):
        return True
    ahead = tokens[place + 1 :] if joins else tokens[place:]
    return (apart or joins) and bool(ahead) and _does(ahead, part)


def _does(ahead: Sequence[Token], part: Sequence[Token]) -> bool:
    """Tell whether a new subject does something, or the same one something else."""
    subject = ahead[0]
    if subject.kind != "thing":
        word = subject.text.lower()
        other = subject.kind == "word" and any(denies(one.text.lower()) for one in ahead[:3])
        return other or word in ("it", "they", "this") or verb(word) >= 0
    if len(ahead) < 2 or all(one.kind in ("thing", "mark") or one.text in ("and", "or")
                             for one in part):  # fmt: skip
        return False
    return ahead[1].kind in ("word", "value") and ahead[1].text.lower() not in _CONTINUES


def _claim(sentence: str, part: Sequence[Token], number: int, subject: str) -> Claim:
    words = [token.text.lower() for token in part if token.kind == "word"]
    things = [token.text for token in part if token.kind == "thing" and token.text not in _TYPES]
    values = tuple(t.quantity for t in part if t.quantity is not None)
    pairs, loose = _paired(part, subject)
    return Claim(
        text=sentence,
        sentence=number,
        subject="" if subject in things else subject,
        things=tuple(things),
        verbs=frozenset(found for word in words if (found := verb(word)) >= 0),
        words=_terms(tuple(words)),
        poles=poles(words),
        values=values,
        pairs=pairs,
        loose=loose if len(values) == 1 else (),
        joined=tuple(_joined(part)),
        order=tuple(_written_as(token) for token in part if token.kind != "mark"),
        denies=any(map(denies, words)),
        limited=any(word in LIMITS for word in words),
        passive="by" in words,
    )


def _written_as(token: Token) -> str:
    if token.quantity is not None:
        return token.quantity.value
    return token.text if token.kind == "thing" else token.text.lower()


def poles(words: Sequence[str]) -> frozenset[tuple[str, int]]:
    """Return the axes and poles of words in lower case."""
    return frozenset(found for word in words if (found := pole(word)))


def _terms(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        ranking_terms(part)[0]
        for word in words
        if not denies(word)
        for part in raw_words(word)
        if len(part) > 2 and part not in STOP_WORDS
    )


_Pairs = tuple[tuple[str, Quantity], ...]


def _paired(part: Sequence[Token], subject: str) -> tuple[_Pairs, _Pairs]:
    """Return each value with the nearest things before it, joined ones all, else after it."""
    near: list[tuple[str, Quantity]] = []
    loose: list[tuple[str, Quantity]] = []
    group: list[str] = []
    seen: list[str] = []
    apart = False
    for place, token in enumerate(part):
        if token.kind == "thing" and token.text not in _TYPES:
            group = [token.text] if apart or not group else [*group, token.text]
            apart = False
            seen.append(token.text)
        elif token.quantity is not None:
            names = group or [t.text for t in part[place:] if t.kind == "thing"][:1] or [subject]
            near += [(name, token.quantity) for name in names if name]
            loose += [(name, token.quantity) for name in (*seen, subject) if name]
            apart = True
        elif token.text.lower() not in ("and", "or", ","):
            apart = True
    return tuple(near), tuple(loose)


def _joined(part: Sequence[Token]) -> Iterator[tuple[str, str]]:
    last, between = "", False
    for token in part:
        if token.kind == "thing" and token.text not in _TYPES:
            if last and between and last != token.text:
                yield last, token.text
            last, between = token.text, False
        elif token.kind in ("word", "value") and token.text.lower() not in ("and", "or"):
            between = True
