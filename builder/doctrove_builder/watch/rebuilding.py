"""Builds again and again into the served folder: only what changed, the seen pages first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

import msgspec

from doctrove_builder.authoring import Readings, read_tree
from doctrove_builder.markdown import code_version as markdown_version
from doctrove_builder.memory import Memory
from doctrove_builder.pipeline.build import TEMPLATES
from doctrove_builder.pipeline.checking import Means, check, stops
from doctrove_builder.pipeline.errors import BuildError
from doctrove_builder.pipeline.machine import root_files
from doctrove_builder.pipeline.rendering import Renderer
from doctrove_builder.render import RenderError, make_look, plan_site, read_overrides
from doctrove_builder.render import code_version as render_version
from doctrove_builder.watch.digests import Digests
from doctrove_builder.watch.searching import found_by_search
from doctrove_builder.watch.showing import Showing, is_loaded
from doctrove_builder.watch.warming import warm_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from concurrent.futures import Executor
    from pathlib import Path

    from doctrove_builder.cache import Cache
    from doctrove_builder.importing.means import ImportMeans
    from doctrove_builder.pipeline.checking import Checked, Request
    from doctrove_builder.pipeline.progress import Progress
    from doctrove_builder.render import Look
    from doctrove_builder.watch.served import Served
    from doctrove_schema.problem import Problem

TOGETHER = 256
"""Files that are rendered before browsers are told; they are kept when a newer state comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What one build of the preview found and did."""

    problems: tuple[Problem, ...]
    texts: Mapping[str, str]
    failed: bool
    """Nothing was written for its problems."""

    pages: tuple[str, ...] = ()
    """Paths of the files that changed."""

    counts: tuple[int, int, int] = (0, 0, 0)
    """Libraries, volumes, sections."""


class Rebuilder:
    """What is kept from one build to the next."""

    def __init__(
        self, request: Request, served: Served, *, cache: Cache, imports: ImportMeans | None = None
    ) -> None:
        """Begin with nothing built; `request` names the sources and how strict a build is."""
        self._request = request
        self._imports = imports
        self._showing = Showing(served)
        self._cache = cache
        self._memory = Memory()
        self._readings = Readings()
        self._digests = Digests()
        self._cold_look: Look | None = None
        self.checked: Checked | None = None
        """What the last build found."""

        self.published: Checked | None = None
        """What the pages show."""

    def build(
        self,
        *,
        progress: Progress,
        executor: Executor | None,
        seen: Iterable[str] = (),
        shown: Callable[[], None],
    ) -> Rebuilt:
        """Build what changed; `shown` is called when the pages at the addresses `seen` are there.

        A wrong template is a problem like others. Raises what `progress` raises, `WritingError` for
        a path that cannot be published, `BuildError`, `OSError`. What was written stays and is
        known to the next build.
        """
        means = Means(
            cache=self._cache,
            executor=executor,
            progress=progress,
            apply=self._memory,
            readings=self._readings,
            digest=self._digests,
            imports=self._imports,
        )
        if not self._request.source.is_dir():
            raise BuildError(
                f"{self._request.source} is not there any more",
                hint="put it back; the pages stay as they are",
            )
        checked = self.checked = check(self._request, means)
        failed = stops(checked.problems, strict=self._request.strict)
        problems, pages = checked.problems, tuple[str, ...]()
        if not failed:
            try:
                pages = self._publish(checked, means, seen=seen, shown=shown)
            except RenderError as error:
                problems, failed = (*problems, error.problem), True
        entries = checked.index.entries
        return Rebuilt(
            problems=problems,
            texts=checked.texts,
            failed=failed,
            pages=pages,
            counts=(
                len(entries),
                sum(len(entry.volumes) for entry in entries),
                sum(len(v.sections) for entry in entries for v in entry.volumes.values()),
            ),
        )

    def is_current(self) -> bool:
        """Tell whether the sources are still those of the last build.

        So they are when their folder is gone: whoever watches it sees that.
        """
        if not self._request.source.is_dir():
            return True
        tree, _ = read_tree(self._request.source, readings=self._readings)
        return self.checked is not None and tree == self.checked.read

    def elsewhere(self) -> frozenset[Path]:
        """Return the real paths of what imports are made from on this disk."""
        checked = self.checked
        if checked is None or self._imports is None or checked.tree is checked.read:
            return frozenset()
        # Only a tree with imports needs it.
        from doctrove_builder.importing.overlay import local_sources  # noqa: PLC0415

        return local_sources(checked.read, self._request.source, means=self._imports)

    def warm_up(self) -> None:
        """Do here once what saving a page takes: workers and the cache may have done all so far."""
        look, self._cold_look = self._cold_look, None
        if look is not None:
            warm_up({type(view): view for view in self._showing.views}.values(), look=look)

    def finish(self) -> None:
        """Write the files for programs, which no page waits for; remove what no page loads."""
        self._showing.finish(self.published)

    def _publish(
        self,
        checked: Checked,
        means: Means,
        *,
        seen: Iterable[str],
        shown: Callable[[], None],
    ) -> tuple[str, ...]:
        means.progress.step("plan pages", 1)
        look = make_look(read_overrides(self._request.source / TEMPLATES))
        # The preview stands at another address than the published site.
        if self.published is None:
            self._cold_look = look
        site = msgspec.structs.replace(checked.laid.site, base_url="")
        full = root_files(full=checked.project.options.full_index)
        search = found_by_search(checked.project.options.search)
        views = plan_site(site, look, files=full, search=search, apply=self._memory)
        planned = {view.path: view for view in views}
        changed = self._showing.changed(planned)
        self._showing.copy_assets(checked)
        first = {_page_at(address) for address in seen}
        renderer = Renderer(
            look=look,
            cache=self._cache,
            executor=means.executor,
            progress=means.progress,
            markdown_version=markdown_version(),
            render_version=render_version(),
        )
        now = [view for view in changed if view.path in first or is_loaded(view.path)]
        now.sort(key=lambda view: not is_loaded(view.path))
        written = self._showing.write(now, site, renderer)
        gone = self._showing.drop_all_but(planned)
        shown()
        rest = sorted(
            (view for view in changed if view.path not in first and not is_loaded(view.path)),
            key=lambda view: not view.path.endswith(".html"),
        )
        for start in range(0, len(rest), TOGETHER):
            written += self._showing.write(rest[start : start + TOGETHER], site, renderer)
            shown()
        self.published = checked
        self._memory.turn()
        return (*written, *gone)


def _page_at(address: str) -> str:
    path = unquote(address).lstrip("/")
    return f"{path}index.html" if path.endswith("/") or not path else path
