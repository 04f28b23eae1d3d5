"""What a statement in prose is about."""

from __future__ import annotations

import re

from doctrove_server.compression.sentences import CODE_SPAN


def subject_of(text: str, before: int, value: str, heading: str) -> str:
    """Return what a statement is about: the last name in code before it, else the heading.

    A span of another clause is not what it is about, and neither is a path, an address, a type or
    an expression. Nothing where it is about a type or an expression alone.
    """
    clause = re.split(r";\s|[.!?]\s|\n", text[:before])[-1]
    spans = [span[0] for span in CODE_SPAN.finditer(clause)]
    spans = [span for span in spans if span != value and not _ADDRESS.match(span)]
    names = [
        name
        for name in (declared(span, _SET) for span in spans)
        if len(name) <= _LONGEST_NAME and not _EXPRESSION.search(name)
    ]
    if names:
        return names[-1]
    return "" if spans else heading


def declared(subject: str, form: re.Pattern[str]) -> str:
    """Return the name that a declaration of a form declares; what is none stays as it is."""
    declared = form.fullmatch(subject)
    return f"`{declared[1]}`" if declared else subject


_LONGEST_NAME = 60
TYPED = re.compile(r"`\s?([A-Za-z_$][\w.$-]*)\??\s*:\s[^`]*`")
_SET = re.compile(r"`\s?([A-Za-z_$][\w.$-]*)\??(?:\s*:\s|\s+=\s|=(?=[^=>]))[^`]*`")
_EXPRESSION = re.compile(
    r"^`+(?!--?\w)(?!(?:await )?[\w.$]+\([^`]*\)`)[^`]*[\s=|]"  # neither an option nor a call
    r"|^`(?:Union|Optional|Literal|Annotated|[Ll]ist|[Dd]ict|[Tt]uple|[Ss]et|Array|Record"
    r"|Promise)[\[<]"
    r"|^`(?:[Nn]one|[Tt]rue|[Ff]alse|null|undefined|str|int|float|bool|bytes"
    r"|string|number|boolean)`"
)
_ADDRESS = re.compile(r"`(?:/|\w+://|\d|\.{1,2}/|[\"'])")
