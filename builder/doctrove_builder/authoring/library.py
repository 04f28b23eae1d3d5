"""One library's folder: library.yaml and its volumes; pages are still to be parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.authoring.fault import fault
from doctrove_builder.authoring.mapping import parse_mapping
from doctrove_builder.authoring.marked import MarkedMapping, Place
from doctrove_builder.authoring.quoting import shown
from doctrove_builder.authoring.releases import declared_problems, fit_volumes
from doctrove_builder.authoring.values import address
from doctrove_builder.authoring.volume import VolumePlan, make_volume, plan_file, plan_folder
from doctrove_builder.memory import ANEW
from doctrove_builder.model import Library, VolumeSource
from doctrove_builder.rules import BuildRule
from doctrove_schema.names import id_fault
from doctrove_schema.versions import Scheme

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_builder.authoring.folders import LibraryFolder
    from doctrove_builder.authoring.pages import PageRequest, Parsed
    from doctrove_builder.memory import Apply
    from doctrove_builder.model import Document
    from doctrove_schema.problem import Problem


class LibraryPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A library whose pages are not parsed yet."""

    file: str
    folder: str
    id: str
    id_at: Place | None
    scheme: Scheme
    settings: MarkedMapping
    volumes: tuple[VolumePlan, ...]
    """Those that go on."""

    misfits: tuple[VolumePlan, ...]
    """Those whose version cannot stand; their pages are checked all the same."""

    @property
    def requests(self) -> Iterator[PageRequest]:
        """Every page to parse, volume by volume."""
        return (r for volume in (*self.volumes, *self.misfits) for r in volume.requests)


def plan_library(
    folder: LibraryFolder, *, split_level: int, apply: Apply = ANEW
) -> tuple[LibraryPlan, tuple[Problem, ...]]:
    """Read library.yaml and plan every volume of a library's folder."""
    read, found = apply(_settings, folder.settings, folder.path)
    problems = [*found]
    settings = read or MarkedMapping(entries={}, at=(1, 1), end_line=1)
    source = folder.settings.path if folder.settings else folder.path
    scheme = _scheme(read)
    volumes: list[VolumePlan] = []
    for volume_folder in folder.folders:
        volume, found = apply(plan_folder, volume_folder, split_level=split_level, apply=apply)
        volumes.append(volume)
        problems += found
    for document in folder.files:
        volume, found = apply(plan_file, document)
        volumes.append(volume)
        problems += found
    fit, version_problems = fit_volumes(volumes, scheme=scheme)
    kept = {volume.file for volume in fit}
    problems += version_problems
    if read:
        there = [volume.version for volume in volumes]
        fitting = [volume.version for volume in fit]
        problems += declared_problems(settings, source=source, there=there, fit=fitting)
        if not volumes:
            problems.append(_no_volume(source))
    library_id = settings.text("id") or folder.path
    if reason := id_fault(library_id):
        problems.append(_bad_id(library_id, reason, source=source, at=settings.place("id")))
    plan = LibraryPlan(
        file=source,
        folder=folder.path,
        id=library_id,
        id_at=settings.place("id"),
        scheme=scheme,
        settings=settings,
        volumes=fit,
        misfits=tuple(volume for volume in volumes if volume.file not in kept),
    )
    return plan, tuple(problems)


def make_library(
    plan: LibraryPlan, parsed: Iterable[Parsed], *, apply: Apply = ANEW
) -> tuple[Library, tuple[Problem, ...]]:
    """Join a plan and its parsed pages, in the order of its requests."""
    settings = plan.settings
    name = settings.line("name", default=plan.id)
    problems: list[Problem] = []
    volumes: dict[str, VolumeSource] = {}
    rest = iter(parsed)
    for volume_plan in (*plan.volumes, *plan.misfits):
        pages = tuple(next(rest) for _ in volume_plan.requests)
        volumes[volume_plan.file], found = apply(make_volume, volume_plan, pages, library=name)
        problems += found
    library = Library(
        file=plan.file,
        folder=plan.folder,
        id=plan.id,
        name=name,
        summary=settings.line("summary"),
        aliases=tuple(text for text, _ in settings.texts("aliases")),
        homepage=address(settings, "homepage"),
        repository=address(settings, "repository"),
        license=settings.line("license"),
        popularity=settings.number("popularity"),
        version_scheme=plan.scheme.value,
        versions=tuple(text for text, _ in settings.texts("versions")),
        versions_at=settings.place("versions"),
        superseded_by=settings.text("superseded_by"),
        volumes=tuple(volumes[volume_plan.file] for volume_plan in plan.volumes),
    )
    return library, tuple(problems)


def _settings(
    document: Document | None, folder: str
) -> tuple[MarkedMapping | None, tuple[Problem, ...]]:
    if document is None:
        problem = fault(
            BuildRule.NO_LIBRARY_FILE,
            "the folder holds no library.yaml",
            source=folder,
            hint="add one with at least `name:`, or begin the folder's name with `_`",
        )
        return None, (problem,)
    return parse_mapping(document.text, source=document.path, schema="library")


def _scheme(settings: MarkedMapping | None) -> Scheme:
    """Return the scheme; where the author's is not known, the one that no version breaks."""
    written = settings.text("version_scheme", default=Scheme.SEMVER.value) if settings else ""
    return next((scheme for scheme in Scheme if scheme.value == written), Scheme.LABEL)


def _no_volume(source: str) -> Problem:
    return fault(
        BuildRule.EMPTY_LIBRARY,
        "the library has no volume",
        source=source,
        hint="add a folder of Markdown pages or a YAML file that is named after the version",
    )


def _bad_id(library_id: str, reason: str, *, source: str, at: Place | None) -> Problem:
    return fault(
        BuildRule.LIBRARY_ID,
        f"{shown(library_id)} cannot be a library's id: it {reason}",
        source=source,
        at=at,
        hint="write another `id:`",
    )
