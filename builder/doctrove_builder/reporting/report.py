"""One way in to all the forms that problems are told in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from doctrove_builder.reporting.counting import in_order
from doctrove_builder.reporting.github import github
from doctrove_builder.reporting.human import human
from doctrove_builder.reporting.machine import machine
from doctrove_builder.reporting.sarif import sarif

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from doctrove_schema.problem import Problem

FormatName: TypeAlias = Literal["human", "json", "github", "sarif"]
FORMATS: tuple[FormatName, ...] = get_args(FormatName)


def report(
    problems: Iterable[Problem],
    *,
    format: FormatName = "human",  # noqa: A002 - the command's option has this name
    texts: Mapping[str, str],
    root: str = "",
    colour: bool = False,
) -> str:
    """Tell problems, sorted by place, in one of the `FORMATS`; the text ends with a line end.

    `texts` holds the sources that people are shown lines of, by `Problem.source`; `root` is the
    folder to put before each source, as the reader names it. Controls in authors' text are escaped
    in every format. Colour is for people on a terminal.
    """
    listed = in_order(problems)
    match format:
        case "human":
            return human(listed, texts=texts, root=root, colour=colour)
        case "json":
            return machine(listed, root=root)
        case "github":
            return github(listed, root=root)
        case "sarif":
            return sarif(listed, root=root)
