"""Render what changed: sections once for each content, files only where their view is new."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.markdown import render_section
from doctrove_builder.pipeline.workers import in_chunks
from doctrove_builder.render import render_view, section_key, section_keys, view_key
from doctrove_builder.writing import Artefact, reusable
from doctrove_schema.names import encode_name

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from doctrove_builder.cache import Cache
    from doctrove_builder.pipeline.progress import Progress
    from doctrove_builder.render import Look, View
    from doctrove_builder.site import SectionSource, Site

HTML_ROOM = "html"
FILE_ROOM = "file"
"""From a view's key to the SHA-256 of the bytes that it gave."""


class Rendered(NamedTuple):
    """What is rendered, and what was taken over."""

    artefacts: Iterator[Artefact]
    """Every file; those that are rendered, while this is read."""

    sections: int
    """Sections rendered to HTML."""

    files: int
    """Files to render; the others are taken over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """What a rendering works with."""

    look: Look
    cache: Cache
    executor: Executor | None
    progress: Progress
    markdown_version: str
    render_version: str
    """Name the code: what another version rendered is rendered anew."""

    def tick(self) -> None:
        """Let the progress interrupt what others do."""
        self.progress.advance(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """A view and the HTML of its sections."""

    view: View
    html: Mapping[str, str]


def render_files(
    views: Sequence[View], site: Site, dest: Path | None, *, renderer: Renderer
) -> Rendered:
    """Make an artefact for every view: rendered, or taken over from the tree at `dest`."""
    versions = (renderer.markdown_version + renderer.render_version).encode()
    keys = [sha256(versions + view_key(view).encode()).hexdigest() for view in views]
    digests = {
        key: content.decode() for key, content in renderer.cache.get(FILE_ROOM, keys).items()
    }
    wanted = {view.path: digests[k] for view, k in zip(views, keys, strict=True) if k in digests}
    old = reusable(dest, wanted) if dest else {}
    fresh = {view.path: key for view, key in zip(views, keys, strict=True) if view.path not in old}
    changed = [view for view in views if view.path in fresh]
    html, sections = _section_html(changed, site, renderer=renderer)

    def artefacts() -> Iterator[Artefact]:
        yield from (Artefact(path=path, content=reuse) for path, reuse in old.items())
        for files in _contents(changed, html, renderer=renderer):
            digests = {fresh[path]: sha256(content).hexdigest() for path, content in files}
            renderer.cache.put(FILE_ROOM, {key: d.encode() for key, d in digests.items()})
            yield from (Artefact(path=path, content=content) for path, content in files)

    return Rendered(artefacts=artefacts(), sections=sections, files=len(changed))


def _section_html(
    views: Sequence[View], site: Site, *, renderer: Renderer
) -> tuple[dict[str, str], int]:
    """Return the HTML of all sections that the views show, and how many were rendered for it."""
    wanted = {key for view in views for key in section_keys(view)}
    version = renderer.markdown_version
    stored = {sha256((version + key).encode()).hexdigest(): key for key in sorted(wanted)}
    known = renderer.cache.get(HTML_ROOM, stored)
    html = {stored[name]: content.decode() for name, content in known.items()}
    missing = {name: key for name, key in stored.items() if key not in html}
    sources = _sources(site, set(missing.values()), near={_library(view.path) for view in views})
    renderer.progress.step("render sections", len(missing))
    fresh: list[str] = []
    for chunk in in_chunks(
        _render_sections,
        [sources[key] for key in missing.values()],
        executor=renderer.executor,
        tick=renderer.tick,
    ):
        fresh += chunk
        renderer.progress.advance(len(chunk))
    renderer.cache.put(
        HTML_ROOM, {name: text.encode() for name, text in zip(missing, fresh, strict=True)}
    )
    html |= dict(zip(missing.values(), fresh, strict=True))
    return html, len(fresh)


def _sources(site: Site, wanted: set[str], *, near: Container[str]) -> Mapping[str, SectionSource]:
    """Return the sources of sections by their key, looked for in the libraries `near` first."""
    found: dict[str, SectionSource] = {}
    for library in sorted(site.libraries, key=lambda each: encode_name(each.id) not in near):
        for volume in library.volumes:
            if len(found) == len(wanted):
                return found
            for page in volume.pages:
                for section in page.sections:
                    if section.source and (key := section_key(section.source)) in wanted:
                        found[key] = section.source
    return found


def _library(path: str) -> str:
    return path.partition("/")[0]


def _contents(
    views: Sequence[View], html: Mapping[str, str], *, renderer: Renderer
) -> Iterator[list[tuple[str, bytes]]]:
    """Yield some views' paths and bytes at a time."""
    jobs = [_Job(view=view, html={key: html[key] for key in section_keys(view)}) for view in views]
    renderer.progress.step("render files", len(jobs))
    paths = iter([view.path for view in views])
    function = partial(_render_views, renderer.look)
    for chunk in in_chunks(function, jobs, executor=renderer.executor, tick=renderer.tick):
        renderer.progress.advance(len(chunk))
        yield [(next(paths), content) for content in chunk]


def _render_sections(sources: Sequence[SectionSource]) -> Sequence[str]:
    return [render_section(source) for source in sources]


def _render_views(look: Look, jobs: Sequence[_Job]) -> Sequence[bytes]:
    return [render_view(job.view, job.html, look=look) for job in jobs]
