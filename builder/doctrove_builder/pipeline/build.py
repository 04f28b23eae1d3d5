"""One build: an authoring folder is read, checked, assembled, rendered and published.

The stages are plain functions; this module only hands values from one to the next. Nothing is
published when an error was found, and the destination changes at the very end, as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from doctrove_builder.about import GENERATOR
from doctrove_builder.assemble.only import only
from doctrove_builder.markdown import code_version as markdown_version
from doctrove_builder.pipeline.assets import asset_artefacts
from doctrove_builder.pipeline.checking import Checked, Means, Request, check, stops
from doctrove_builder.pipeline.chosen import published_index
from doctrove_builder.pipeline.machine import machine_artefacts, root_files
from doctrove_builder.pipeline.rendering import Renderer, render_files
from doctrove_builder.render import (
    RenderError,
    check_templates,
    make_look,
    plan_site,
    read_overrides,
)
from doctrove_builder.render import code_version as render_version
from doctrove_builder.search import Workshop, find_engine, searched_volumes, searching
from doctrove_builder.search.entry import FOLDER as SEARCH
from doctrove_builder.writing import TreeChanged, publish_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from doctrove_builder.site import Site
    from doctrove_builder.writing import Artefact
    from doctrove_schema.problem import Problem

TEMPLATES = "_templates"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSummary:
    """What can be searched in a tree, and what that costs."""

    scope: str
    """`options.search`; `off` too where there is no HTML."""

    engine: bool
    """Full text can be indexed here."""

    failed: str
    """What the engine said when it failed."""

    indexed: bool
    """It ran; otherwise its files were taken over."""

    size: int
    """Bytes below `_search/`."""


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

    search: SearchSummary
    sizes: Mapping[str, int]
    """Bytes of every published file, by path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a build found, and what it made unless it stopped."""

    problems: tuple[Problem, ...]
    texts: Mapping[str, str]
    """The sources by path, to show the lines that problems name."""

    counts: tuple[int, int, int]
    """Libraries, volumes and sections that were read."""

    checked: Checked

    summary: Summary | None = None


def build(request: Request, means: Means) -> Outcome:
    """Build a tree, or check it.

    A wrong template is a problem like others, and ends the build. Raises `ChoiceRefused` for a
    wrong `only`, `WritingError` when the destination cannot be written. Whenever the build does
    not come to its end, the destination stays as it was.
    """
    checked = check(request, means)
    entries = checked.index.entries
    outcome = Outcome(
        problems=checked.problems,
        texts=checked.texts,
        counts=(
            len(entries),
            sum(len(entry.volumes) for entry in entries),
            sum(len(volume.sections) for entry in entries for volume in entry.volumes.values()),
        ),
        checked=checked,
    )
    try:
        if request.dest is None and request.html:
            check_templates(make_look(read_overrides(request.source / TEMPLATES)))
        if request.dest is None or stops(checked.problems, strict=request.strict):
            return outcome
        return replace(outcome, summary=_published(request, request.dest, checked, means))
    except RenderError as error:
        return replace(
            outcome,
            problems=(*checked.problems, error.problem),
            texts={**checked.texts, **_template_texts(request.source)},
        )


def _template_texts(source: Path) -> dict[str, str]:
    """Return the templates by path, to show the line at fault; none where they cannot be read."""
    try:
        overrides = read_overrides(source / TEMPLATES)
    except RenderError:
        return {}
    return {f"{TEMPLATES}/{name}": text for name, text in overrides.items()}


def _published(request: Request, dest: Path, checked: Checked, means: Means) -> Summary:
    """Publish, once more from the start when someone changed DEST meanwhile."""
    try:
        return _publish(request, dest, checked, means)
    except TreeChanged:  # Take nothing over from it.
        return _publish(replace(request, fresh=True), dest, checked, means)


def _publish(request: Request, dest: Path, checked: Checked, means: Means) -> Summary:
    index, site = checked.index, checked.laid.site
    carried: tuple[str, ...] = ()
    if request.only:
        partial = only(request.only, index=index, site=site, published=published_index(dest))
        index, site, carried = partial.index, partial.site, partial.carried
    options = checked.project.options
    full = options.full_index or bool(request.only)
    scope = options.search if request.html else "off"
    engine = find_engine() if scope != "off" else None
    rendered = 0
    artefacts = [*machine_artefacts(index, full=full)]
    pages: Iterator[Artefact] = iter(())
    if request.html:
        found = "" if scope == "off" else "text" if engine else "names"
        pages, rendered = _pages(
            request, dest, site, means, carried=carried, full=full, search=found
        )
        artefacts += asset_artefacts(checked.tree, checked.laid.assets, checked.assets)
    carry = (*carried, "_assets/") if request.only else ()
    volumes = searched_volumes(index, scope=scope)
    shop = Workshop(
        engine=engine,
        language=site.language,
        cache=means.cache,
        executor=means.executor,
        progress=means.progress,
    )
    with searching(volumes, None if request.fresh else dest, shop=shop) as search:
        published = publish_tree(
            dest,
            chain(artefacts, pages, search.artefacts()),
            generator=GENERATOR,
            carry=(lambda path: path.startswith(carry)) if carry else None,
        )
    return Summary(
        libraries=len(index.entries),
        volumes=sum(len(entry.volumes) for entry in index.entries),
        sections=sum(len(v.sections) for entry in index.entries for v in entry.volumes.values()),
        files=len(published.manifest.files),
        size=published.size,
        parsed=checked.parsed,
        parsed_before=checked.parsed_before,
        rendered=rendered,
        written=len(published.written),
        unchanged=published.unchanged,
        removed=len(published.removed),
        foreign=published.foreign,
        sizes={path: entry.bytes for path, entry in published.manifest.files.items()},
        search=SearchSummary(
            scope=scope,
            engine=engine is not None,
            failed=search.failed,
            indexed=search.indexed,
            size=sum(
                entry.bytes
                for path, entry in published.manifest.files.items()
                if path.startswith(f"{SEARCH}/")
            ),
        ),
    )


def _pages(  # noqa: PLR0913 - the parts of one build, each used once
    request: Request,
    dest: Path,
    site: Site,
    means: Means,
    *,
    carried: tuple[str, ...],
    full: bool,
    search: str,
) -> tuple[Iterator[Artefact], int]:
    """Return the site's files, made while they are read, and how many sections are rendered."""
    look = make_look(read_overrides(request.source / TEMPLATES))
    views = [
        view
        for view in plan_site(
            site, look, files=root_files(full=full), search=search, apply=means.apply
        )
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
