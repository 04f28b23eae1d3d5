"""One volume, as a folder of pages or as one file, to its parts; pages are still to be parsed."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.authoring.fault import fault
from doctrove_builder.authoring.mapping import parse_mapping
from doctrove_builder.authoring.marked import MarkedList, MarkedMapping, Place
from doctrove_builder.authoring.origins import imported_files, with_origins
from doctrove_builder.authoring.pages import (
    PageRequest,
    Parsed,
    in_reading_order,
    order_problems,
    page_requests,
)
from doctrove_builder.authoring.quoting import shown
from doctrove_builder.authoring.sections import (
    Written,
    body_requests,
    section_pages,
    written_sections,
)
from doctrove_builder.authoring.values import address, date
from doctrove_builder.memory import ANEW
from doctrove_builder.model import Document, Repository, VolumeSource
from doctrove_builder.rules import BuildRule
from doctrove_schema.problem import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.authoring.folders import VolumeFolder
    from doctrove_builder.memory import Apply
    from doctrove_schema.problem import Problem

_NO_SETTINGS = MarkedMapping(entries={}, at=(1, 1), end_line=1)


class VolumePlan(msgspec.Struct, frozen=True, kw_only=True):
    """A volume whose pages are not parsed yet."""

    file: str
    version: str
    version_at: Place | None
    """None: the version is the folder's or file's name."""

    settings: MarkedMapping
    requests: tuple[PageRequest, ...]
    sections: tuple[Written, ...] = ()
    """Of a single file: one for each request."""

    single_file: bool = False
    provenance: Document | None = None
    """Of an imported volume: where its sections come from."""


def plan_folder(
    folder: VolumeFolder, *, split_level: int, apply: Apply = ANEW
) -> tuple[VolumePlan, tuple[Problem, ...]]:
    """Read volume.yaml and list the pages of a folder."""
    document = folder.settings
    settings: MarkedMapping | None = None
    problems: tuple[Problem, ...] = ()
    if document is not None:
        settings, problems = apply(
            parse_mapping, document.text, source=document.path, schema="volume"
        )
    settings = settings or _NO_SETTINGS
    requests, page_problems = page_requests(
        folder.pages, folder=folder.path, split_level=_split_level(settings, split_level)
    )
    plan = VolumePlan(
        file=document.path if document else folder.path,
        version=settings.text("version") or folder.name,
        version_at=settings.place("version") if settings.text("version") else None,
        settings=settings,
        requests=tuple(apply(_request, r.document, r.path, r.split_level) for r in requests),
        provenance=folder.provenance,
    )
    return plan, (*problems, *page_problems, *_empty(plan))


def plan_file(document: Document) -> tuple[VolumePlan, tuple[Problem, ...]]:
    """Read a volume that is one YAML file."""
    source = document.path
    read, problems = parse_mapping(document.text, source=source, schema="volume-file")
    settings = read or _NO_SETTINGS
    sections, section_problems = written_sections(settings.mappings("sections"), source=source)
    plan = VolumePlan(
        file=source,
        version=settings.text("version") or posixpath.splitext(posixpath.basename(source))[0],
        version_at=settings.place("version") if settings.text("version") else None,
        settings=settings,
        requests=body_requests(sections, source=source),
        sections=sections,
        single_file=True,
    )
    entry = settings.entries.get("sections")
    is_empty = entry and isinstance(entry.value, MarkedList) and not entry.value.items
    empty = _empty(plan) if is_empty else ()
    return plan, (*problems, *section_problems, *empty)


def make_volume(
    plan: VolumePlan, parsed: Sequence[Parsed], *, library: str
) -> tuple[VolumeSource, tuple[Problem, ...]]:
    """Join a plan and its parsed pages, in the order of its requests."""
    settings, source = plan.settings, plan.file
    if plan.single_file:
        pages, problems = section_pages(plan.sections, parsed, source=source, title=library)
    else:
        pages = tuple(sorted((page for page, _ in parsed), key=lambda page: page.path))
        problems = tuple(problem for _, found in parsed for problem in found)
        if plan.provenance is not None:
            imported = imported_files(plan.provenance, plan.requests)
            pages = with_origins(pages, plan.provenance, imported)
            problems = tuple(p for p in problems if not _is_upstream(p, imported))
    order = settings.texts("order")
    released, date_problems = date(settings, "released", source=source)
    remove = settings.texts("remove")
    volume = VolumeSource(
        file=source,
        version=plan.version,
        summary=settings.line("summary"),
        released=released,
        extends=settings.text("extends"),
        extends_at=settings.place("extends"),
        remove=tuple(text for text, _ in remove),
        remove_at=tuple(at for _, at in remove),
        order=tuple(text for text, _ in order),
        order_at=tuple(at for _, at in order),
        source=_repository(settings.mapping("source")),
        pages=in_reading_order(pages, [text for text, _ in order]),
        single_file=plan.single_file,
    )
    # With `extends` the inherited pages count too, and are known later.
    own = () if volume.extends else order
    unknown = order_problems(own, pages=[page.path for page in pages], source=source)
    return volume, (*problems, *date_problems, *unknown)


def _is_upstream(problem: Problem, imported: frozenset[str]) -> bool:
    """Tell whether a warning is about what another author wrote: the import's report has it."""
    return problem.severity is Severity.WARNING and problem.source in imported


def _request(document: Document, path: str, split_level: int) -> PageRequest:
    return PageRequest(document=document, path=path, split_level=split_level)


def _split_level(settings: MarkedMapping, default: int) -> int:
    given = settings.whole("split_level")
    return given if given is not None and 1 <= given <= 6 else default


def _repository(settings: MarkedMapping) -> Repository:
    return Repository(
        repository=address(settings, "repository"),
        commit=settings.text("commit"),
        base_url=address(settings, "base_url"),
    )


def _empty(plan: VolumePlan) -> tuple[Problem, ...]:
    if plan.requests or plan.settings.text("extends"):
        return ()
    what = "section" if plan.single_file else "page"
    return (
        fault(
            BuildRule.EMPTY_VOLUME,
            f"the volume {shown(plan.version)} has no {what}",
            source=plan.file,
            hint=f"add a {what}, or take over another volume with `extends`",
        ),
    )
