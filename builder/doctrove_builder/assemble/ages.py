"""Say of every section which version of its library was the first to have it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.changes import Comparison, History, compare_volumes, predecessors, trace
from doctrove_builder.memory import ANEW
from doctrove_schema.versions import is_stable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.memory import Apply
    from doctrove_schema.model import Section, Volume
    from doctrove_schema.versions import Scheme


def with_ages(
    volumes: Mapping[str, Volume], *, library: str, scheme: Scheme, apply: Apply = ANEW
) -> dict[str, Volume]:
    """Fill in `since` where no author did; volumes come and go newest first.

    What the oldest volume has already stays without: nothing is known of the time before. With a
    memory, volumes are compared again only when one of the two changed.
    """
    followed = predecessors((version, is_stable(version, scheme)) for version in volumes)
    histories: dict[str, History] = {}
    for version in reversed(followed):
        older = followed[version]
        compared = apply(_compared, volumes[older], volumes[version]) if older else None
        history = apply(_traced, version, volumes[version], compared, histories.get(older))
        histories[version] = apply.settle(f"ages of {library} {version}", history)
    return {
        version: apply(_aged, volume, histories[version], apply)
        for version, volume in volumes.items()
    }


def _compared(older: Volume, newer: Volume) -> Comparison:
    return compare_volumes(older.sections, newer.sections)


def _traced(
    version: str, volume: Volume, compared: Comparison | None, known: History | None
) -> History:
    followed = (compared, known) if compared is not None and known is not None else None
    return trace(version, volume.sections, followed)


def _aged(volume: Volume, history: History, apply: Apply) -> Volume:
    since = history.since
    if not any(since.values()):
        return volume
    pages = (tuple(page) for _, page in groupby(volume.sections, key=lambda section: section.page))
    aged = [apply(_aged_page, page, tuple(since[section.id] for section in page)) for page in pages]
    return msgspec.structs.replace(
        volume, sections=tuple(section for page in aged for section in page)
    )


def _aged_page(sections: tuple[Section, ...], since: tuple[str, ...]) -> tuple[Section, ...]:
    return tuple(
        section if section.since == first else msgspec.structs.replace(section, since=first)
        for section, first in zip(sections, since, strict=True)
    )
