"""Words that deny or restrict what stands beside them: cut off, the rest says the opposite."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_DENIAL = re.compile(
    r"\w+n['\u2019]t|not|no|none|never|nor|neither|nothing|nobody|nowhere|cannot|without|unless"
    r"|except|excluding|only|solely|instead|rather|unlike|hardly|barely|rarely|seldom|anymore"
    r"|unsupported|(?:avoid|prevent|forbid|prohibit|disallow|reject|omit|skip)\w*"
    r"|(?:disabl|deprecat|discourag|refus|ignor|exclud|remov)\w+"
    r"|lack(?:s|ed|ing)?|fail(?:s|ed|ing)?|(?:stop|drop)(?:s|ped|ping)?",
    re.IGNORECASE,
)
_AT_THE_END = re.compile(
    r"(?:anymore|deprecated|disabled|removed|unsupported|forbidden|discouraged|rejected|ignored"
    r"|skipped|excluded|omitted|prohibited|disallowed|prevented|dropped)",
    re.IGNORECASE,
)
_EDGES = "\"'*_()[]{}<>.,;:!?\u201c\u201d\u2018"
NEAR = 6
"""Words of a sentence before something in which a denial may mean it."""


@lru_cache(maxsize=1 << 11)
def denies(word: str) -> bool:
    """Tell whether a word denies or restricts; code does neither."""
    return "`" not in word and _DENIAL.fullmatch(word.strip(_EDGES)) is not None


def may_end(word: str) -> bool:
    """Tell whether a word denies what stands before it, as in `is deprecated`."""
    return "`" not in word and _AT_THE_END.fullmatch(word.strip(_EDGES)) is not None


def is_denied(before: str, words: int = NEAR) -> bool:
    """Tell whether one of the last words of a text denies what comes after it."""
    return any(map(denies, before.split()[-words:]))


def holds_denials(words: Sequence[str], first: int, last: int) -> bool:
    """Tell whether a run of words holds each denial among them all, with what that denies."""
    for place, word in enumerate(words):
        if not denies(word):
            continue
        if not first <= place <= last:
            return False
        denied = [word for word in words[place + 1 : last + 1] if word.lower() not in _SAYS_NOTHING]
        if not denied and not (place > first and may_end(word)):
            return False
    return True


_SAYS_NOTHING_LIST = """
longer more yet even able always really just be been have has do does a an the to of in
"""
_SAYS_NOTHING = frozenset(_SAYS_NOTHING_LIST.split())
"""Words after a denial that are not what it denies."""
