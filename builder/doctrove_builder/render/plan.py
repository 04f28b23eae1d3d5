"""Plan the site: which files it has, and all that decides the bytes of each. Pure and quick."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.layout import library_folder, volume_folder
from doctrove_builder.memory import ANEW
from doctrove_builder.render.changes import COMPARE, plan_changes, plan_compare
from doctrove_builder.render.editions import Editions
from doctrove_builder.render.feeds import feed_text, is_date, llms_text, robots_text, sitemaps
from doctrove_builder.render.folders import shortened
from doctrove_builder.render.look import INLINED
from doctrove_builder.render.machine import plan_machine_pages
from doctrove_builder.render.pages import LONGEST_DESCRIPTION, Setting, plan_volume
from doctrove_builder.render.urls import (
    LATEST,
    absolute,
    base_path,
    climb,
    href,
    page_place,
    safe_address,
)
from doctrove_builder.render.views import (
    AssetView,
    Card,
    HomeView,
    LibraryView,
    Link,
    MissingView,
    PageView,
    RedirectView,
    Release,
    Shell,
    TextView,
)
from doctrove_builder.site import SitePage, SiteVolume
from doctrove_schema.names import encode_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_builder.memory import Apply
    from doctrove_builder.render.changes import LibraryChanges, VolumeChanges
    from doctrove_builder.render.keys import View
    from doctrove_builder.render.look import Look
    from doctrove_builder.render.views import Tally
    from doctrove_builder.site import Site, SiteLibrary

RIGHT_TO_LEFT = frozenset(
    ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "ps", "sd", "syr", "ug", "ur", "yi"]
)
"""Languages written from right to left, by their subtag (BCP 47)."""


def plan_site(
    site: Site,
    look: Look,
    *,
    files: tuple[str, ...] = ("index.json",),
    search: str = "",
    apply: Apply = ANEW,
) -> tuple[View, ...]:
    """Plan every file of the site; `files` names machine-readable ones beside them at the root.

    `search` is what the site's search finds, as in `Shell`.

    The order is that of the site, so that the same site gives the same views.
    """
    feed = feed_text(site) if site.base_url else ""
    shell = apply.settle(
        "shell",
        Shell(
            title=site.title,
            language=site.language,
            direction="rtl" if site.language.partition("-")[0].lower() in RIGHT_TO_LEFT else "ltr",
            repository=safe_address(site.repository),
            files=files,
            feed=bool(feed),
            search=search,
        ),
    )
    views: list[View] = [_home(site, look, shell, apply), _missing(site, look, shell)]
    for library in site.libraries:
        outline = apply.settle(f"outline of {library.id}", _outline(library))
        setting = apply(_setting, outline, site.base_url, look.fingerprint, shell)
        changes = plan_changes(library, setting, apply)
        shown = _library(library, site, look, shell, changes, apply)
        compare = plan_compare(outline, setting, shown.releases)
        views += [shown, *([compare] if compare else ()), *changes.views]
        for volume in library.volumes:
            views += apply(_volume_views, volume, setting, changes.volumes[volume.version], apply)
    views += _root_files(site, views, feed, files)
    views += [
        AssetView(path=asset.path, look=look.fingerprint, name=asset.name)
        for asset in look.assets
        if asset.name != INLINED
    ]
    return tuple(views)


def _home(site: Site, look: Look, shell: Shell, apply: Apply) -> HomeView:
    cards = tuple(_card(library, site, apply) for library in site.libraries)
    return HomeView(
        path="index.html",
        look=look.fingerprint,
        shell=shell,
        root=climb(""),
        title=site.title,
        description=_described(site.description or f"{site.title}: documentation by version."),
        canonical=absolute(site.base_url, ""),
        lede=site.description,
        address=absolute(site.base_url, ""),
        cards=cards,
        versions=sum(card.versions for card in cards),
        sections=sum(apply(_weigh, v)[0] for lib in site.libraries for v in lib.volumes),
    )


def _card(library: SiteLibrary, site: Site, apply: Apply) -> Card:
    newest = next((v for v in library.volumes if v.version == library.latest), None)
    names = {other.id: other.name for other in site.libraries}
    return Card(
        id=library.id,
        name=library.name,
        href=href(library_folder(library.id)),
        summary=shortened(library.summary, longest=200),
        latest=library.latest,
        latest_href=href(volume_folder(library.id, library.latest)) if newest else "",
        versions=len(library.volumes),
        sections=apply(_weigh, newest)[0] if newest else 0,
        aliases=library.aliases,
        superseded_by=names.get(library.superseded_by, library.superseded_by),
    )


def _missing(site: Site, look: Look, shell: Shell) -> MissingView:
    return MissingView(
        path="404.html",
        look=look.fingerprint,
        shell=shell,
        root=base_path(site.base_url),
        title="Page not found",
        description="This page is not here.",
        alone=not site.base_url,
        libraries=tuple(
            Link(text=library.name, href=href(library_folder(library.id)))
            for library in site.libraries
        ),
    )


def _outline(library: SiteLibrary) -> SiteLibrary:
    """Leave out what the pages of one volume need not know of the other volumes."""
    return msgspec.structs.replace(
        library,
        volumes=tuple(
            SiteVolume(
                version=volume.version,
                stable=volume.stable,
                pages=tuple(
                    SitePage(path=page.path, title="", title_html="", sections=())
                    for page in volume.pages
                ),
            )
            for volume in library.volumes
        ),
    )


def _setting(library: SiteLibrary, base_url: str, look: str, shell: Shell) -> Setting:
    editions = Editions(library, base_url=base_url)
    return Setting(look=look, shell=shell, library=library, editions=editions, base_url=base_url)


def _volume_views(
    volume: SiteVolume, setting: Setting, changes: VolumeChanges, apply: Apply
) -> tuple[View, ...]:
    views: list[View] = [*plan_volume(volume, setting, changes, apply=apply)]
    views += plan_machine_pages(setting.library, volume)
    if volume.version == setting.library.latest:
        views += _redirects(setting.library, volume, setting)
    return tuple(views)


def _library(  # noqa: PLR0913, PLR0917 - all that decides it
    library: SiteLibrary,
    site: Site,
    look: Look,
    shell: Shell,
    changes: LibraryChanges,
    apply: Apply,
) -> LibraryView:
    folder = library_folder(library.id)
    names = {other.id: other.name for other in site.libraries}
    successor = library.superseded_by
    return LibraryView(
        path=f"{folder}index.html",
        look=look.fingerprint,
        shell=shell,
        root=climb(folder),
        title=library.name,
        description=_described(library.summary or f"Documentation of {library.name} by version."),
        canonical=absolute(site.base_url, folder),
        id=library.id,
        name=library.name,
        summary=library.summary,
        aliases=library.aliases,
        homepage=safe_address(library.homepage),
        repository=safe_address(library.repository),
        license=library.license,
        superseded=Link(
            text=names.get(successor, successor),
            href=href(library_folder(successor)) if successor in names else "",
        )
        if successor
        else None,
        latest=library.latest,
        releases=tuple(
            _release(library, volume, changes.volumes[volume.version].tally, apply)
            for volume in library.volumes
        ),
        compare=COMPARE if changes.views else "",
    )


def _release(
    library: SiteLibrary, volume: SiteVolume, tally: Tally | None, apply: Apply
) -> Release:
    sections, tokens = apply(_weigh, volume)
    return Release(
        version=volume.version,
        href=href(f"{encode_name(volume.version)}/"),
        released=volume.released if is_date(volume.released) else "",
        summary=volume.summary,
        latest=volume.version == library.latest,
        stable=volume.stable,
        pages=len(volume.pages),
        sections=sections,
        tokens=tokens,
        changes=tally,
    )


def _redirects(
    library: SiteLibrary, volume: SiteVolume, setting: Setting
) -> Iterator[RedirectView]:
    """Yield `latest/...` for every page of the newest version."""
    places = dict.fromkeys(["", *(page_place(page.path) for page in volume.pages)])
    for place in places:
        folder = f"{library_folder(library.id)}{LATEST}/{place}"
        target = href(f"{encode_name(volume.version)}/{place}")
        yield RedirectView(
            path=f"{folder}index.html",
            look=setting.look,
            shell=setting.shell,
            root=climb(folder),
            title=f"{library.name} {volume.version}",
            canonical=setting.editions.canonical(place),
            target=f"{climb(f'{LATEST}/{place}')}{target}",
        )


def _root_files(
    site: Site, views: Iterable[View], feed: str, files: tuple[str, ...]
) -> Iterator[TextView]:
    yield TextView(path=".nojekyll", text="")
    yield TextView(path="robots.txt", text=robots_text(site))
    yield TextView(path="llms.txt", text=llms_text(site, files=files))
    if site.base_url:
        for name, text in sitemaps(site, _canonical_pages(site, views)):
            yield TextView(path=name, text=text)
    if feed:
        yield TextView(path="feed.xml", text=feed)


def _canonical_pages(site: Site, views: Iterable[View]) -> Iterator[tuple[str, str]]:
    """Yield the address of each page that is its own canonical one, with its volume's date."""
    dates = {
        volume_folder(library.id, volume.version): volume.released
        for library in site.libraries
        for volume in library.volumes
        if is_date(volume.released)
    }
    for view in views:
        if not isinstance(view, (HomeView, LibraryView, PageView)):
            continue
        folder = view.path.removesuffix("index.html")
        if view.canonical and view.canonical == absolute(site.base_url, folder):
            yield view.canonical, dates.get("/".join(folder.split("/")[:2]) + "/", "")


def _weigh(volume: SiteVolume) -> tuple[int, int]:
    """Return how many sections and tokens a volume has."""
    sections = [section for page in volume.pages for section in page.sections if section.source]
    return len(sections), sum(section.tokens for section in sections)


def _described(text: str) -> str:
    return shortened(text, longest=LONGEST_DESCRIPTION)
