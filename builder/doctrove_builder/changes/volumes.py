"""Which sections of a volume were added, removed, changed, moved, compared with another volume."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.changes.texts import bag_of, likeness

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Sequence

    from doctrove_schema.model import Section

TELLING = 40
"""A text of so many characters, found on both sides under other ids, is one section that moved."""

MOVED = 50
"""Per cent of words shared by sections of one heading on two pages, for one to be the other."""

RENAMED = 60
"""The same for sections of other headings on one page."""

MOST_PAIRS = 2_500
"""So many sections of one page are held against each other; on a page with more, none is."""


class Change(NamedTuple):
    """What became of one section."""

    old: Section | None
    """None: it is new."""

    new: Section | None
    """None: it is gone."""


class Comparison(NamedTuple):
    """Two volumes, compared."""

    changes: tuple[Change, ...]
    """By page: those of the new volume in its order, then those that are gone; in a page likewise.
    A change whose sections have other ids is one that moved, its text changed or not."""

    unchanged: int


def compare_volumes(old: Sequence[Section], new: Sequence[Section]) -> Comparison:
    """Compare two volumes by the ids, headings and texts of their sections.

    A section that is gone and a new one are taken for one where their text is the same, or the
    heading is and half of the words are, or most of the words are on the same page.
    """
    before = {section.id: section for section in old}
    after = {section.id: section for section in new}
    gone = [section for section in old if section.id not in after]
    fresh = [section for section in new if section.id not in before]
    origin = _origins(gone, fresh)
    taken = {section.id for section in origin.values()}
    changes: dict[str, list[Change]] = {section.page: [] for section in (*new, *old)}
    unchanged = 0
    for section in after.values():
        was = before.get(section.id) or origin.get(section.id)
        if was and was.id == section.id and _is_same(was, section):
            unchanged += 1
        else:
            changes[section.page].append(Change(was, section))
    for section in gone:
        if section.id not in taken:
            changes[section.page].append(Change(section, None))
    return Comparison(
        changes=tuple(change for page in changes.values() for change in page),
        unchanged=unchanged,
    )


def has_same_text(old: Section, new: Section) -> bool:
    """Tell whether two sections have one text; by digest where both have it."""
    if old.sha256 and new.sha256:
        return old.sha256 == new.sha256
    return old.body == new.body


def _is_same(old: Section, new: Section) -> bool:
    return old is new or (old.heading == new.heading and has_same_text(old, new))


def _origins(gone: list[Section], fresh: list[Section]) -> dict[str, Section]:
    """Return what new sections were before, by their id."""
    found: dict[str, Section] = {}
    _pair_alike(gone, fresh, found, of=_whole_text, least=100)
    _pair_alike(gone, fresh, found, of=lambda section: section.heading, least=MOVED)
    taken = {section.id for section in found.values()}
    left: dict[str, list[Section]] = defaultdict(list)
    for section in gone:
        if section.id not in taken:
            left[section.page].append(section)
    coming: dict[str, list[Section]] = defaultdict(list)
    for section in fresh:
        if section.id not in found and section.page in left:
            coming[section.page].append(section)
    for page, sections in coming.items():
        if len(sections) * len(left[page]) <= MOST_PAIRS:
            _pair_nearest(left[page], sections, found)
    return found


def _whole_text(section: Section) -> str:
    return section.body if len(section.body) >= TELLING else ""


def _pair_alike(
    gone: Iterable[Section],
    fresh: Iterable[Section],
    found: dict[str, Section],
    *,
    of: Callable[[Section], str],
    least: int,
) -> None:
    """Pair the sections that alone on either side have a feature, when their texts are alike."""
    taken = {section.id for section in found.values()}
    before = _only(of, (section for section in gone if section.id not in taken))
    after = _only(of, (section for section in fresh if section.id not in found))
    for feature, new in after.items():
        old = before.get(feature)
        if old and (has_same_text(old, new) or _likeness(old, new) >= least):
            found[new.id] = old


def _only(of: Callable[[Section], str], sections: Iterable[Section]) -> dict[str, Section]:
    """Return the sections by a feature, those left out that share it or have none."""
    by_feature: dict[str, list[Section]] = defaultdict(list)
    for section in sections:
        if feature := of(section):
            by_feature[feature].append(section)
    return {feature: alike[0] for feature, alike in by_feature.items() if len(alike) == 1}


def _pair_nearest(gone: list[Section], fresh: list[Section], found: dict[str, Section]) -> None:
    """Pair each new section of a page with the first one gone from it that is most like it."""
    left: dict[str, tuple[Section, Counter[str]]] = {s.id: (s, bag_of(s.body)) for s in gone}
    for new in fresh:
        bag = bag_of(new.body)
        best, most = "", RENAMED - 1
        for identity, (_, other) in left.items():
            if (shared := likeness(other, bag)) > most:
                best, most = identity, shared
        if best:
            found[new.id] = left.pop(best)[0]


def _likeness(old: Section, new: Section) -> int:
    return likeness(bag_of(old.body), bag_of(new.body))
