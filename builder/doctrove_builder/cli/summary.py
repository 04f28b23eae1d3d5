"""What a build says at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.reporting.escaping import visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from doctrove_builder.pipeline.build import Outcome, Summary

SEARCH_SHARE = 0.2
"""Of a tree's bytes: a build says so when its search takes more."""


def summary_lines(
    outcome: Outcome, *, dest: Path | None, seconds: float, verbose: bool
) -> tuple[str, ...]:
    """Return the summary: what there is, how large it is, how long it took, what was reused."""
    summary = outcome.summary
    if summary is None:
        return (f"{_counted(*outcome.counts)} checked in {seconds:.1f} s",)
    lines = [
        f"{visible(str(dest))}: {_counted(summary.libraries, summary.volumes, summary.sections)}",
        f"{_number(summary.files + 1, 'file')}, {_size(summary.size)} in {seconds:.1f} s;"
        f" {summary.written:,} written, {summary.unchanged:,} unchanged,"
        f" {summary.removed:,} removed",
    ]
    if summary.foreign:
        names = ", ".join(visible(name) for name in summary.foreign[:5])
        more = ", ..." if len(summary.foreign) > 5 else ""
        lines.append(f"removed though no build had written them: {names}{more}")
    lines += _search_lines(summary)
    if summed_up := outcome.checked.summed_up:
        lines.append(
            f"summaries: {summed_up.used:,} of {_number(summed_up.wanted, 'text')};"
            f" {summed_up.refused:,} refused by the checks,"
            f" {_number(summed_up.asked, 'question')} to the model"
            + (f", {_number(summed_up.tokens, 'token')}" if summed_up.tokens else "")
            + f"; {_number(summed_up.kept, 'answer')} kept before"
        )
    if verbose:
        lines.append(
            f"reused: {summary.parsed_before:,} of"
            f" {_number(summary.parsed + summary.parsed_before, 'page')} parsed before;"
            f" {_number(summary.rendered, 'section')} rendered anew"
        )
    return tuple(lines)


def summary_warnings(outcome: Outcome) -> tuple[str, ...]:
    """Return how many summaries are missing and why, in one line."""
    summed_up = outcome.checked.summed_up
    if summed_up is None or not summed_up.failures:
        return ()
    left = summed_up.wanted - summed_up.used - summed_up.refused
    missing = f"{_number(left, 'text')} without an answer: " if left else ""
    reasons = "; ".join(visible(reason[:200]) for reason in summed_up.failures[:3])
    return (f"summaries: {missing}{reasons}",)


def _search_lines(summary: Summary) -> Iterator[str]:
    """Say what search lacks, and when it takes much of the tree."""
    search = summary.search
    if search.failed:
        yield f"search finds no text: the engine failed: {visible(search.failed)}"
    elif search.scope != "off" and not search.engine:
        yield (
            "search finds titles, headings and symbols; for text, install the extra `search`:"
            " pip install 'doctrove[search]'"
        )
    if search.size > summary.size * SEARCH_SHARE:
        share = search.size / summary.size
        yield (
            f"search takes {_size(search.size)}, {share:.0%} of the tree; `options.search` in"
            " doctrove.yaml says what is indexed"
        )


def _counted(libraries: int, volumes: int, sections: int) -> str:
    kinds = ((libraries, "library"), (volumes, "volume"), (sections, "section"))
    return ", ".join(_number(count, kind) for count, kind in kinds)


def _number(count: int, kind: str) -> str:
    plural = f"{kind.removesuffix('y')}ies" if kind.endswith("y") else f"{kind}s"
    return f"{count:,} {kind if count == 1 else plural}"


def _size(size: int) -> str:
    """Return a size in decimal units, as file managers show it."""
    if size < 1_000_000:
        return f"{size / 1_000:.1f} kB"
    return f"{size / 1_000_000:.1f} MB"
