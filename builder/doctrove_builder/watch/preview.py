"""One preview from its start to its end: its folder, threads and server; nothing stays behind."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
import time
import webbrowser
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.cache import Cache
from doctrove_builder.importing.source_folder import SKIPPED
from doctrove_builder.pipeline.checking import Request
from doctrove_builder.pipeline.workers import worker_processes
from doctrove_builder.report import card_of, report_files
from doctrove_builder.watch.building import Building, Surroundings
from doctrove_builder.watch.changes import Changes
from doctrove_builder.watch.elsewhere import Elsewhere
from doctrove_builder.watch.host import POLICY, PreviewHost, preview_hosts
from doctrove_builder.watch.hub import Hub
from doctrove_builder.watch.rebuilding import Rebuilder
from doctrove_builder.watch.searching import Searched, SearchFollower
from doctrove_builder.watch.served import Served
from doctrove_builder.watch.signals import on_end_signals, signals_waiting
from doctrove_builder.watch.watching import Watching
from doctrove_server.host.serving import Running

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from types import FrameType

    from doctrove_builder.importing.means import ImportMeans
    from doctrove_builder.watch.terminal import Terminal

EVENTS = "/_preview/events"
REPORT = "_preview/report"
PREFIX = "doctrove-watch-"
MEMORY = Path("/dev/shm")
MEMORY_FREE = 2 * 1024**3
"""Bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be previewed, and how."""

    source: Path
    address: str
    allowed_hosts: tuple[str, ...] = ()
    """Names that requests may call the preview by, see `preview_hosts`."""

    cache: Path | None
    jobs: int = 1
    strict: bool = False
    poll: bool = False
    imports: ImportMeans | None = None
    open_url: str = ""
    """Opened in the browser once the preview answers."""


def run_preview(wish: Wish, listener: socket.socket, terminal: Terminal) -> None:
    """Serve the preview on a listening socket until a signal comes; for the main thread.

    A signal that comes before the server is there has to be a `KeyboardInterrupt`, see
    `interrupted_by_signals`.
    """
    folder: Path | None = None
    try:
        with signals_waiting():
            folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_memory()))
        _run(wish, listener, terminal, folder)
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _memory() -> str | None:
    """Return a folder in memory with room to spare; None where the usual temporary one has to do.

    Thousands of small files are written and removed there many times faster than on a disk.
    """
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= MEMORY_FREE
    chosen = any(name in os.environ for name in ("TMPDIR", "TEMP", "TMP"))
    return str(MEMORY) if roomy and not chosen and os.access(MEMORY, os.W_OK) else None


def _run(wish: Wish, listener: socket.socket, terminal: Terminal, folder: Path) -> None:
    package = resources.files("doctrove_builder.watch")
    served = Served(
        folder,
        script=(package / "preview.js").read_bytes(),
        style=(package / "preview.css").read_bytes(),
    )
    for name in ("index.html", "404.html"):
        served.write(name, (package / "waiting.html").read_bytes())
    hub = Hub(served)
    host = PreviewHost(
        str(served.root),
        hosts=preview_hosts(wish.address, wish.allowed_hosts),
        policy=POLICY,
        routes={EVENTS: hub},
    )
    running = Running(host)

    def end(_number: int, _frame: FrameType | None) -> None:
        running.should_exit = True

    on_end_signals(end)
    changes = Changes()
    search = SearchFollower(served, cache=wish.cache, lost=terminal.lost_search)

    def changed() -> None:
        changes.notify()
        search.disturb()

    watching = Watching(wish.source, changed, poll=wish.poll)
    elsewhere = Elsewhere(
        changed, poll=wish.poll, inside=wish.source, skipped=SKIPPED, but=wish.cache
    )
    terminal.watching(watching.reason)
    parts = _Parts(served, hub, changes, terminal, watching, elsewhere, search)
    failures: list[BaseException] = []

    def build_all() -> None:
        try:
            _build_all(wish, parts)
        except BaseException as error:
            failures.append(error)
            running.should_exit = True

    threads = [threading.Thread(target=target) for target in (build_all, search.run)]
    try:  # Ctrl C may come at any moment from here on, and no thread may outlive it
        for thread in threads:
            thread.start()
        if wish.open_url:
            # The socket listens already: a browser waits until it is answered.
            webbrowser.open(wish.open_url)
        running.serve_on(listener)
    finally:
        changes.stop()
        search.stop()
        watching.end()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        elsewhere.end()
    if failures:
        raise failures[0]


class _Parts(NamedTuple):
    served: Served
    hub: Hub
    changes: Changes
    terminal: Terminal
    watching: Watching
    elsewhere: Elsewhere
    search: SearchFollower

    def check_watch(self) -> None:
        self.watching.check()
        self.elsewhere.check()


def _build_all(wish: Wish, parts: _Parts) -> None:
    """Build until the end, in the thread that the cache then belongs to."""
    cache = Cache(wish.cache, today=int(time.time() // 86_400))
    with contextlib.closing(cache):
        request = Request(source=wish.source, dest=None, strict=wish.strict)
        rebuilder = Rebuilder(request, parts.served, cache=cache, imports=wish.imports)
        around = Surroundings(
            hub=parts.hub,
            changes=parts.changes,
            terminal=parts.terminal,
            executor=partial(worker_processes, wish.jobs, lost=parts.terminal.lost_workers),
            check_watch=parts.check_watch,
            finish=partial(_finish, rebuilder, parts),
        )
        Building(rebuilder, around).run()


def _finish(rebuilder: Rebuilder, parts: _Parts) -> Iterator[None]:
    """Do what no page waits for, a step at a time: files for programs, report card, search."""
    served, checked = parts.served, rebuilder.checked
    parts.elsewhere.follow(rebuilder.elsewhere())
    rebuilder.warm_up()
    yield
    rebuilder.finish()
    yield
    if checked is not None:
        sizes = served.sizes()
        own = {path: size for path, size in sizes.items() if not path.startswith("_preview/")}
        card = card_of(checked.libraries, checked.index, checked.problems, checked.texts, sizes=own)
        for path, content in report_files(card).items():
            served.write(f"{REPORT}/{path}", content)
        parts.hub.publish()
    yield
    if shown := rebuilder.published:
        scope, language = shown.project.options.search, shown.project.language
        parts.search.follow(Searched(index=shown.index, scope=scope, language=language))
