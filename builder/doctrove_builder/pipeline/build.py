"""One build: an authoring folder is read, checked, assembled, rendered and published.

The stages are plain functions; this module only hands values from one to the next. Nothing is
published when an error was found, and the destination changes at the very end, as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.about import GENERATOR
from doctrove_builder.assemble.index import index_of
from doctrove_builder.assemble.inherit import bind_libraries
from doctrove_builder.assemble.only import only
from doctrove_builder.assemble.site import lay_out
from doctrove_builder.authoring import parse_authoring, read_tree
from doctrove_builder.markdown import code_version as markdown_version
from doctrove_builder.markdown import parse_page
from doctrove_builder.pipeline.assets import asset_artefacts, hash_assets, svg_problems
from doctrove_builder.pipeline.chosen import check_choices, chosen_problems, published_index
from doctrove_builder.pipeline.machine import CATALOG, INDEX, machine_artefacts
from doctrove_builder.pipeline.parsing import CachedParsing
from doctrove_builder.pipeline.rendering import Renderer, render_files
from doctrove_builder.render import code_version as render_version
from doctrove_builder.render import make_look, plan_site, read_overrides
from doctrove_builder.writing import TreeChanged, publish_tree
from doctrove_schema.problem import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from concurrent.futures import Executor
    from pathlib import Path

    from doctrove_builder.assemble.bound import BoundLibrary
    from doctrove_builder.assemble.only import Choice
    from doctrove_builder.assemble.site import Laid
    from doctrove_builder.cache import Cache
    from doctrove_builder.model import Project, Tree
    from doctrove_builder.pipeline.progress import Progress
    from doctrove_builder.site import Site
    from doctrove_builder.writing import Artefact
    from doctrove_schema.model import Index
    from doctrove_schema.problem import Problem

TEMPLATES = "_templates"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be built."""

    source: Path
    dest: Path | None
    """None: check only."""

    base_url: str = ""
    """Takes the place of `base_url` in doctrove.yaml."""

    commit: str = ""
    """Commit of the sources, for sections whose volume names none."""

    updated_at: str = ""
    """Takes the place of the newest date in the sources."""

    only: tuple[Choice, ...] = ()
    html: bool = True
    strict: bool = False
    """Warnings stop the build too."""

    fresh: bool = False
    """Render everything, even what DEST holds already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a build works with."""

    cache: Cache
    executor: Executor | None
    progress: Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a build made."""

    libraries: int
    volumes: int
    sections: int
    files: int
    size: int
    """Bytes of the published tree."""

    parsed: int
    parsed_before: int
    """Pages that were parsed, and those taken from the cache."""

    rendered: int
    """Sections rendered to HTML."""

    written: int
    unchanged: int
    removed: int
    foreign: tuple[str, ...]
    """Files that were removed though no build had written them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a build found, and what it made unless it stopped."""

    problems: tuple[Problem, ...]
    texts: Mapping[str, str]
    """The sources by path, to show the lines that problems name."""

    counts: tuple[int, int, int]
    """Libraries, volumes and sections that were read."""

    summary: Summary | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    """The authoring tree, read and bound together."""

    tree: Tree
    project: Project
    index: Index
    laid: Laid
    assets: Mapping[str, str]
    problems: tuple[Problem, ...]


def build(request: Request, means: Means) -> Outcome:
    """Build a tree, or check it.

    Raises `ChoiceRefused` for a wrong `only`, `RenderError` for a wrong template, `WritingError`
    when the destination cannot be written; in each case the destination stays as it was.
    """
    parsing = CachedParsing(
        cache=means.cache,
        executor=means.executor,
        progress=means.progress,
        version=GENERATOR + markdown_version(),
    )
    checked = _check(request, means, parsing)
    entries = checked.index.entries
    outcome = Outcome(
        problems=checked.problems,
        texts={path: document.text for path, document in checked.tree.documents.items()},
        counts=(
            len(entries),
            sum(len(entry.volumes) for entry in entries),
            sum(len(volume.sections) for entry in entries for volume in entry.volumes.values()),
        ),
    )
    if request.dest is None or _stops(checked.problems, strict=request.strict):
        return outcome
    try:
        summary = _publish(request, request.dest, checked, means, parsing)
    except TreeChanged:  # Someone changed DEST meanwhile: take nothing over from it.
        again = replace(request, fresh=True)
        summary = _publish(again, request.dest, checked, means, parsing)
    return replace(outcome, summary=summary)


def _stops(problems: tuple[Problem, ...], *, strict: bool) -> bool:
    return any(strict or problem.severity is Severity.ERROR for problem in problems)


def _check(request: Request, means: Means, parsing: CachedParsing) -> _Checked:
    means.progress.step("read files", 1)
    tree, problems = read_tree(request.source)
    authored, found = parse_authoring(tree, parse_page=parse_page, each=parsing)
    problems += found
    project = authored.project
    if request.base_url:
        project = msgspec.structs.replace(project, base_url=request.base_url)
    bound, found = bind_libraries(authored.libraries, commit=request.commit)
    problems += found
    index = index_of(
        bound,
        documents=tree.documents,
        updated_at=request.updated_at or _newest_date(project, bound),
        generator=GENERATOR,
    )
    assets = hash_assets(tree)
    laid = lay_out(project, bound, index, assets=assets)
    problems += laid.problems
    problems += tuple(svg_problems(tree.assets[path] for path in sorted(laid.assets)))
    if request.only:
        problems = chosen_problems(problems, request.only, authored.libraries)
        if not _stops(problems, strict=request.strict):
            check_choices(request.only, authored.libraries)
    return _Checked(
        tree=tree, project=project, index=index, laid=laid, assets=assets, problems=problems
    )


def _publish(
    request: Request, dest: Path, checked: _Checked, means: Means, parsing: CachedParsing
) -> Summary:
    index, site = checked.index, checked.laid.site
    carried: tuple[str, ...] = ()
    if request.only:
        partial = only(request.only, index=index, site=site, published=published_index(dest))
        index, site, carried = partial.index, partial.site, partial.carried
    full = checked.project.options.full_index or bool(request.only)
    rendered = 0
    artefacts = [*machine_artefacts(index, full=full)]
    pages: Iterator[Artefact] = iter(())
    if request.html:
        pages, rendered = _pages(request, dest, site, means, carried=carried, full=full)
        artefacts += asset_artefacts(checked.tree, checked.laid.assets, checked.assets)
    carry = (*carried, "_assets/") if request.only else ()
    published = publish_tree(
        dest,
        _each(artefacts, pages),
        generator=GENERATOR,
        carry=(lambda path: path.startswith(carry)) if carry else None,
    )
    return Summary(
        libraries=len(index.entries),
        volumes=sum(len(entry.volumes) for entry in index.entries),
        sections=sum(len(v.sections) for entry in index.entries for v in entry.volumes.values()),
        files=len(published.manifest.files),
        size=published.size,
        parsed=parsing.parsed,
        parsed_before=parsing.reused,
        rendered=rendered,
        written=len(published.written),
        unchanged=published.unchanged,
        removed=len(published.removed),
        foreign=published.foreign,
    )


def _pages(  # noqa: PLR0913 - the parts of one build, each used once
    request: Request,
    dest: Path,
    site: Site,
    means: Means,
    *,
    carried: tuple[str, ...],
    full: bool,
) -> tuple[Iterator[Artefact], int]:
    """Return the site's files, made while they are read, and how many sections are rendered."""
    look = make_look(read_overrides(request.source / TEMPLATES))
    files = (INDEX, CATALOG) if full else (CATALOG,)
    views = [
        view
        for view in plan_site(site, look, files=files)
        if not view.path.startswith(carried or ("\0",))
    ]
    renderer = Renderer(
        look=look,
        cache=means.cache,
        executor=means.executor,
        progress=means.progress,
        markdown_version=markdown_version(),
        render_version=render_version(),
    )
    rendered = render_files(views, site, None if request.fresh else dest, renderer=renderer)
    return rendered.artefacts, rendered.sections


def _each(artefacts: list[Artefact], pages: Iterator[Artefact]) -> Iterator[Artefact]:
    yield from artefacts
    yield from pages


def _newest_date(project: Project, libraries: tuple[BoundLibrary, ...]) -> str:
    """Return the newest date that the sources name; empty when they name none."""
    released = (volume.released for library in libraries for volume in library.volumes)
    return max((project.updated, *released), default="")
