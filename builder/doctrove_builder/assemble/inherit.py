"""Resolve `extends`, `remove` and `replace: page`: from volumes as written to whole volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.assemble.bound import BoundLibrary, BoundPage, BoundSection, BoundVolume
from doctrove_builder.assemble.rules import AssembleRule
from doctrove_builder.authoring.pages import order_problems
from doctrove_builder.authoring.quoting import shown
from doctrove_builder.memory import ANEW, Apply
from doctrove_builder.model import PageSource, Repository
from doctrove_schema.names import nearest
from doctrove_schema.problem import Problem
from doctrove_schema.versions import Scheme, ordered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_builder.model import Library, VolumeSource

WHOLE_PAGE = "/*"
"""Ends a `remove` item that names a page with all its sections."""


def bind_libraries(
    libraries: Iterable[Library], *, commit: str = "", apply: Apply = ANEW
) -> tuple[tuple[BoundLibrary, ...], tuple[Problem, ...]]:
    """Make every volume of every library whole, and order the volumes newest first.

    `commit` is that of the sources, for volumes that name none. A library without a volume is left
    out; its problem is known already.
    """
    bound: list[BoundLibrary] = []
    problems: list[Problem] = []
    for library in libraries:
        volumes, found = apply(bind_volumes, library, commit=commit, apply=apply)
        problems += found
        # What `versions` forgets stands behind what it names: its problem is known already.
        rest = ordered(tuple(volumes), Scheme(library.version_scheme))
        order = dict.fromkeys((*library.versions, *rest))
        known = tuple(volumes[version] for version in order if version in volumes)
        if known:
            bound.append(apply(BoundLibrary, library=library, volumes=known))
    return tuple(bound), tuple(problems)


def bind_volumes(
    library: Library, *, commit: str = "", apply: Apply = ANEW
) -> tuple[dict[str, BoundVolume], tuple[Problem, ...]]:
    """Make every volume of a library whole.

    An inherited section keeps its place; an own one of the same id replaces it there; new ones
    follow their page; new pages follow the inherited ones unless an order is given. A volume whose
    `extends` leads nowhere or in a circle is bound without it, and a problem says so.
    """
    written = {volume.version: volume for volume in library.volumes}
    bound: dict[str, BoundVolume] = {}
    problems: list[Problem] = []
    for volume in library.volumes:
        for step in _unbound_chain(volume, written, bound, problems):
            base = bound.get(step.extends)
            problems.extend(_unknown_removals(step, base))
            bound[step.version] = _whole(step, base, commit=commit, apply=apply)
            problems.extend(_unknown_order(step, bound[step.version]))
    return {volume.version: bound[volume.version] for volume in library.volumes}, tuple(problems)


def _unbound_chain(
    volume: VolumeSource,
    written: dict[str, VolumeSource],
    bound: dict[str, BoundVolume],
    problems: list[Problem],
) -> list[VolumeSource]:
    """Return the volumes to bind before and with this one, the base first."""
    chain: list[VolumeSource] = []
    seen: dict[str, int] = {}
    step: VolumeSource | None = volume
    while step and step.version not in bound:
        if step.version in seen:
            problems.append(_extends_circle(chain[seen[step.version] :]))
            break
        seen[step.version] = len(chain)
        chain.append(step)
        if step.extends and step.extends not in written:
            problems.append(_extends_unknown(step, written))
        step = written.get(step.extends)
    return chain[::-1]


def _whole(
    volume: VolumeSource, base: BoundVolume | None, *, commit: str, apply: Apply
) -> BoundVolume:
    source = volume.source
    if base and source == Repository():
        source = base.source
    if commit and not source.commit:
        source = msgspec.structs.replace(source, commit=commit)
    kept = apply(_without, base.pages, volume.remove) if base else ()
    order = volume.order or (base.order if base else ())
    return apply(
        BoundVolume,
        version=volume.version,
        summary=volume.summary,
        released=volume.released,
        order=order,
        source=source,
        file=volume.file,
        pages=_in_order(_overlay(kept, volume, source, apply), order),
    )


def _without(pages: tuple[BoundPage, ...], removed: tuple[str, ...]) -> tuple[BoundPage, ...]:
    gone = set(removed)
    if not gone:
        return pages
    kept = (
        msgspec.structs.replace(page, sections=tuple(s for s in page.sections if s.id not in gone))
        for page in pages
        if page.path + WHOLE_PAGE not in gone
    )
    return tuple(page for page in kept if any(section.has_text for section in page.sections))


def _overlay(
    inherited: tuple[BoundPage, ...], volume: VolumeSource, source: Repository, apply: Apply
) -> list[BoundPage]:
    own = {page.path: page for page in volume.pages}
    old = [page for page in inherited if not (page.path in own and own[page.path].replace)]
    pages = [
        apply(_merged, page, own[page.path], volume.version, source) if page.path in own else page
        for page in old
    ]
    have = {page.path for page in old}
    fresh = [page for page in volume.pages if page.path not in have]
    return pages + [apply(_own_page, page, volume.version, source) for page in fresh]


def _own_page(page: PageSource, version: str, source: Repository) -> BoundPage:
    return BoundPage(
        path=page.path,
        title=page.title,
        title_html=page.title_html,
        title_anchor=page.title_anchor,
        description=page.description,
        order=page.order,
        file=page.file,
        sections=tuple(
            BoundSection(
                passage=passage, page=page.path, file=page.file, written_in=version, source=source
            )
            for passage in page.passages
        ),
    )


def _merged(old: BoundPage, page: PageSource, version: str, source: Repository) -> BoundPage:
    own = _own_page(page, version, source)
    mine = {section.id: section for section in own.sections if section.has_text}
    known = {section.id for section in old.sections}
    sections = [mine.get(section.id, section) for section in old.sections]
    sections += [section for section in own.sections if section.id not in known]
    titled = own if page.titled else old
    return BoundPage(
        path=old.path,
        title=titled.title,
        title_html=titled.title_html,
        title_anchor=titled.title_anchor,
        description=own.description or old.description,
        order=old.order if own.order is None else own.order,
        file=own.file,
        sections=tuple(_below(section, titled.title) for section in sections),
    )


def _below(section: BoundSection, title: str) -> BoundSection:
    """Put a section below its page's title: the heading of the lead, the trail of the others."""
    passage = section.passage
    if passage.heading.anchor:
        passage = msgspec.structs.replace(passage, trail=(title, *passage.trail[1:]))
    else:
        heading = msgspec.structs.replace(passage.heading, text=title)
        passage = msgspec.structs.replace(passage, heading=heading)
    return msgspec.structs.replace(section, passage=passage)


def _in_order(pages: list[BoundPage], order: tuple[str, ...]) -> tuple[BoundPage, ...]:
    """Sort: front page, then as `order` names them, then by front matter, then as they stand."""
    named = {path: number for number, path in enumerate(order)}
    last = len(named)

    def key(page: BoundPage) -> tuple[bool, int, int]:
        unordered = 2**31 if page.order is None else page.order
        return page.path not in {"", "index"}, named.get(page.path, last), unordered

    return tuple(sorted(pages, key=key))


def _unknown_removals(volume: VolumeSource, base: BoundVolume | None) -> Iterator[Problem]:
    if volume.extends and not base:
        return  # What is wrong with extends is said already.
    known = _removable(base) if base else set[str]()
    for number, item in enumerate(volume.remove):
        if item in known:
            continue
        line, column = volume.remove_at[number] if number < len(volume.remove_at) else (None, None)
        near = nearest(item, known)
        yield Problem(
            rule=AssembleRule.REMOVE_UNKNOWN,
            source=volume.file,
            line=line,
            column=column,
            message=(
                f"`remove` names {shown(item)}, which {volume.extends} does not have"
                if base
                else f"`remove` names {shown(item)}, but nothing is inherited without `extends`"
            ),
            hint=f"do you mean {shown(near)}?" if near else "delete the item, or set `extends`",
        )


def _unknown_order(volume: VolumeSource, bound: BoundVolume) -> tuple[Problem, ...]:
    """Check the order of a volume that inherits: now its pages are known."""
    if not volume.extends:
        return ()
    order = zip(volume.order, volume.order_at, strict=True)
    return order_problems(order, pages=[page.path for page in bound.pages], source=volume.file)


def _removable(base: BoundVolume) -> set[str]:
    sections = {section.id for page in base.pages for section in page.sections}
    return sections | {page.path + WHOLE_PAGE for page in base.pages}


def _extends_unknown(volume: VolumeSource, written: dict[str, VolumeSource]) -> Problem:
    line, column = volume.extends_at or (None, None)
    near = nearest(volume.extends, [version for version in written if version != volume.version])
    known = ", ".join(list(written)[:8])
    return Problem(
        rule=AssembleRule.EXTENDS_UNKNOWN,
        source=volume.file,
        line=line,
        column=column,
        message=f"`extends` names {shown(volume.extends)}, which is no volume of this library",
        hint=f"do you mean {shown(near)}?" if near else f"the volumes are: {known}",
    )


def _extends_circle(circle: list[VolumeSource]) -> Problem:
    first = circle[0]
    line, column = first.extends_at or (None, None)
    path = " extends ".join([*(volume.version for volume in circle), first.version])
    return Problem(
        rule=AssembleRule.EXTENDS_CIRCLE,
        source=first.file,
        line=line,
        column=column,
        message=f"the volumes inherit in a circle: {path}",
        hint="remove `extends` from the oldest of them",
    )
