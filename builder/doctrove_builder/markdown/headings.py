"""The headings of a page: level, plain text, inline HTML, and an anchor that is unique in it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from markdown_it.common.utils import escapeHtml

from doctrove_builder.markdown.limits import HEADING_LIMIT
from doctrove_builder.markdown.rules import MarkdownRule
from doctrove_builder.markdown.sanitise import clean_inline
from doctrove_builder.markdown.symbols import code_symbols
from doctrove_builder.model import Heading
from doctrove_schema.problem import Problem, Severity
from doctrove_schema.sections import claim, slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markdown_it.token import Token

    from doctrove_builder.markdown.place import Text

_CODE = re.compile(r"`([^`]+)`")
_WORD_BREAK = re.compile(r"[-_]+")
_TAGS = {"em": "em", "strong": "strong", "s": "s"}


class Found(NamedTuple):
    """A heading and where its tokens and lines are, lines counted from 0 and the end excluded."""

    heading: Heading
    token: int
    start: int
    end: int
    nested: bool
    """Inside a quote, a list or another block: it starts no section."""


class _Bare(NamedTuple):
    token: int
    level: int
    inline: Token
    explicit: str
    lines: tuple[int, int]


def find_headings(
    tokens: Sequence[Token], text: Text, *, source: str, split_level: int, taken: set[str]
) -> tuple[tuple[Found, ...], tuple[Problem, ...]]:
    """Return the headings in the order of the page, and what is wrong with their ids.

    Headings of at most `split_level` start sections: there a repeated slug is a problem, since it
    changes when a section is put before it.

    `taken` holds the anchors that are in use and gets the new ones. Explicit ids are claimed first,
    so that no slug moves one. Left out are headings in footnotes, and those above the limit.
    """
    bare = tuple(islice(_headings(tokens), HEADING_LIMIT))
    explicit, problems = _explicit_anchors(bare, text, source=source, taken=taken)
    found: list[Found] = []
    repeats: dict[str, int] = {}
    for one in bare:
        plain = plain_text(one.inline)
        anchor = explicit.get(one.token, "")
        if not anchor:
            wanted = slug(plain)
            anchor = _claim_slug(wanted, taken, repeats)
            starts_section = one.level <= split_level and tokens[one.token].level == 0
            if anchor != wanted and starts_section:
                problems.append(_repeated(one, text, source=source, plain=plain, anchor=anchor))
        start, end = one.lines
        heading = Heading(
            level=one.level,
            text=plain,
            html=inline_html(one.inline),
            anchor=anchor,
            line=text.line(start),
        )
        nested = tokens[one.token].level > 0
        found.append(Found(heading, one.token, start, end, nested))
    return tuple(found), tuple(problems)


def parse_heading(
    text: str, *, level: int, anchor: str, line: int
) -> tuple[Heading, tuple[str, ...]]:
    """Read a heading that stands in YAML: plain text, but for code between backticks.

    Returns it with the identifiers in its code. `__init__` and `Array<T>` stay as they are written.
    """
    parts = _CODE.split(text)
    code = parts[1::2]
    html = [
        f"<code>{escapeHtml(part)}</code>" if number % 2 else escapeHtml(part)
        for number, part in enumerate(parts)
    ]
    heading = Heading(
        level=level, text="".join(parts), html="".join(html), anchor=anchor, line=line
    )
    return heading, tuple(dict.fromkeys(code_symbols(code)))


def title_from_path(path: str) -> str:
    """Make a title for a page whose author gave none."""
    name = _WORD_BREAK.sub(" ", path.rpartition("/")[2]).strip()
    return "Overview" if name == "index" else name[:1].upper() + name[1:]


def plain_text(inline: Token) -> str:
    """Return the text of a heading without its markup, on one line."""
    return " ".join("".join(_texts(inline.children or ())).split())


def inline_html(inline: Token) -> str:
    """Return a heading's markup as safe HTML, without links, pictures and footnotes."""
    parts: list[str] = []
    for child in inline.children or ():
        if child.type == "html_inline":
            parts.append(child.content)
        elif child.type == "code_inline":
            parts.append(f"<code>{escapeHtml(child.content)}</code>")
        elif child.tag in _TAGS:
            parts.append(f"<{'/' if child.nesting < 0 else ''}{child.tag}>")
        else:
            parts.append(escapeHtml("".join(_texts((child,)))))
    return clean_inline("".join(parts)).strip()


def _headings(tokens: Sequence[Token]) -> Iterator[_Bare]:
    in_footnote = 0
    for index, token in enumerate(tokens):
        if token.type in {"footnote_reference_open", "footnote_reference_close"}:
            in_footnote += token.nesting
        elif token.type == "heading_open" and not in_footnote:
            start, end = token.map or (0, 0)
            inline = tokens[index + 1]
            yield _Bare(index, int(token.tag[1]), inline, token.meta["id"], (start, end))


def _explicit_anchors(
    bare: Iterable[_Bare], text: Text, *, source: str, taken: set[str]
) -> tuple[dict[int, str], list[Problem]]:
    anchors: dict[int, str] = {}
    problems: list[Problem] = []
    for one in bare:
        if not one.explicit:
            continue
        if one.explicit in taken:
            problems.append(
                Problem(
                    rule=MarkdownRule.DUPLICATE_ID,
                    source=source,
                    line=text.line(one.lines[0]),
                    column=text.lines[one.lines[0]].rfind("{") + 1 or 1,
                    message=f"the id `{one.explicit}` is given twice in this page",
                    hint="ids are unique in a page: choose another one",
                )
            )
        anchors[one.token] = claim(one.explicit, taken)
    return anchors, problems


def _claim_slug(wanted: str, taken: set[str], repeats: dict[str, int]) -> str:
    """Claim a slug; `repeats` has how often each was claimed, so that this takes linear time."""
    free = wanted
    while free in taken:
        repeats[wanted] = repeats.get(wanted, 0) + 1
        free = f"{wanted}-{repeats[wanted]}"
    return claim(free, taken)


def _repeated(one: _Bare, text: Text, *, source: str, plain: str, anchor: str) -> Problem:
    return Problem(
        rule=MarkdownRule.REPEATED_SLUG,
        severity=Severity.WARNING,
        source=source,
        line=text.line(one.lines[0]),
        column=1,
        message=f"the heading `{plain}` repeats an anchor of this page and gets `{anchor}`",
        hint="give it an id that stays: `## Heading {#its-id}`",
    )


def _texts(children: Iterable[Token]) -> Iterator[str]:
    for child in children:
        if child.type in {"text", "code_inline", "text_special"}:
            yield child.content
        elif child.type in {"softbreak", "hardbreak"}:
            yield " "
        elif child.type == "math_inline":
            yield f"${child.content}$"
        elif child.type == "image":
            yield from _texts(child.children or ())
