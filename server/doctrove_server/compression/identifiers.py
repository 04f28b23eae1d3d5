"""The names and literals in documentation that must not get lost: what code would be wrong without.

Found by form, in any language: code spans, dotted names, camel and snake case, calls, options,
constants; numbers, versions and quoted values.
"""

from __future__ import annotations

import re
from functools import lru_cache

from doctrove_server.compression.sentences import CODE_SPAN

_NAME = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]*|[@$]?[A-Za-z_][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*(?:-[a-z]\w*)*"
)
_IN_PROSE = re.compile(
    r"(?<![\w-])--[a-z][\w-]+|@[A-Za-z][\w.]+(?:/[\w.-]+)?"
    r"|[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)+(?:\(\))?"
    r"|[A-Za-z_$][\w$]*\(\)|[A-Za-z]*[a-z0-9][A-Z][A-Za-z0-9]*|[A-Za-z0-9]*_\w+|[A-Z][a-z]+[A-Z]\w+"
)
_LITERAL = re.compile(
    r"(?<![\w.])v?\d+(?:[._]\d+)*(?:\.x)?(?:\s?(?:ms|s|kb|mb|gb|kib|mib|px|em|rem|%))?(?![\w])"
    r"|\"[^\"\n]{1,60}\"|'[^'\n]{1,60}'",
    re.IGNORECASE,
)
_MAY_BE_LITERAL = re.compile(r"[\d\"']")
_CODE_COMMENT = re.compile(r"(?:^|\s)(?://|#)[^\n]*|/\*.*?\*/", re.DOTALL)
_CODE_STRING = re.compile(
    r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|\"\"\".*?\"\"\"|'''.*?'''", re.DOTALL
)
_KEYWORD_LIST = """
abstract and any array as assert async await bool boolean break case catch class const continue
def default del delete do elif else enum except export extends false finally float fn for from
func function get global if implements import in instanceof int interface is lambda let list
match module mut namespace new nil none nonlocal not null number object of or package pass
private protected public pub raise readonly return self set static str string struct super
switch then this throw true try type typeof undefined unknown use using var void while with
yield the and for you e.g i.e print console.log bash py js ts json
"""
_KEYWORDS = frozenset(_KEYWORD_LIST.split())


@lru_cache(maxsize=1 << 12)
def names_in_prose(text: str) -> tuple[str, ...]:
    """Return the distinct names of a piece of Markdown: in code spans, and by their form."""
    found: dict[str, None] = {}
    rest: list[str] = []
    at = 0
    for span in CODE_SPAN.finditer(text):
        rest.append(text[at : span.start()])
        at = span.end()
        for name in names_in_code(span[0].strip("` ")):
            found[name] = None
    rest.append(text[at:])
    for word in " ".join(rest).split():
        if not word.islower() or not word.isalpha():
            for name in _names_of_word(word):
                found[name] = None
    return tuple(found)


@lru_cache(maxsize=1 << 13)
def _names_of_word(word: str) -> tuple[str, ...]:
    """Return the names in what stands between two blanks of prose."""
    found = (_bare(name) for name in _IN_PROSE.findall(word))
    return tuple(name for name in found if _is_name(name))


@lru_cache(maxsize=1 << 11)
def names_in_code(code: str) -> tuple[str, ...]:
    """Return the distinct names of code, without keywords, comments and strings of many words."""
    if "\n" in code:
        code = _CODE_COMMENT.sub(" ", code)
        code = _CODE_STRING.sub(lambda s: s[0] if len(s[0]) < 30 and " " not in s[0] else " ", code)
    found = (_bare(name) for name in _NAME.findall(code))
    return tuple(dict.fromkeys(name for name in found if _is_name(name)))


@lru_cache(maxsize=1 << 12)
def literals(text: str) -> tuple[str, ...]:
    """Return the distinct numbers, versions and quoted values of a text."""
    if not _MAY_BE_LITERAL.search(text):
        return ()
    return tuple(dict.fromkeys(match[0] for match in _LITERAL.finditer(text)))


def _bare(name: str) -> str:
    return name.removesuffix("()").rstrip(".-")


def _is_name(name: str) -> bool:
    return 1 < len(name) <= 80 and name.lower() not in _KEYWORDS
