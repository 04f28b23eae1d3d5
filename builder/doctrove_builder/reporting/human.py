"""Problems for people: place, message, the source line with a caret, what to do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from doctrove_builder.reporting.counting import summary
from doctrove_builder.reporting.escaping import visible
from doctrove_builder.reporting.excerpt import excerpt
from doctrove_builder.reporting.paths import shown_path
from doctrove_schema.problem import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from doctrove_schema.problem import Problem

_BOLD, _RED, _YELLOW, _BLUE, _PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[34m", "\x1b[0m"

MOST = 200
"""Problems of one rule that are told in full: nobody reads the ten thousandth broken link."""


def human(problems: Sequence[Problem], *, texts: Mapping[str, str], root: str, colour: bool) -> str:
    """Return a paragraph for each problem, `MOST` of a rule at most, and a line that counts."""
    lines: dict[str, list[str]] = {}
    parts: list[str] = []
    told: Counter[str] = Counter()
    for problem in problems:
        told[problem.rule.value] += 1
        if told[problem.rule.value] > MOST:
            continue
        if problem.source in texts and problem.source not in lines:
            lines[problem.source] = texts[problem.source].split("\n")
        source = lines.get(problem.source, [])
        parts.append("\n".join(_paragraph(problem, source, root=root, colour=colour)))
    parts += [
        f"... and {number - MOST:,} more of [{rule}];"
        " `doctrove-build --check --format json` tells them all"
        for rule, number in told.items()
        if number > MOST
    ]
    parts.append(_painted(summary(problems), _BOLD, colour=colour))
    return "\n\n".join(parts) + "\n"


def _paragraph(problem: Problem, lines: Sequence[str], *, root: str, colour: bool) -> Iterator[str]:
    place = ":".join(
        str(part)
        for part in (shown_path(problem.source, root=root), problem.line, problem.column)
        if part is not None
    )
    is_error = problem.severity is Severity.ERROR
    severity = _painted(problem.severity.value, _RED if is_error else _YELLOW, colour=colour)
    place = _painted(visible(place), _BOLD, colour=colour)
    yield f"{place}: {severity}: {visible(problem.message)} [{problem.rule.value}]"
    number = problem.line
    if number is not None and 0 < number <= len(lines):
        text, before = excerpt(lines[number - 1], problem.column)
        margin = " " * len(str(number))
        bar = _painted("|", _BLUE, colour=colour)
        yield f"  {number} {bar} {text}".rstrip()
        if problem.column is not None:
            caret = _painted("^", _RED if is_error else _YELLOW, colour=colour)
            yield f"  {margin} {bar} {' ' * before}{caret}"
    if problem.hint:
        yield f"  = {visible(problem.hint)}"


def _painted(text: str, code: str, *, colour: bool) -> str:
    return f"{code}{text}{_PLAIN}" if colour else text
