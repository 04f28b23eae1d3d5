"""Whole volumes to what the site shows. Pure: no clock, no disk, no environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from doctrove_builder.assemble.links import (
    Aim,
    Places,
    Reach,
    Standpoint,
    anchors,
    broken_anchors,
    places,
    reach,
)
from doctrove_builder.layout import FRONT_PAGES
from doctrove_builder.memory import ANEW, Apply
from doctrove_builder.model import Project
from doctrove_builder.site import (
    SectionSource,
    Site,
    SiteLibrary,
    SitePage,
    SiteSection,
    SiteVolume,
)
from doctrove_schema.model import Entry, Index, Section
from doctrove_schema.problem import Problem
from doctrove_schema.versions import Scheme, is_stable, latest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.assemble.bound import BoundLibrary, BoundPage, BoundSection, BoundVolume

_GITLAB = re.compile(r"https?://([^/]*\.)?gitlab\.", re.IGNORECASE)

Files = tuple[tuple[str, str], ...]
"""The file of each volume of a library, by version."""


class Laid(msgspec.Struct, frozen=True, kw_only=True):
    """The site, the files it shows, and the links that lead nowhere."""

    site: Site
    assets: frozenset[str]
    """Paths in the authoring tree."""

    problems: tuple[Problem, ...]


class PageReach(msgspec.Struct, frozen=True, kw_only=True):
    """Where the links of one page go, section by section and all together."""

    sections: Mapping[str, Reach]
    """By section id; for those that have text."""

    assets: frozenset[str]
    aims: tuple[Aim, ...]
    problems: tuple[Problem, ...]


class _Ground(msgspec.Struct, frozen=True, kw_only=True):
    """What the volumes of a site are made from."""

    project: Project
    places: Places
    index: Mapping[str, Entry]
    reached: list[PageReach]
    """Every page's, as they are found."""

    apply: Apply


def lay_out(
    project: Project,
    libraries: tuple[BoundLibrary, ...],
    index: Index,
    *,
    assets: Mapping[str, str],
    apply: Apply = ANEW,
) -> Laid:
    """Resolve all links and make the site; `assets` maps paths of the tree to published files.

    A link that is broken in several volumes, being inherited, is one problem.
    """
    ground = _Ground(
        project=project,
        places=apply.settle("places", places(libraries, assets)),
        index={entry.id: entry for entry in index.entries},
        reached=[],
        apply=apply,
    )
    shown = tuple(_library(bound, ground) for bound in libraries)
    aims = (aim for found in ground.reached for aim in found.aims)
    problems = [problem for found in ground.reached for problem in found.problems]
    problems += broken_anchors(aims, anchors(libraries, apply=apply))
    return Laid(
        site=Site(
            title=project.title,
            description=project.description,
            base_url=project.base_url,
            language=project.language,
            repository=project.repository,
            updated=index.updated_at,
            libraries=shown,
        ),
        assets=frozenset(path for found in ground.reached for path in found.assets),
        problems=tuple({(p.source, p.line, p.column, p.rule): p for p in problems}.values()),
    )


def page_reach(page: BoundPage, files: Files, at: Standpoint) -> PageReach:
    """Resolve the links of a page as it stands in a volume."""
    file_of = dict(files)
    found = {
        section.id: reach(section, written_in=file_of[section.written_in], at=at)
        for section in page.sections
        if section.has_text
    }
    return PageReach(
        sections=found,
        assets=frozenset(path for one in found.values() for path in one.assets),
        aims=tuple(aim for one in found.values() for aim in one.aims),
        problems=tuple(problem for one in found.values() for problem in one.problems),
    )


def _library(bound: BoundLibrary, ground: _Ground) -> SiteLibrary:
    library = bound.library
    scheme = Scheme(library.version_scheme)
    versions = [volume.version for volume in bound.volumes]
    files = tuple((volume.version, volume.file) for volume in bound.volumes)
    return ground.apply(
        SiteLibrary,
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
            ground.apply(
                SiteVolume,
                version=volume.version,
                summary=volume.summary,
                released=volume.released,
                stable=is_stable(volume.version, scheme),
                pages=tuple(_pages(library.id, volume, files, ground)),
            )
            for volume in bound.volumes
        ),
    )


def _pages(library: str, volume: BoundVolume, files: Files, ground: _Ground) -> Iterator[SitePage]:
    """Yield the pages; what belongs to the front page comes first, as one page `index`."""
    at = ground.apply(
        Standpoint,
        library=library,
        version=volume.version,
        file=volume.file,
        places=ground.places,
    )
    sections = {s.id: s for s in ground.index[library].volumes[volume.version].sections}
    front = tuple(page for page in volume.pages if page.path in FRONT_PAGES)
    others = ((page,) for page in volume.pages if page.path not in FRONT_PAGES)
    for parts in (front, *others) if front else others:
        reaches = tuple(ground.apply(page_reach, page, files, at) for page in parts)
        ground.reached.extend(reaches)
        published = tuple(
            sections[section.id] for page in parts for section in page.sections if section.has_text
        )
        yield ground.apply(_page, parts, reaches, published, ground.project)


def _page(
    parts: tuple[BoundPage, ...],
    reaches: tuple[PageReach, ...],
    published: tuple[Section, ...],
    project: Project,
) -> SitePage:
    page = parts[-1]
    sections = {section.id: section for section in published}
    return SitePage(
        path="index" if page.path in FRONT_PAGES else page.path,
        title=page.title,
        title_html=page.title_html,
        title_anchor=page.title_anchor,
        description=page.description,
        sections=tuple(
            _section(section, found.sections[section.id], sections[section.id], project)
            if section.has_text
            else SiteSection(id=section.id, heading=section.passage.heading, source=None)
            for part, found in zip(parts, reaches, strict=True)
            for section in part.sections
        ),
    )


def _section(
    section: BoundSection, found: Reach, published: Section, project: Project
) -> SiteSection:
    passage = section.passage
    source_url, edit_url = _repository_links(section, project)
    return SiteSection(
        id=section.id,
        heading=passage.heading,
        source=SectionSource(
            body=passage.body,
            anchors=tuple(heading.anchor for heading in passage.inner),
            links=found.addresses,
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
