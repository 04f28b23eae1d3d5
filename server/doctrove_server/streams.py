"""Standard streams as a wire of lines: read in a thread, written in another, stray prints kept off.

From `claimed` on, file descriptor 1 leads to stderr and 0 to nothing, so that what a dependency or
a child prints cannot tear a message. Knows bytes and lines, no protocol.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

MAX_LINE = 4 * 1024 * 1024
"""Bytes of one message; the SDK's limit for HTTP bodies."""

_CHUNK = 1 << 16
_QUEUED_LINES = 64
_BOM = b"\xef\xbb\xbf"


class TooLong(msgspec.Struct, frozen=True):
    """Stands in the place of a line above `MAX_LINE`, whose bytes were dropped."""


class Descriptors(msgspec.Struct, frozen=True):
    """The wire's own file descriptors."""

    read: int
    write: int


def claimed() -> Descriptors:
    """Take the standard streams for the wire alone."""
    _open_what_is_closed()
    wire = Descriptors(os.dup(0), os.dup(1))
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device, for its descriptor
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return wire


def _open_what_is_closed() -> None:
    """Give a closed standard descriptor to nothing, so that no other file takes its number."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


class LineSplitter:
    """Cuts a stream of bytes into lines: LF or CRLF, blank ones dropped, a BOM skipped."""

    def __init__(self, *, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line
        self._held = bytearray()
        self._dropping = False
        self._first = True

    def feed(self, data: bytes) -> Iterator[bytes | TooLong]:
        """Take bytes and yield the lines that they complete."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            yield from self._end(part)
        self._hold(rest)

    def close(self) -> Iterator[bytes | TooLong]:
        """Yield the last line, which may lack its end."""
        yield from self._end(b"")

    def _hold(self, part: bytes) -> None:
        if len(self._held) + len(part) > self._max_line:
            self._dropping = True
            self._held.clear()
        if not self._dropping:
            self._held += part

    def _end(self, part: bytes) -> Iterator[bytes | TooLong]:
        self._hold(part)
        line, dropped = bytes(self._held), self._dropping
        self._held.clear()
        self._dropping = False
        if dropped:
            yield TooLong()
            return
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        if line := line.strip():
            yield line


class Wire:
    """Lines in, messages out. `broken` is set when the reader of the messages is gone."""

    def __init__(self, descriptors: Descriptors) -> None:
        self._descriptors = descriptors
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes | TooLong | None] = asyncio.Queue(_QUEUED_LINES)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="stdout")
        self.broken = asyncio.Event()
        self.written = asyncio.Event()
        """Set by the first message written."""

    def start(self) -> None:
        """Begin to read."""
        # A daemon, since nothing can end a blocked read; the process does not wait for it.
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    async def lines(self) -> AsyncIterator[bytes | TooLong]:
        """Yield each line until the input ends."""
        while (line := await self._lines.get()) is not None:
            yield line

    async def write(self, message: bytes) -> None:
        """Write a message as one line; returns when the system has taken it."""
        if self.broken.is_set():
            return
        try:
            await self._loop.run_in_executor(self._writer, self._put, message + b"\n")
        except OSError:
            self.broken.set()
        else:
            self.written.set()

    def _put(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptors.write, view) :]

    def _read(self) -> None:
        splitter = LineSplitter()
        # The loop may close while this thread waits for input: then nobody reads the lines.
        with contextlib.suppress(RuntimeError, OSError):
            while data := os.read(self._descriptors.read, _CHUNK):
                self._pass_on(splitter.feed(data))
        with contextlib.suppress(RuntimeError):
            self._pass_on(splitter.close())
            self._queue(None)

    def _pass_on(self, lines: Iterator[bytes | TooLong]) -> None:
        for line in lines:
            self._queue(line)

    def _queue(self, line: bytes | TooLong | None) -> None:
        asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()


def say(text: str) -> None:
    """Tell people something on stderr; a closed stderr is no reason to stop."""
    if sys.stderr is None:  # so it is when the descriptor was closed from the start
        return
    with contextlib.suppress(OSError, ValueError):
        print(f"[doctrove] {_one_line(text)}", file=sys.stderr, flush=True)  # noqa: T201 - the edge


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
