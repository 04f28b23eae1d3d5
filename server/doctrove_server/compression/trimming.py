"""Words that a sentence can lose and stay as true: fillers, asides, explanations of no value.

Nothing is rewritten, and nothing goes that holds code, a number, a quoted value, a denial or a
condition. `trimmed` takes what no reader misses; `brief` leaves the style of a telegram.
"""

from __future__ import annotations

import re
from functools import lru_cache

from doctrove_server.compression.markdown_text import outside_code

_LEAD = re.compile(
    r"^(?:(?:and|but|so|then|now|also|however|additionally|furthermore|moreover|in addition"
    r"|of course|as usual|basically|in fact|actually|please|as you can see"
    r"|(?:please )?(?:remember|note|notice) that|keep in mind that|be aware that"
    r"|it(?:'s| is) (?:worth noting|important to note) that"
    r"|as (?:mentioned|described|explained|shown|seen)(?: \w+){0,3}),? )+"
    r"(?!(?:that|far|much|many|long|on|as)\b)(?=[\w\x00*\"'(])",
    re.IGNORECASE,
)
_PLAIN_WORD = re.compile(r"[a-z']+(?=[\s,.;:!?]|$)")
_FILLER = re.compile(
    r"(?<!\bnot)(?<!n't)(?<!\bonly)(?: (?:simply|really|very|actually|basically|quite|also"
    r"|either way|of course|as well(?! as\b)|in order(?= to))\b"
    r"|, (?:of course|however|in fact|actually),"
    r"| just(?= (?:use|like|as|call|add|pass|set|do|make|need|run|by|with)\b))",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r" \((?:see|as (?:we|you|described|explained|mentioned|shown)|more on|like we|we)\b"
    r"[^()\x00\d]{0,160}\)",
    re.IGNORECASE,
)
_DECORATION = re.compile("\\s*[\U0001f300-\U0001faff\u2728\u2b50\ufe0f]+(?=\\s|[.!:,]|$)")
_CLAUSE = re.compile(
    r"(?:,| -| \u2013| \u2014|;) (?:which|so|because|since|as|like|such as|e\.g\."
    r"|for (?:example|instance)|[a-z]{2,14}ing|(?:and )?(?:that|this) way|just like"
    r"|instead of|rather than|where|whose)"
    r"(?= )[^,;:()]{1,240}?(?=[,;.!?]|$)",
    re.IGNORECASE,
)
_EXAMPLES = re.compile(
    r" \((?:e\.g\.|(?:for example|like|such as|see|as|or|and|in this)\b)[^()\x00\d]{0,200}\)",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"(?<![\w*])\*([^*\s][^*]{0,200})\*(?![\w*])")
_NEEDED = re.compile(
    r"[\x00\d\"]|n't\b|\b(?:not|no|never|none|cannot|without|if|unless|when|only|except|until|must"
    r"|default|raises?|throws?|error|returns?|deprecated|removed|required|instead)\b",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"\b(?:if|when|while|unless|although|whenever|wherever|until|whether|given)\b|^(?:because|as"
    r"|since|once|after|before|in|for|with|without|by|to|even|from|on|at|instead|like|unlike)\b",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"^(?:you|we) (?:can|could|may|might) (?:also )?(?=[a-z])"
    r"|^(?:this|that|it|which) means(?: that)? |^it(?:'s| is) (?:also )?possible to ",
    re.IGNORECASE,
)
# `an hour` says how many, and so does `a few`.
_ARTICLE = re.compile(
    r"(?<![\w\x00-])(?:the (?=[\w\x00\"'*(])|an? (?!(?:(?:milli|micro)?second|minute|hour|day|week"
    r"|month|year|time|byte|(?:kilo|mega|giga)byte|percent|dozen|hundred|thousand|million|few"
    r"|couple|single|quarter|third|half)\b)(?=[\w\x00\"'*(]))",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"(?<!\bit)(?<!\bthis)(?<!\bthat)(?<!\bthese)(?<!\bthose)(?<!\bthey)(?<!\bthere)(?<!\bwhich)"
    r"(?<!\bwhat)(?<!\bwho)(?<!\bI)(?<!\byou)(?<!\bwe)(?<!\bhow)(?<=\w|\x00) (?:is|are)"
    r"(?= (?!not\b|to\b|\w+(?:ed|en|pt|nt)\b)[\w\x00\"*])|\bthere (?:is|are) ",
    re.IGNORECASE,
)
_FEWEST_WORDS = 4


def trimmed(text: str) -> str:
    """Return a sentence without fillers at its front and within, and without decoration."""
    return outside_code(text, _trimmed)


@lru_cache(maxsize=1 << 12)
def brief(text: str) -> str:
    """Return a sentence in the fewest words: without articles, asides, and mere explanations."""
    return outside_code(trimmed(text), _brief)


def _trimmed(text: str) -> str:
    whole = text
    text = _FILLER.sub("", _LEAD.sub("", text))
    if whole[:1].isupper() and text[:1].islower() and _PLAIN_WORD.match(text):
        text = text[0].upper() + text[1:]
    if " (" in text:
        text = _ASIDE.sub("", text)
    return text if text.isascii() else _DECORATION.sub("", text)


def _brief(text: str) -> str:
    text = _MODAL.sub("", text)
    if "(" in text:
        text = _EXAMPLES.sub("", text)
    if "*" in text:
        text = _EMPHASIS.sub(r"\1", text)
    text = _CLAUSE.sub(lambda clause: _needed(clause, text), text)
    return _COPULA.sub("", _ARTICLE.sub("", text))


def _needed(clause: re.Match[str], text: str) -> str:
    """Return a clause that says something of its own or completes another, else nothing."""
    before = text[: clause.start()]
    if (
        _NEEDED.search(clause[0])
        or len(before.split()) < _FEWEST_WORDS
        or _SUBORDINATE.search(before)
    ):
        return clause[0]
    return ""
