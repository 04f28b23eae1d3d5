"""Source code to HTML with short classes, at build time (Pygments).

Classes are Pygments' names of token families, and few, so that pages stay small: `k` keyword, `s`
string, `c` comment, `m` number, `nf` function, `nc` class, `nb` builtin, `nd` decorator, `nt` tag,
`na` attribute, `nv` variable, `gd` deleted, `gi` inserted, `gh` heading, `gp` prompt, `go` output,
`gr` error. Names, operators and punctuation have none. `hll` is a line to point out.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from pygments.lexers import find_lexer_class, get_all_lexers
from pygments.token import (
    Comment,
    Generic,
    Keyword,
    Name,
    Number,
    Operator,
    String,
    is_token_subtype,
)

from doctrove_builder.markdown.limits import CODE_LIMIT, CODE_LINE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from pygments.lexer import Lexer
    from pygments.token import _TokenType  # pyright: ignore[reportPrivateUsage] - has no other name

_FAMILIES: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "c"),
    (String, "s"),
    (Number, "m"),
    (Keyword, "k"),
    (Operator.Word, "k"),
    (Name.Function, "nf"),
    (Name.Class, "nc"),
    (Name.Exception, "nc"),
    (Name.Builtin, "nb"),
    (Name.Decorator, "nd"),
    (Name.Tag, "nt"),
    (Name.Attribute, "na"),
    (Name.Variable, "nv"),
    (Generic.Deleted, "gd"),
    (Generic.Inserted, "gi"),
    (Generic.Heading, "gh"),
    (Generic.Subheading, "gh"),
    (Generic.Prompt, "gp"),
    (Generic.Output, "go"),
    (Generic.Error, "gr"),
    (Generic.Traceback, "gr"),
)

CLASSES = frozenset(name for _, name in _FAMILIES) | {"hll"}

_OTHER_NAMES = {
    "astro": "html",
    "cjs": "js",
    "dotenv": "ini",
    "env": "ini",
    "jsonc": "json",
    "json5": "json",
    "mjs": "js",
    "mts": "ts",
    "cts": "ts",
    "plaintext": "text",
    "shellscript": "sh",
    "svelte": "html",
    "txt": "text",
    "vue": "html",
    "zsh": "sh",
}
"""Names that authors use for languages, where Pygments has another."""


def language_name(language: str) -> str:
    """Return a language's name for readers; empty for plain text, itself when it is not known."""
    name = _names().get(_known(language), language)
    return "" if name == "Text only" else name


def is_known(language: str) -> bool:
    """Tell whether a language can be highlighted."""
    return _known(language) in _names()


def highlight(code: str, *, language: str, marked: AbstractSet[int] = frozenset()) -> str:
    """Return the code as HTML; lines in `marked` (counted from 1) are pointed out.

    Code in an unknown language, or larger than is read in bounded time, has no colours.
    """
    tokens = [("", code)]
    if is_known(language) and not _is_large(code):
        coloured = list(_merged(f"{code}\n", _lexer(_known(language))))
        # Some lexers drop what they do not understand; no code is lost for colours.
        if "".join(text for _, text in coloured) == f"{code}\n":
            tokens = coloured
            tokens[-1] = (tokens[-1][0], tokens[-1][1].removesuffix("\n"))
    if not marked:
        return "".join(_span(name, text) for name, text in tokens)
    return "".join(_marked_lines(tokens, marked))


def _is_large(code: str) -> bool:
    return len(code) > CODE_LIMIT or max(map(len, code.split("\n"))) > CODE_LINE_LIMIT


def _merged(code: str, lexer: Lexer) -> Iterator[tuple[str, str]]:
    """Yield class and text; neighbours of one class are joined, over blanks between them too."""
    name, parts = "", [""]
    for kind, text in lexer.get_tokens(code):
        found = _class_of(kind)
        if found != name and not text.isspace():
            yield name, "".join(parts)
            name, parts = found, []
        parts.append(text)
    yield name, "".join(parts)


def _span(name: str, text: str) -> str:
    if not name or not text:
        return escape(text, quote=False)
    return f'<span class="{name}">{escape(text, quote=False)}</span>'


def _marked_lines(tokens: Iterable[tuple[str, str]], marked: AbstractSet[int]) -> Iterator[str]:
    number = 1
    line: list[str] = []
    for name, text in tokens:
        first, *others = text.split("\n")
        line.append(_span(name, first))
        for other in others:
            yield _line("".join(line) + "\n", number in marked)
            number += 1
            line = [_span(name, other)]
    yield _line("".join(line), number in marked and bool("".join(line)))


def _line(html: str, is_marked: bool) -> str:
    return f'<span class="hll">{html}</span>' if is_marked else html


@lru_cache(maxsize=1)
def _names() -> Mapping[str, str]:
    """Return the names of Pygments' own lexers by alias; plugins would differ between machines."""
    return {
        alias: name for name, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases
    }


def _known(language: str) -> str:
    return language if language in _names() else _OTHER_NAMES.get(language, language)


@lru_cache(maxsize=128)
def _lexer(language: str) -> Lexer:
    found = find_lexer_class(_names()[language])
    assert found is not None  # the name is one of Pygments' own
    return found(stripnl=False, ensurenl=False)


@lru_cache(maxsize=1024)
def _class_of(kind: _TokenType) -> str:
    return next((name for family, name in _FAMILIES if is_token_subtype(kind, family)), "")
