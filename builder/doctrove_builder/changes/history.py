"""What the volumes of a library say of each section: the first that has it, the last to change it.

Volumes are compared with their predecessors, oldest first. A full release follows the full release
before it, whatever prereleases stand between; a prerelease follows the version before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.changes.volumes import has_same_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.changes.volumes import Comparison
    from doctrove_schema.model import Section


class History(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of sections up to one volume, by section id."""

    since: Mapping[str, str]
    """First version that has it; empty where it is in the oldest volume, since nothing is known of
    the time before. Sections that are gone are kept, so one that comes back is as old as it is."""

    changed: Mapping[str, str]
    """Last version that changed its heading or text."""


def predecessors(versions: Iterable[tuple[str, bool]]) -> dict[str, str]:
    """Return for each version the one that it follows; empty for the oldest.

    Takes versions and whether they are stable, newest first. A prerelease without anything older
    that is stable still is what the first full release follows.
    """
    followed: dict[str, str] = {}
    stable = newest = ""
    for version, is_stable in reversed(tuple(versions)):
        followed[version] = (stable or newest) if is_stable else newest
        newest = version
        stable = version if is_stable else stable
    return dict(reversed(followed.items()))


def trace(
    version: str, sections: Iterable[Section], followed: tuple[Comparison, History] | None = None
) -> History:
    """Return what is known up to a version from its sections and the version that it follows.

    `followed` is the comparison with that version and what is known up to it; None for the oldest.
    What an author wrote as `since` is taken, and handed on to later versions.
    """
    if followed is None:
        return History(since={section.id: section.since for section in sections}, changed={})
    comparison, known = followed
    since, changed = dict(known.since), dict(known.changed)
    for was, now in comparison.changes:
        if now is None:
            continue
        changed.pop(now.id, None)
        if was is None:
            since.setdefault(now.id, version)
            continue
        since[now.id] = since.get(was.id, "")
        if was.heading != now.heading or not has_same_text(was, now):
            changed[now.id] = version
        elif was.id in known.changed:
            changed[now.id] = known.changed[was.id]
    since |= {section.id: section.since for section in sections if section.since}
    return History(since=since, changed=changed)
