"""The first half of a build: an authoring folder is read, checked and assembled; writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.about import GENERATOR
from doctrove_builder.assemble.index import index_of
from doctrove_builder.assemble.inherit import bind_libraries
from doctrove_builder.assemble.site import lay_out
from doctrove_builder.authoring import parse_authoring, read_tree
from doctrove_builder.markdown import code_version as markdown_version
from doctrove_builder.markdown import parse_page
from doctrove_builder.memory import ANEW
from doctrove_builder.model import Document
from doctrove_builder.pipeline.assets import hash_assets, measure_pictures, svg_problems
from doctrove_builder.pipeline.chosen import check_choices, chosen_problems
from doctrove_builder.pipeline.parsing import CachedParsing
from doctrove_builder.rules import BuildRule
from doctrove_builder.writing.files import digest_file
from doctrove_schema.problem import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor
    from pathlib import Path

    from doctrove_builder.assemble.bound import BoundLibrary
    from doctrove_builder.assemble.only import Choice
    from doctrove_builder.assemble.site import Laid
    from doctrove_builder.authoring import Readings
    from doctrove_builder.cache import Cache
    from doctrove_builder.importing.means import ImportMeans
    from doctrove_builder.memory import Apply
    from doctrove_builder.model import Project, Tree
    from doctrove_builder.pipeline.progress import Progress
    from doctrove_builder.pipeline.summing_up import SummaryCount, SummaryMeans
    from doctrove_schema.model import Index
    from doctrove_schema.problem import Problem

PROJECT = "doctrove.yaml"


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
    apply: Apply = ANEW
    readings: Readings | None = None
    """What was read before, for a process that builds the same tree again."""

    digest: Callable[[str], str] = digest_file
    """Gives the SHA-256 of a file."""

    imports: ImportMeans | None = None
    """What volumes are imported with; None: `imports:` is passed over."""

    summaries: SummaryMeans | None = None
    """What sections are summed up with; None: not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The authoring tree, read and bound together."""

    read: Tree
    """As it stands on the disk, without what is imported."""

    tree: Tree
    project: Project
    libraries: tuple[BoundLibrary, ...]
    index: Index
    laid: Laid
    assets: Mapping[str, str]
    """The published file of each asset, by its path in the tree."""

    problems: tuple[Problem, ...]
    parsed: int
    parsed_before: int
    """Pages that were parsed, and those taken from the cache."""

    summed_up: SummaryCount | None = None
    """What became of the summaries, if there were to be any."""

    @property
    def texts(self) -> dict[str, str]:
        """The sources by path, to show the lines that problems name."""
        return {path: document.text for path, document in self.tree.documents.items()}


def stops(problems: tuple[Problem, ...], *, strict: bool) -> bool:
    """Tell whether nothing may be published."""
    return any(strict or problem.severity is Severity.ERROR for problem in problems)


def check(request: Request, means: Means) -> Checked:
    """Read, parse and bind; nothing is written, and every problem is found.

    Raises `ChoiceRefused` for an `only` that names what is not there.
    """
    apply = means.apply
    parsing = CachedParsing(
        cache=means.cache,
        executor=means.executor,
        progress=means.progress,
        version=GENERATOR + markdown_version(),
    )
    means.progress.step("read files", 1)
    read, problems = read_tree(request.source, readings=means.readings)
    tree, found = _imported(read, request, means)
    problems += found
    authored, found = parse_authoring(tree, parse_page=parse_page, each=parsing, apply=apply)
    problems = _without_follow_on((*problems, *found), tree)
    project = authored.project
    if request.base_url:
        project = msgspec.structs.replace(project, base_url=request.base_url)
    bound, found = bind_libraries(authored.libraries, commit=request.commit, apply=apply)
    problems += found
    index = index_of(
        bound,
        documents=tree.documents,
        updated_at=request.updated_at or _newest_date(project, bound),
        generator=GENERATOR,
        apply=apply,
    )
    summed_up: SummaryCount | None = None
    if means.summaries is not None and not stops(problems, strict=request.strict):
        index, summed_up = _summed_up(index, request, means, means.summaries)
    assets = hash_assets(tree, digest=means.digest)
    sizes = measure_pictures(tree, assets, apply=apply)
    laid = lay_out(project, bound, index, assets=assets, sizes=sizes, apply=apply)
    upstream = _imported_files(bound)
    problems += tuple(found for found in laid.problems if found.source not in upstream)
    problems += tuple(svg_problems(tree.assets[path] for path in sorted(laid.assets)))
    if request.only:
        problems = chosen_problems(problems, request.only, authored.libraries)
        if not stops(problems, strict=request.strict):
            check_choices(request.only, authored.libraries)
    return Checked(
        read=read,
        tree=tree,
        project=project,
        libraries=bound,
        index=index,
        laid=laid,
        assets=assets,
        problems=problems,
        parsed=parsing.parsed,
        parsed_before=parsing.reused,
        summed_up=summed_up,
    )


def _summed_up(
    index: Index, request: Request, means: Means, summaries: SummaryMeans
) -> tuple[Index, SummaryCount]:
    """Add summaries to the sections that are published anew."""
    from doctrove_builder.pipeline.summing_up import with_summaries  # noqa: PLC0415 - seldom needed

    def chosen(library: str, version: str) -> bool:
        return not request.only or any(
            choice.library == library and choice.version in ("", version) for choice in request.only
        )

    return with_summaries(
        index, summaries, chosen=chosen, cache=means.cache, progress=means.progress
    )


def _imported(tree: Tree, request: Request, means: Means) -> tuple[Tree, tuple[Problem, ...]]:
    """Add the volumes that doctrove.yaml imports; what importers need is loaded only then."""
    project = tree.documents.get(PROJECT)
    if means.imports is None or project is None or "imports" not in project.text:
        return tree, ()
    from doctrove_builder.importing.overlay import with_imports  # noqa: PLC0415 - seldom needed

    whole, problems = with_imports(
        tree, request.source, means=means.imports, progress=means.progress
    )
    documents = {
        path: document
        if tree.documents.get(path) is document
        else means.apply(Document, path=path, text=document.text)
        for path, document in whole.documents.items()
    }
    return msgspec.structs.replace(whole, documents=documents), problems


def _without_follow_on(problems: tuple[Problem, ...], tree: Tree) -> tuple[Problem, ...]:
    """Leave out that there is no library, where what would import one is wrong."""
    project = tree.documents.get(PROJECT)
    said = {one.rule for one in problems if one.source == PROJECT and stops((one,), strict=False)}
    if project is None or "imports" not in project.text or not said - {BuildRule.NO_LIBRARY}:
        return problems
    return tuple(one for one in problems if one.rule is not BuildRule.NO_LIBRARY)


def _imported_files(libraries: tuple[BoundLibrary, ...]) -> frozenset[str]:
    """Return the files that are as an import wrote them: nobody here can mend a link in them."""
    return frozenset(
        section.file
        for library in libraries
        for volume in library.volumes
        for page in volume.pages
        for section in page.sections
        if section.passage.origin is not None
    )


def _newest_date(project: Project, libraries: tuple[BoundLibrary, ...]) -> str:
    """Return the newest date that the sources name; empty when they name none."""
    released = (volume.released for library in libraries for volume in library.volumes)
    return max((project.updated, *released), default="")
