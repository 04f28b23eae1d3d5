"""From a Markdown page to its sections, as slices of its text; pure, and one parse a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markdown_it.common.utils import escapeHtml
from msgspec.structs import replace

from doctrove_builder.markdown.faults import too_large
from doctrove_builder.markdown.front_matter import FrontMatter, split_front_matter
from doctrove_builder.markdown.headings import title_from_path
from doctrove_builder.markdown.limits import APPENDED_LIMIT, SYMBOL_LIMIT
from doctrove_builder.markdown.parsed import Parsed, parse_text
from doctrove_builder.markdown.passages import Cut, cut_passage, is_silent
from doctrove_builder.markdown.place import Text
from doctrove_builder.markdown.rules import MarkdownRule
from doctrove_builder.markdown.symbols import share_symbols
from doctrove_builder.model import Heading, PageSource, Passage
from doctrove_schema.problem import Problem, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from doctrove_builder.markdown.headings import Found
    from doctrove_builder.model import Document

_HEADING_TOKENS = 3


class _Title(NamedTuple):
    heading: Heading
    given: bool
    """Its author wrote it; otherwise it is made from the file's name."""

    found: Found | None
    """The `# Title` that is the page's first block."""


def parse_page(
    document: Document, *, path: str, split_level: int
) -> tuple[PageSource, tuple[Problem, ...]]:
    """Parse a page into its sections; a heading of at most `split_level` starts one.

    `path` is the page's path in its volume. The problems are all that the page has; the result
    holds what could be read in spite of them.
    """
    front, problems = split_front_matter(document)
    taken: set[str] = set()
    parsed, about_text = parse_text(
        Text(front.markdown, first_line=front.first_line),
        source=document.path,
        split_level=split_level,
        taken=taken,
    )
    title = _title(parsed, front, path=path)
    passages = _passages(parsed, title, front, split_level=split_level, taken=taken)
    problems += about_text
    if parsed.text.markdown == front.markdown:
        problems += tuple(_page_problems(passages, parsed, front, source=document.path))
    return (
        PageSource(
            file=document.path,
            path=path,
            title=title.heading.text,
            title_html=title.heading.html,
            titled=title.given,
            title_anchor=title.found.heading.anchor if title.found else "",
            description=front.description,
            order=front.order,
            replace=front.replace,
            passages=_with_symbols(passages, front.symbols[:SYMBOL_LIMIT]),
        ),
        problems,
    )


def _passages(
    parsed: Parsed, title: _Title, front: FrontMatter, *, split_level: int, taken: set[str]
) -> tuple[Passage, ...]:
    """Make the sections, no more than the limit on repeated definitions allows."""
    passages: list[Passage] = []
    left = len(parsed.text.markdown) + APPENDED_LIMIT
    for cut in _cuts(parsed, title, split_level=split_level):
        path = _address(front.path, cut.heading.anchor)
        passages.append(cut_passage(parsed, cut, taken=taken, path=path))
        left -= len(passages[-1].body)
        if left < 0:
            break
    return tuple(passages)


def _address(page: str, anchor: str) -> str:
    """Return the upstream address of a section: its page's and its anchor, unless that has one."""
    return f"{page}#{anchor}" if page and anchor and "#" not in page else page


def _title(parsed: Parsed, front: FrontMatter, *, path: str) -> _Title:
    first = next((i for i, token in enumerate(parsed.tokens) if not is_silent(token)), -1)
    found = next((one for one in parsed.headings if one.token == first), None)
    if found and found.heading.level > 1:
        found = None
    line = found.heading.line if found else front.first_line
    if front.title:
        text, html = front.title, escapeHtml(front.title)
    elif found and found.heading.text:
        text, html = found.heading.text, found.heading.html
    else:
        text = title_from_path(path)
        html = escapeHtml(text)
    given = bool(front.title or (found and found.heading.text))
    return _Title(Heading(level=1, text=text, html=html, anchor="", line=line), given, found)


def _cuts(parsed: Parsed, title: _Title, *, split_level: int) -> Iterator[Cut]:
    """Yield the lead, where it has text, and then a cut for each heading that starts a section."""
    starting = [
        found
        for found in parsed.headings
        if found is not title.found and not found.nested and found.heading.level <= split_level
    ]
    ends = [(found.token, found.start) for found in starting]
    ends.append((len(parsed.tokens), len(parsed.text.lines)))
    lead = title.found
    if lead:
        tokens, lines = (lead.token + _HEADING_TOKENS, ends[0][0]), (lead.end, ends[0][1])
        yield Cut(title.heading, (), lead.token, tokens, lead.start, lines)
    else:
        yield Cut(title.heading, (), None, (0, ends[0][0]), 0, (0, ends[0][1]))
    above: list[Heading] = []
    for found, (token_end, line_end) in zip(starting, ends[1:], strict=True):
        while above and above[-1].level >= found.heading.level:
            above.pop()
        trail = (title.heading.text, *(heading.text for heading in above))
        tokens, lines = (found.token + _HEADING_TOKENS, token_end), (found.end, line_end)
        yield Cut(found.heading, trail, found.token, tokens, found.start, lines)
        above.append(found.heading)


def _page_problems(
    passages: Sequence[Passage], parsed: Parsed, front: FrontMatter, *, source: str
) -> Iterator[Problem]:
    if len(front.symbols) > SYMBOL_LIMIT:
        message = f"the page lists {len(front.symbols):,} symbols, more than {SYMBOL_LIMIT:,}"
        yield too_large(message, source=source, line=1)
    if not any(passage.body for passage in passages):
        yield Problem(
            rule=MarkdownRule.EMPTY_PAGE,
            severity=Severity.WARNING,
            source=source,
            line=parsed.text.first_line,
            message="the page has no text, so that nothing of it can be looked up",
            hint="write some, or remove the file",
        )
    if sum(len(passage.body) for passage in passages) > len(parsed.text.markdown) + APPENDED_LIMIT:
        yield too_large(
            "the definitions that its sections share, repeated for each of them, "
            f"add more than {APPENDED_LIMIT:,} characters",
            source=source,
            line=parsed.text.first_line,
            hint="define links and footnotes in the sections that use them, or split the page",
        )


def _with_symbols(passages: Sequence[Passage], symbols: Sequence[str]) -> tuple[Passage, ...]:
    """Leave out a lead without text, and share the page's symbols out among the sections."""
    kept = [passage for passage in passages if passage.body or passage.heading.anchor]
    shared = share_symbols(symbols, [(one.heading.text, one.body) for one in kept])
    return tuple(
        replace(one, symbols=tuple(dict.fromkeys((*one.symbols, *more)))) if more else one
        for one, more in zip(kept, shared, strict=True)
    )
