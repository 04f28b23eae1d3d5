"""Plan the pages that say what changed: one for each version and the one it follows, and marks.

They stand in their library's folder and not in a volume's, so that no page of an author is in
their way, and a build of chosen volumes plans them from what is published of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.changes import Comparison, History, compare_volumes, predecessors, trace
from doctrove_builder.layout import library_folder
from doctrove_builder.memory import ANEW
from doctrove_builder.render.change_entries import in_sheets, kind_of, page_titles, show_changes
from doctrove_builder.render.change_views import ChangesView, Choice, CompareView
from doctrove_builder.render.urls import (
    CHANGES,
    absolute,
    change_id,
    changes_place,
    climb,
    href,
)
from doctrove_builder.render.views import Link, Release, Tally
from doctrove_schema.names import encode_name

if TYPE_CHECKING:
    from doctrove_builder.memory import Apply
    from doctrove_builder.render.change_views import ChangeGroup
    from doctrove_builder.render.pages import Setting
    from doctrove_builder.site import SiteLibrary, SiteVolume
    from doctrove_schema.model import Section

COMPARE = f"{CHANGES}/"
"""Folder in a library of the page that compares any two versions."""


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """What the sections of a volume say of their age, by id. Addresses are the library's."""

    since: Mapping[str, str]
    """Where the changes say that it was added, for those of which a page says so."""

    changed: Mapping[str, tuple[str, str]]
    """The last version that changed it, and where its changes say so."""


class VolumeChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What the pages of a volume say of changes."""

    marks: Marks
    tally: Tally | None
    """None for the oldest."""


class LibraryChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What changed in the versions of one library."""

    views: tuple[ChangesView, ...]
    volumes: Mapping[str, VolumeChanges]
    """By version."""


class _Pair(msgspec.Struct, frozen=True, kw_only=True):
    """A version and the one that it follows; and the pairs that are before and after this one."""

    older: str
    version: str
    earlier: str
    later: str


def plan_changes(library: SiteLibrary, setting: Setting, apply: Apply = ANEW) -> LibraryChanges:
    """Compare every version with the one it follows; with a memory, only those that are new."""
    volumes = {volume.version: volume for volume in library.volumes}
    followed = predecessors((volume.version, volume.stable) for volume in library.volumes)
    later = {older: version for version, older in followed.items() if volumes[version].stable}
    histories: dict[str, History] = {}
    views: dict[str, tuple[ChangesView, ...]] = {}
    for version in reversed(followed):
        comparison = None
        if older := followed[version]:
            comparison = apply(_compared, volumes[older], volumes[version])
            pair = _Pair(
                older=older,
                version=version,
                earlier=older if followed[older] else "",
                later=later.get(version, ""),
            )
            pair = apply.settle(f"pair of {library.id} {version}", pair)
            titles = apply(_titles, volumes[older], volumes[version])
            views[version] = apply(_pair_views, pair, comparison, titles, setting)
        histories[version] = apply.settle(
            f"history of {library.id} {version}",
            apply(_traced, volumes[version], comparison, histories.get(older)),
        )
    entries = tuple((version, apply(_entries, pages)) for version, pages in views.items())
    return LibraryChanges(
        views=tuple(view for pages in reversed(views.values()) for view in pages),
        volumes={
            version: apply.settle(
                f"changes of {library.id} {version}",
                VolumeChanges(
                    marks=apply.settle(
                        f"marks of {library.id} {version}", apply(_marks, history, entries)
                    ),
                    tally=views[version][0].tally if version in views else None,
                ),
            )
            for version, history in histories.items()
        },
    )


def plan_compare(
    library: SiteLibrary, setting: Setting, releases: tuple[Release, ...]
) -> CompareView | None:
    """Return the page that compares any two versions; None for a library with one."""
    if len(library.volumes) < 2:
        return None
    followed = predecessors((volume.version, volume.stable) for volume in library.volumes)
    folder = library_folder(library.id) + COMPARE
    return CompareView(
        path=f"{folder}index.html",
        look=setting.look,
        shell=setting.shell,
        root=climb(folder),
        up=climb(COMPARE),
        title=f"Compare versions of {library.name}",
        description=f"What changed between two versions of the documentation of {library.name}.",
        canonical=absolute(setting.base_url, folder),
        id=library.id,
        library=Link(text=library.name, href=href(library_folder(library.id))),
        choices=tuple(
            Choice(version=version, href=href(f"{encode_name(version)}/"), older=older)
            for version, older in followed.items()
        ),
        license=library.license,
        latest=library.latest,
        releases=tuple(release for release in releases if release.changes),
    )


def _published(volume: SiteVolume) -> list[Section]:
    return [
        section.published
        for page in volume.pages
        for section in page.sections
        if section.published is not None
    ]


def _compared(older: SiteVolume, newer: SiteVolume) -> Comparison:
    return compare_volumes(_published(older), _published(newer))


def _titles(older: SiteVolume, newer: SiteVolume) -> Mapping[str, str]:
    return page_titles([*_published(newer), *_published(older)])


def _traced(volume: SiteVolume, comparison: Comparison | None, known: History | None) -> History:
    followed = (comparison, known) if comparison is not None and known is not None else None
    return trace(volume.version, _published(volume), followed)


def _pair_views(
    pair: _Pair, comparison: Comparison, titles: Mapping[str, str], setting: Setting
) -> tuple[ChangesView, ...]:
    groups = show_changes(comparison.changes, versions=(pair.older, pair.version), titles=titles)
    sheets = in_sheets(groups)
    places = [changes_place(pair.version, number) for number in range(1, len(sheets) + 1)]
    first = _first_sheet(pair, _tally(pair, comparison), setting)
    if len(sheets) > 1:
        links = tuple(
            Link(text=f"{groups[0].title} … {groups[-1].title}", href=href(place))
            for place, groups in zip(places, sheets, strict=True)
        )
        first = msgspec.structs.replace(first, sheets=links)
    return tuple(
        _placed(first, place, groups, setting) for place, groups in zip(places, sheets, strict=True)
    )


def _first_sheet(pair: _Pair, tally: Tally, setting: Setting) -> ChangesView:
    """Return a page of changes that stands nowhere yet and has none."""
    library = setting.library
    return ChangesView(
        path="",
        look=setting.look,
        shell=setting.shell,
        root="",
        up="",
        here="",
        title=f"What changed in {library.name} {pair.version}",
        description=f"Sections of the documentation of {library.name} that {pair.version} added, "
        f"removed and changed, compared with {pair.older}.",
        library=Link(text=library.name, href=href(library_folder(library.id))),
        license=library.license,
        version=_volume_link(pair.version),
        older=_volume_link(pair.older),
        tally=tally,
        groups=(),
        compare=COMPARE,
        earlier=_changes_link(pair.earlier),
        later=_changes_link(pair.later),
    )


def _placed(
    view: ChangesView, place: str, groups: tuple[ChangeGroup, ...], setting: Setting
) -> ChangesView:
    folder = library_folder(setting.library.id) + place
    return msgspec.structs.replace(
        view,
        path=f"{folder}index.html",
        root=climb(folder),
        up=climb(place),
        here=href(place),
        canonical=absolute(setting.base_url, folder),
        groups=groups,
    )


def _tally(pair: _Pair, comparison: Comparison) -> Tally:
    kinds = Counter(map(kind_of, comparison.changes))
    return Tally(
        older=pair.older,
        href=href(changes_place(pair.version)),
        added=kinds["added"],
        removed=kinds["removed"],
        changed=kinds["changed"],
        moved=kinds["moved"] + kinds["renamed"],
        unchanged=comparison.unchanged,
    )


def _entries(views: tuple[ChangesView, ...]) -> Mapping[str, str]:
    """Return where each entry is, below the library, by its HTML id."""
    return {
        change.id: f"{view.here}#{change.id}"
        for view in views
        for group in view.groups
        for change in group.changes
    }


def _marks(history: History, entries: tuple[tuple[str, Mapping[str, str]], ...]) -> Marks:
    by_version = dict(entries)

    def place(section: str, version: str) -> str:
        return by_version.get(version, {}).get(change_id(section), "")

    return Marks(
        since={
            section: found
            for section, version in history.since.items()
            if version and (found := place(section, version))
        },
        changed={
            section: (version, place(section, version))
            for section, version in history.changed.items()
        },
    )


def _volume_link(version: str) -> Link:
    return Link(text=version, href=href(f"{encode_name(version)}/"))


def _changes_link(version: str) -> Link | None:
    return Link(text=version, href=href(changes_place(version))) if version else None
