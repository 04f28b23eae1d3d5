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
from doctrove_builder.model import Library, Project
from doctrove_builder.site import (
    SectionSource,
    Site,
    SiteLibrary,
    SitePage,
    SiteSection,
    SiteVolume,
)
from doctrove_schema.model import Entry, Index, Section, Volume
from doctrove_schema.problem import Problem
from doctrove_schema.versions import Scheme, is_stable, latest

if TYPE_CHECKING:
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


class VolumeReach(msgspec.Struct, frozen=True, kw_only=True):
    """Where the links of one volume go."""

    assets: frozenset[str]
    aims: tuple[Aim, ...]
    problems: tuple[Problem, ...]


class _Ground(msgspec.Struct, frozen=True, kw_only=True):
    """What the volumes of a site are made from."""

    project: Project
    places: Places
    index: Mapping[str, Entry]
    reached: list[VolumeReach]
    """Every volume's, as they are found."""

    apply: Apply


def lay_out(  # noqa: PLR0913 - all that decides it
    project: Project,
    libraries: tuple[BoundLibrary, ...],
    index: Index,
    *,
    assets: Mapping[str, str],
    sizes: Mapping[str, str] | None = None,
    apply: Apply = ANEW,
) -> Laid:
    """Resolve all links and make the site; `assets` maps paths of the tree to published files.

    `sizes` has the sizes of pictures by the same paths, as `640x480`.

    A link that is broken in several volumes, being inherited, is one problem.
    """
    ground = _Ground(
        project=project,
        places=apply.settle("places", places(libraries, assets, sizes)),
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


def _page_reach(page: BoundPage, files: Files, at: Standpoint) -> dict[str, Reach]:
    """Resolve the links of a page's sections, by their ids, as it stands in a volume."""
    file_of = dict(files)
    return {
        section.id: reach(section, written_in=file_of[section.written_in], at=at)
        for section in page.sections
        if section.has_text
    }


def _volume_reach(pages: tuple[Mapping[str, Reach], ...]) -> VolumeReach:
    found = [one for page in pages for one in page.values()]
    return VolumeReach(
        assets=frozenset(path for one in found for path in one.assets),
        aims=tuple(aim for one in found for aim in one.aims),
        problems=tuple(problem for one in found for problem in one.problems),
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
        volumes=tuple(_volume(volume, library, files, scheme, ground) for volume in bound.volumes),
    )


def _volume(
    volume: BoundVolume, library: Library, files: Files, scheme: Scheme, ground: _Ground
) -> SiteVolume:
    apply = ground.apply
    at = apply(
        Standpoint,
        library=library.id,
        version=volume.version,
        file=volume.file,
        places=ground.places,
    )
    published = ground.index[library.id].volumes[volume.version]
    pages, found = apply(_pages, volume, published, files, at, ground.project, apply)
    ground.reached.append(found)
    return apply(
        SiteVolume,
        version=volume.version,
        summary=volume.summary,
        released=volume.released,
        stable=is_stable(volume.version, scheme),
        pages=pages,
    )


def _pages(  # noqa: PLR0913, PLR0917 - all that decides them
    volume: BoundVolume,
    published: Volume,
    files: Files,
    at: Standpoint,
    project: Project,
    apply: Apply,
) -> tuple[tuple[SitePage, ...], VolumeReach]:
    """Return the pages; what belongs to the front page comes first, as one page `index`."""
    sections = {section.id: section for section in published.sections}
    front = tuple(page for page in volume.pages if page.path in FRONT_PAGES)
    others = [(page,) for page in volume.pages if page.path not in FRONT_PAGES]
    pages: list[SitePage] = []
    found: list[Mapping[str, Reach]] = []
    for parts in [front, *others] if front else others:
        reaches = tuple(apply(_page_reach, page, files, at) for page in parts)
        found += reaches
        own = tuple(
            sections[section.id] for page in parts for section in page.sections if section.has_text
        )
        pages.append(apply(_page, parts, reaches, own, project))
    return tuple(pages), _volume_reach(tuple(found))


def _page(
    parts: tuple[BoundPage, ...],
    reaches: tuple[Mapping[str, Reach], ...],
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
            _section(section, found[section.id], sections[section.id], project)
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
    if passage.origin is not None:
        source_url, edit_url = _upstream_link(published), ""
    else:
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
        source_url=source_url,
        edit_url=edit_url,
    )


def _upstream_link(published: Section) -> str:
    """Return where an imported section's lines can be read, when its repository is known."""
    origin = published.source
    if origin is None or not origin.repository:
        return ""
    root = origin.repository.rstrip("/").removesuffix(".git")
    file = quote(f"{origin.commit or 'HEAD'}/{origin.file}")
    between = "-/" if _GITLAB.match(root) else ""
    first, last = origin.lines or (1, 1)
    lines = f"#L{first}-{'' if between else 'L'}{last}" if origin.lines else ""
    return f"{root}/{between}blob/{file}{lines}"


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
