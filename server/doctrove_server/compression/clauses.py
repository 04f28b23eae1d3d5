"""The clauses of a sentence, as words, and whether something beside them denies what they say."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from doctrove_server.compression.denials import denies, is_denied
from doctrove_server.compression.markdown_text import outside_code, spans_aside

_CLAUSE = re.compile(r"[.,;:!?()\[\]|\u2014\u2013\u3001\u3002]+(?:\s|$)|(?:^|\s)[-*+#]+(?=\s|$)|\n")


class Clause(NamedTuple):
    """What stands between two signs, as words; a code span is one word, whatever it holds."""

    words: tuple[str, ...]
    is_denied: bool
    """Whether a denial beside it in the sentence may mean it, too."""


@lru_cache(maxsize=1 << 8)
def clauses(text: str) -> tuple[Clause, ...]:
    """Cut a text at its signs, but not inside a code span."""
    hidden, whole = spans_aside(without_emphasis(text.replace("\x00", "")))
    found: list[Clause] = []
    signs = [*_CLAUSE.finditer(hidden)]
    starts = [0, *(sign.end() for sign in signs)]
    ends = [*(sign.start() for sign in signs), len(hidden)]
    for start, end in zip(starts, ends, strict=True):
        before = _SENTENCE_END.split(hidden[:start])[-1]
        after = hidden[end:].lstrip(", ").split(None, 1)[:1] if hidden[end : end + 1] == "," else []
        words = tuple(whole(word) for word in hidden[start:end].split())
        found.append(Clause(words, is_denied(before) or any(map(denies, after))))
    return tuple(found)


_SENTENCE_END = re.compile(r"[.;!?\u3002](?:\s|$)|\n")
_EMPHASIS = re.compile(
    r"(?<![\w*\\])(\*{1,3})(?=[^\s*])([^*\n]{1,300}?)(?<=[^\s*])\1(?![\w*])"
    r"|(?<![\w\\])(_{1,3})(?=[^\s_])([^_\n]{1,300}?)(?<=[^\s_])\3(?!\w)"
)


def without_emphasis(text: str) -> str:
    """Return a text without the marks of emphasis around its words; code stays as it is."""
    if "*" not in text and "_" not in text:
        return text
    return outside_code(text, lambda prose: _EMPHASIS.sub(lambda m: m[2] or m[4], prose))
