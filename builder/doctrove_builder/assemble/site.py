"""Whole volumes to what the site shows. Pure: no clock, no disk, no environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from doctrove_builder.assemble.links import Reach, Standpoint, places, reach
from doctrove_builder.layout import FRONT_PAGES
from doctrove_builder.model import Project
from doctrove_builder.site import (
    SectionSource,
    Site,
    SiteLibrary,
    SitePage,
    SiteSection,
    SiteVolume,
)
from doctrove_schema.model import Index, Section
from doctrove_schema.problem import Problem
from doctrove_schema.versions import Scheme, is_stable, latest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.assemble.bound import BoundLibrary, BoundPage, BoundSection, BoundVolume

_GITLAB = re.compile(r"https?://([^/]*\.)?gitlab\.", re.IGNORECASE)

Place = tuple[str, str, str]
"""Library, version and section id."""


class Laid(msgspec.Struct, frozen=True, kw_only=True):
    """The site, the files it shows, and the links that lead nowhere."""

    site: Site
    assets: frozenset[str]
    """Paths in the authoring tree."""

    problems: tuple[Problem, ...]


class _Ground(msgspec.Struct, frozen=True, kw_only=True):
    """What every section's view is made from."""

    project: Project
    reaches: Mapping[Place, Reach]
    sections: Mapping[Place, Section]


def lay_out(
    project: Project,
    libraries: tuple[BoundLibrary, ...],
    index: Index,
    *,
    assets: Mapping[str, str],
) -> Laid:
    """Resolve all links and make the site; `assets` maps paths of the tree to published files.

    A link that is broken in several volumes, being inherited, is one problem.
    """
    reaches = dict(_reaches(libraries, assets))
    ground = _Ground(
        project=project,
        reaches=reaches,
        sections={
            (entry.id, version, section.id): section
            for entry in index.entries
            for version, volume in entry.volumes.items()
            for section in volume.sections
        },
    )
    problems = [problem for found in reaches.values() for problem in found.problems]
    return Laid(
        site=Site(
            title=project.title,
            description=project.description,
            base_url=project.base_url,
            language=project.language,
            repository=project.repository,
            updated=index.updated_at,
            libraries=tuple(_library(bound, ground) for bound in libraries),
        ),
        assets=frozenset(path for found in reaches.values() for path in found.assets),
        problems=tuple({(p.source, p.line, p.column, p.rule): p for p in problems}.values()),
    )


def _reaches(
    libraries: tuple[BoundLibrary, ...], assets: Mapping[str, str]
) -> Iterator[tuple[Place, Reach]]:
    known = places(libraries, assets)
    for bound in libraries:
        files = {volume.version: volume.file for volume in bound.volumes}
        for volume in bound.volumes:
            at = Standpoint(library=bound.library.id, volume=volume, places=known)
            for section in (s for page in volume.pages for s in page.sections if s.has_text):
                place = (bound.library.id, volume.version, section.id)
                yield place, reach(section, written_in=files[section.written_in], at=at)


def _library(bound: BoundLibrary, ground: _Ground) -> SiteLibrary:
    library = bound.library
    scheme = Scheme(library.version_scheme)
    versions = [volume.version for volume in bound.volumes]
    return SiteLibrary(
        id=library.id,
        name=library.name,
        summary=library.summary,
        aliases=library.aliases,
        homepage=library.homepage,
        repository=library.repository,
        license=library.license,
        superseded_by=library.superseded_by,
        latest=latest(versions, scheme),
        volumes=tuple(
            SiteVolume(
                version=volume.version,
                summary=volume.summary,
                released=volume.released,
                stable=is_stable(volume.version, scheme),
                pages=tuple(_pages(library.id, volume, ground)),
            )
            for volume in bound.volumes
        ),
    )


def _pages(library: str, volume: BoundVolume, ground: _Ground) -> Iterator[SitePage]:
    """Yield the pages; what belongs to the front page comes first, as one page `index`."""
    front = [page for page in volume.pages if page.path in FRONT_PAGES]
    if front:
        yield _page(library, volume, front, ground)
    for page in volume.pages:
        if page.path not in FRONT_PAGES:
            yield _page(library, volume, [page], ground)


def _page(library: str, volume: BoundVolume, parts: list[BoundPage], ground: _Ground) -> SitePage:
    page = parts[-1]
    return SitePage(
        path="index" if page.path in FRONT_PAGES else page.path,
        title=page.title,
        title_html=page.title_html,
        title_anchor=page.title_anchor,
        description=page.description,
        sections=tuple(
            _section((library, volume.version, section.id), section, ground)
            for part in parts
            for section in part.sections
        ),
    )


def _section(place: Place, section: BoundSection, ground: _Ground) -> SiteSection:
    passage = section.passage
    if not section.has_text:
        return SiteSection(id=section.id, heading=passage.heading, source=None)
    published = ground.sections[place]
    source_url, edit_url = _repository_links(section, ground.project)
    return SiteSection(
        id=section.id,
        heading=passage.heading,
        source=SectionSource(
            body=passage.body,
            anchors=tuple(heading.anchor for heading in passage.inner),
            links=ground.reaches[place].addresses,
            targets=passage.anchors,
            prefix=passage.heading.anchor,
        ),
        inner=passage.inner,
        published=published,
        since=published.since,
        tokens=published.tokens,
        provenance=published.path,
        source_url=source_url,
        edit_url=edit_url,
    )


def _repository_links(section: BoundSection, project: Project) -> tuple[str, str]:
    """Return where the section's lines can be read and where its file can be edited.

    Both lead to the repository that holds the authoring tree (`repository` in doctrove.yaml); the
    addresses are those of GitHub, GitLab and Gitea.
    """
    if not project.repository or not project.options.edit_links:
        return "", ""
    root = project.repository.rstrip("/").removesuffix(".git")
    branch = quote(project.options.branch)
    folder = project.options.folder.strip("/")
    file = quote(f"{folder}/{section.file}".lstrip("/"))
    first, last = section.passage.lines
    if _GITLAB.match(root):
        lines = f"#L{first}-{last}"
        return f"{root}/-/blob/{branch}/{file}{lines}", f"{root}/-/edit/{branch}/{file}"
    return f"{root}/blob/{branch}/{file}#L{first}-L{last}", f"{root}/edit/{branch}/{file}"
