"""From what a build knows to the figures of the report card. Pure; every figure is counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.about import GENERATOR
from doctrove_builder.assemble.rules import AssembleRule
from doctrove_builder.report.card import (
    LARGE,
    LISTED,
    SHORTEST_COPY,
    Card,
    CodeFigures,
    Place,
    Places,
    SizeFigures,
    TokenFigures,
    VolumeFigures,
)
from doctrove_builder.report.code_blocks import blocks_in, fault_of, method_of
from doctrove_builder.reporting.counting import in_order
from doctrove_schema.versions import Scheme, latest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from doctrove_builder.assemble.bound import BoundLibrary, BoundSection
    from doctrove_schema.model import Entry, Index, Section, Volume
    from doctrove_schema.problem import Problem

PAGES_LIMIT = 1_000_000_000
"""Bytes a GitHub Pages site may have (GitHub docs, "GitHub Pages limits")."""

FILE_LIMIT = 100 * 1024 * 1024
"""Bytes a file on GitHub may have (GitHub docs, "About large files on GitHub")."""

_LINKS = (AssembleRule.BROKEN_LINK, AssembleRule.BROKEN_ANCHOR)


class _Written(NamedTuple):
    """One section where it is written, with what is published of it."""

    library: str
    bound: BoundSection
    section: Section


def card_of(
    libraries: Iterable[BoundLibrary],
    index: Index,
    problems: Iterable[Problem],
    texts: Mapping[str, str],
    *,
    sizes: Mapping[str, int] | None = None,
) -> Card:
    """Make the report card; `texts` are the sources by path, `sizes` the published files' bytes."""
    known = list(libraries)
    told = in_order(problems)
    written = list(_written(known, index))
    code, broken = _code(written, texts)
    return Card(
        generator=GENERATOR,
        volumes=tuple(_volumes(known, index)),
        tokens=_tokens(written),
        code=code,
        broken_code=broken,
        broken_links=_places(
            Place(file=p.source, line=p.line, what=p.message) for p in told if p.rule in _LINKS
        ),
        without_provenance=_places(
            _place(one, one.section.heading) for one in written if not one.section.path
        ),
        duplicates=_duplicates(written),
        rules=tuple(
            (severity, rule, count)
            for (severity, rule), count in sorted(
                Counter((p.severity.value, str(p.rule.value)) for p in told).items()
            )
        ),
        size=None if sizes is None else _size(sizes),
    )


def _written(libraries: Iterable[BoundLibrary], index: Index) -> Iterator[_Written]:
    """Yield every section once, in the volume that holds its file."""
    entries = {entry.id: entry for entry in index.entries}
    for bound in libraries:
        for volume in bound.volumes:
            published = entries[bound.library.id].volumes[volume.version]
            sections = {section.id: section for section in published.sections}
            for page in volume.pages:
                for section in page.sections:
                    if section.has_text and section.written_in == volume.version:
                        yield _Written(bound.library.id, section, sections[section.id])


def _volumes(libraries: Iterable[BoundLibrary], index: Index) -> Iterator[VolumeFigures]:
    entries = {entry.id: entry for entry in index.entries}
    for bound in libraries:
        entry = entries[bound.library.id]
        newest = latest(entry.versions, Scheme(entry.version_scheme or "semver"))
        for volume in bound.volumes:
            inherited = sum(
                section.has_text and section.written_in != volume.version
                for page in volume.pages
                for section in page.sections
            )
            yield _volume(entry, volume.version, newest, inherited=inherited)


def _volume(entry: Entry, version: str, newest: str, *, inherited: int) -> VolumeFigures:
    volume, best = entry.volumes[version], entry.volumes[newest]
    if entry.versions.index(version) < entry.versions.index(newest):
        best = volume  # A prerelease of what comes next is not behind.
    own = {section.id for section in volume.sections}
    return VolumeFigures(
        library=entry.id,
        version=version,
        released=volume.released,
        newest=version == newest,
        days_behind=0 if best is volume else _days_between(volume, best),
        behind=sum(section.id not in own for section in best.sections),
        sections=len(volume.sections),
        inherited=inherited,
        tokens=sum(section.tokens for section in volume.sections),
        with_symbols=sum(bool(section.symbols) for section in volume.sections),
        with_provenance=sum(bool(section.path) for section in volume.sections),
    )


def _days_between(volume: Volume, newest: Volume) -> int | None:
    try:
        return (date.fromisoformat(newest.released) - date.fromisoformat(volume.released)).days
    except ValueError:
        return None


def _tokens(written: Sequence[_Written]) -> TokenFigures:
    sizes = sorted(one.section.tokens for one in written)
    if not sizes:
        return TokenFigures(median=0, upper=LARGE, largest=0, bins=(), outliers=Places(count=0))
    lower, median, higher = (sizes[(len(sizes) - 1) * part // 4] for part in (1, 2, 3))
    upper = max(LARGE, higher + 3 * (higher - lower) // 2)
    bins = Counter(max(3, (size - 1).bit_length()) for size in sizes)
    outliers = sorted(
        (one for one in written if one.section.tokens > upper),
        key=lambda one: (-one.section.tokens, one.bound.file, one.bound.passage.lines),
    )
    return TokenFigures(
        median=median,
        upper=upper,
        largest=sizes[-1],
        bins=tuple((2**power, bins[power]) for power in range(min(bins), max(bins) + 1)),
        outliers=_places(
            _place(one, one.section.heading, value=one.section.tokens) for one in outliers
        ),
    )


def _code(
    written: Iterable[_Written], texts: Mapping[str, str]
) -> tuple[tuple[CodeFigures, ...], Places]:
    lines: dict[str, list[str]] = {}
    blocks: Counter[str] = Counter()
    broken: dict[str, list[Place]] = defaultdict(list)
    for one in written:
        file, (first, last) = one.bound.file, one.bound.passage.lines
        if file not in lines:
            lines[file] = texts.get(file, "").split("\n")
        for block in blocks_in("\n".join(lines[file][first - 1 : last])):
            blocks[block.language] += 1
            if fault := fault_of(block.language, block.code):
                line = first + block.line + fault.line
                what = f"{block.language}: {fault.reason}"
                broken[block.language].append(_place(one, what, line=line))
    figures = tuple(
        CodeFigures(
            language=language,
            blocks=count,
            method=method_of(language),
            broken=len(broken[language]),
        )
        for language, count in sorted(blocks.items(), key=lambda item: (-item[1], item[0]))
    )
    return figures, _places(place for places in broken.values() for place in places)


def _duplicates(written: Iterable[_Written]) -> Places:
    """Find texts that several volumes hold each in a file of its own."""
    by_text: dict[str, list[_Written]] = defaultdict(list)
    for one in written:
        if len(one.section.body) >= SHORTEST_COPY:
            by_text[one.section.sha256].append(one)
    copies = [group for group in by_text.values() if len({one.bound.file for one in group}) > 1]
    copies.sort(key=lambda group: (-len(group) * group[0].section.tokens, group[0].bound.file))
    return _places(_copied(group) for group in copies)


def _copied(group: Sequence[_Written]) -> Place:
    places = (_place(one, "") for one in group[1:4])
    others = ", ".join(f"{place.file}:{place.line or 1}" for place in places)
    more = f" and {len(group) - 4} more" if len(group) > 4 else ""
    what = f"{group[0].section.heading}: again in {others}{more}"
    return _place(group[0], what, value=group[0].section.tokens)


def _size(sizes: Mapping[str, int]) -> SizeFigures:
    large = sorted(
        ((size, path) for path, size in sizes.items() if size > FILE_LIMIT // 2), reverse=True
    )
    return SizeFigures(
        files=len(sizes),
        total=sum(sizes.values()),
        limit=PAGES_LIMIT,
        largest=_places(
            Place(file=path, what=f"{size:,} bytes", value=size) for size, path in large
        ),
        file_limit=FILE_LIMIT,
    )


def _place(one: _Written, what: str, *, line: int = 0, value: int = 0) -> Place:
    """Name where a section is written; for one that is imported, where it comes from."""
    passage = one.bound.passage
    if origin := passage.origin:
        what = f"{what} (imported into {one.library} {one.bound.written_in})"
        start = origin.lines[0] if origin.lines else None
        return Place(file=origin.file, line=start, what=what, value=value)
    return Place(file=one.bound.file, line=line or passage.lines[0], what=what, value=value)


def _places(places: Iterable[Place]) -> Places:
    listed = list(places)
    return Places(count=len(listed), listed=tuple(listed[:LISTED]))
