"""Sections of a single-file volume to pages: ids, pages by their ids, places in the YAML file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from doctrove_builder.authoring.fault import fault
from doctrove_builder.authoring.pages import PageRequest, Parsed, page_name_problem
from doctrove_builder.authoring.quoting import shown
from doctrove_builder.authoring.section_check import is_section_id
from doctrove_builder.authoring.values import address
from doctrove_builder.markdown.headings import parse_heading, title_from_path
from doctrove_builder.model import Document, Heading, Link, PageSource, Passage
from doctrove_builder.rules import BuildRule
from doctrove_schema.problem import Problem
from doctrove_schema.sections import claim, slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from doctrove_builder.authoring.marked import MarkedMapping, Place, Scalar

_BEFORE = "# Section {#section-of-this-file}\n\n"
"""Stands above a body when it is parsed as a page, so that nothing in it is taken for front matter
or for the page's title."""

_LINES_BEFORE = _BEFORE.count("\n")
_LEVEL = 2
"""Level of a section's heading in its page."""


class Written(NamedTuple):
    """One section as its author wrote it, and the id that it has."""

    mapping: MarkedMapping
    page: str
    anchor: str
    """Empty for the text that leads its page."""

    heading: str


def written_sections(
    sections: Iterable[MarkedMapping], *, source: str
) -> tuple[tuple[Written, ...], tuple[Problem, ...]]:
    """Give each section its page and anchor.

    An id is page path, `/`, anchor; an id that others have as their page path leads that page. An
    id without `/`, and the slug of a heading without an id, stand on the page with the path ``.
    """
    # Without heading or body there is nothing to place; the schema has said so.
    listed = [m for m in sections if m.text("heading").strip() and m.text("body").strip()]
    problems: list[Problem] = []
    ids = [_explicit_id(mapping, problems, source) for mapping in listed]
    ids, repeated = _once(listed, ids, source=source)
    problems += repeated
    pages = {page for page, slash, _ in (given.rpartition("/") for given in ids) if slash}
    taken = {given for given in ids if given}
    written: list[Written] = []
    for mapping, given in zip(listed, ids, strict=True):
        heading = mapping.line("heading")
        if given in pages:
            written.append(Written(mapping, given, "", heading))
        elif given:
            page, _, anchor = given.rpartition("/")
            written.append(Written(mapping, page, anchor, heading))
        else:
            wanted = slug(heading)
            anchor = claim(wanted, taken)
            written.append(Written(mapping, "", anchor, heading))
            if anchor != wanted:
                problems.append(_repeated_heading(mapping, heading, anchor, source))
    return tuple(written), tuple(problems)


def body_requests(sections: Iterable[Written], *, source: str) -> tuple[PageRequest, ...]:
    """Return a request for each body, to be parsed like a page without sections of its own."""
    return tuple(
        PageRequest(
            document=Document(path=source, text=f"{_BEFORE}{section.mapping.text('body')}"),
            path=section.page,
            split_level=0,
        )
        for section in sections
    )


def section_pages(
    sections: Sequence[Written], parsed: Iterable[Parsed], *, source: str, title: str
) -> tuple[tuple[PageSource, ...], tuple[Problem, ...]]:
    """Join sections and their parsed bodies to pages, in the order of the file.

    `title` is for the page with the path ``. A section's lines are those of the YAML file.
    """
    problems: list[Problem] = []
    leads = {section.page: section for section in sections if not section.anchor}
    pages: dict[str, list[Passage]] = {section.page: [] for section in sections}
    taken: dict[str, set[str]] = {page: set() for page in pages}
    for section in sections:
        taken[section.page].add(section.anchor)
    for section, (body, found) in zip(sections, parsed, strict=True):
        problems += [_moved(problem, section, source) for problem in found]
        lead = leads.get(section.page)
        trail = (lead.heading,) if lead and section.anchor else ()
        passage = _passage(section, body, trail=trail, taken=taken[section.page])
        position = len(pages[section.page]) if section.anchor else 0
        pages[section.page].insert(position, passage)
    made: list[PageSource] = []
    for path, passages in pages.items():
        lead = leads.get(path)
        name = lead.heading if lead else (title_from_path(path) if path else title)
        heading, _ = parse_heading(name, level=1, anchor="", line=1)
        made.append(
            PageSource(
                file=source,
                path=path,
                title=heading.text,
                title_html=heading.html,
                titled=lead is not None,
                passages=tuple(passages),
            )
        )
    return tuple(made), tuple(problems)


def _explicit_id(mapping: MarkedMapping, problems: list[Problem], source: str) -> str:
    given = mapping.text("id")
    if not is_section_id(given):
        return ""
    page = given.rpartition("/")[0]
    at = mapping.place("id")
    if page and (problem := page_name_problem(page, source=source, at=at)):
        problems.append(problem)
        return ""
    return given


def _once(
    sections: Iterable[MarkedMapping], ids: Iterable[str], *, source: str
) -> tuple[list[str], list[Problem]]:
    """Keep the first of equal ids; the others count as not given."""
    seen: dict[str, MarkedMapping] = {}
    kept: list[str] = []
    problems: list[Problem] = []
    for mapping, given in zip(sections, ids, strict=True):
        first = seen.setdefault(given, mapping) if given else mapping
        kept.append(given if first is mapping else "")
        if first is not mapping:
            line = (first.place("id") or first.at)[0]
            problems.append(
                fault(
                    BuildRule.SECTION_ID_TAKEN,
                    f"the id {shown(given)} stands here again; line {line} has it",
                    source=source,
                    at=mapping.place("id"),
                    hint="give this section another id",
                )
            )
    return kept, problems


def _passage(
    section: Written, parsed: PageSource, *, trail: tuple[str, ...], taken: set[str]
) -> Passage:
    body = parsed.passages[0] if parsed.passages else None
    mapping, scalar = section.mapping, section.mapping.scalar("body")
    anchors = tuple(a for a in body.anchors if a not in taken) if body else ()
    taken.update(anchors)
    at = (mapping.place("heading") or mapping.at)[0]
    heading, named = parse_heading(section.heading, level=_LEVEL, anchor=section.anchor, line=at)
    return Passage(
        heading=heading,
        trail=trail,
        body=body.body if body else "",
        lines=(mapping.at[0], mapping.end_line),
        symbols=_symbols(mapping, (*named, *(body.symbols if body else ()))),
        path=address(mapping, "path"),
        links=tuple(_link(link, scalar) for link in body.links) if body else (),
        inner=tuple(_inner(inner, scalar, taken) for inner in body.inner) if body else (),
        anchors=anchors,
    )


def _symbols(mapping: MarkedMapping, found: tuple[str, ...]) -> tuple[str, ...]:
    given = (text for text, _ in mapping.texts("symbols"))
    return tuple(dict.fromkeys((*given, *found)))


def _link(link: Link, scalar: Scalar | None) -> Link:
    line, column = _in_file((link.line, link.column), scalar)
    return msgspec.structs.replace(link, line=line, column=column)


def _inner(heading: Heading, scalar: Scalar | None, taken: set[str]) -> Heading:
    line, _ = _in_file((heading.line, 1), scalar)
    return msgspec.structs.replace(heading, line=line, anchor=claim(heading.anchor, taken))


def _moved(problem: Problem, section: Written, source: str) -> Problem:
    """Show a problem of a body at its place in the YAML file."""
    scalar = section.mapping.scalar("body")
    if problem.line is None:
        line, column = scalar.at if scalar else section.mapping.at
    else:
        line, column = _in_file((problem.line, problem.column or 1), scalar)
    return Problem(
        rule=problem.rule,
        severity=problem.severity,
        source=source,
        line=line,
        column=column,
        message=problem.message,
        hint=problem.hint,
    )


def _in_file(place: Place, scalar: Scalar | None) -> Place:
    """Return where a place of the parsed body stands: exact in a `|` block, else the value's."""
    if scalar is None:
        return place
    if not scalar.block:
        return scalar.at
    line = max(place[0] - _LINES_BEFORE, 1)
    return scalar.at[0] + line, place[1] + scalar.indent


def _repeated_heading(mapping: MarkedMapping, heading: str, anchor: str, source: str) -> Problem:
    return fault(
        BuildRule.REPEATED_HEADING,
        f"another section has the heading {shown(heading)} too, so this one's id is `{anchor}`",
        source=source,
        at=mapping.place("heading"),
        hint="write an `id` of your own, which stays when sections move",
        warning=True,
    )
