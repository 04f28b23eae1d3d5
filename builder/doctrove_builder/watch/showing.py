"""The served folder as the last build left it: which views it shows, what else lies in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.layout import ASSETS
from doctrove_builder.pipeline.machine import machine_artefacts
from doctrove_builder.pipeline.rendering import Renderer, render_files
from doctrove_builder.writing.paths import Claims

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence, Set

    from doctrove_builder.pipeline.checking import Checked
    from doctrove_builder.render import View
    from doctrove_builder.site import Site
    from doctrove_builder.watch.served import Served


class Showing:
    """Writes what changed; a file that pages load stays a while when no page does any more."""

    def __init__(self, served: Served) -> None:
        """Begin with an empty folder."""
        self._served = served
        self._views: dict[str, View] = {}
        self._claimed: Set[str] = frozenset()
        self._machine: frozenset[str] = frozenset()
        self._copied: frozenset[str] = frozenset()
        self._unused: set[str] = set()
        self._finished: Checked | None = None

    @property
    def views(self) -> Iterable[View]:
        """What the pages show."""
        return self._views.values()

    def changed(self, planned: Mapping[str, View]) -> list[View]:
        """Return the views that are not shown yet.

        Raises `ArtefactRefused` where the published tree could not be written.
        """
        if planned.keys() != self._claimed:
            claims = Claims()
            for path in planned:
                claims.claim(path)
            self._claimed = planned.keys()
        return [view for view in planned.values() if not self._is_shown(view)]

    def write(self, views: Sequence[View], site: Site, renderer: Renderer) -> list[str]:
        """Render views and return the paths whose bytes changed."""
        if not views:
            return []
        planned = {view.path: view for view in views}
        written: list[str] = []
        for artefact in render_files(views, site, None, renderer=renderer).artefacts:
            path = artefact.path
            if isinstance(artefact.content, bytes) and self._served.write(path, artefact.content):
                written.append(path)
            self._views[path] = planned[path]
        return written

    def drop_all_but(self, planned: Mapping[str, View]) -> list[str]:
        """Remove what is not planned any more and return its paths."""
        gone = [path for path in self._views if path not in planned]
        for path in gone:
            if is_loaded(path):  # a browser may be about to: it has the page of a moment ago
                self._unused.add(path)
            else:
                self._served.remove(path)
            del self._views[path]
        return gone

    def copy_assets(self, checked: Checked) -> None:
        """Put the pictures and files of volumes there."""
        published = {checked.assets[path]: path for path in checked.laid.assets}
        for target, path in published.items():
            self._served.copy(target, checked.tree.assets[path].file)
        self._unused |= self._copied - published.keys()
        self._copied = frozenset(published)

    def finish(self, checked: Checked | None) -> None:
        """Write the files for programs, which no page waits for; remove what no page loads."""
        for path in self._unused - self._claimed - self._copied:
            self._served.remove(path)
        self._unused.clear()
        if checked is None or checked is self._finished:
            return
        paths: set[str] = set()
        for artefact in machine_artefacts(checked.index, full=checked.project.options.full_index):
            paths.add(artefact.path)
            if isinstance(artefact.content, bytes):
                self._served.write(artefact.path, artefact.content)
        for path in self._machine - paths:
            self._served.remove(path)
        self._machine = frozenset(paths)
        self._finished = checked

    def _is_shown(self, view: View) -> bool:
        old = self._views.get(view.path)
        return old is view or old == view


def is_loaded(path: str) -> bool:
    """Tell whether pages load a file by a name that holds the hash of its content."""
    return path.startswith(f"{ASSETS}/")
