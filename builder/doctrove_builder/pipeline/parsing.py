"""Parse pages, or take them over from the cache when neither they nor the parser changed."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.markdown.rules import MarkdownRule
from doctrove_builder.model import PageSource
from doctrove_builder.pipeline.workers import in_chunks
from doctrove_builder.rules import BuildRule
from doctrove_schema.problem import Problem, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor

    from doctrove_builder.authoring.pages import PageRequest, Parsed, ParseOne
    from doctrove_builder.cache import Cache
    from doctrove_builder.pipeline.progress import Progress

ROOM = "page"
_RULES: dict[str, Rule] = {
    rule.value: rule for rules in (BuildRule, MarkdownRule) for rule in rules
}


class _StoredProblem(msgspec.Struct, frozen=True, array_like=True):
    rule: str
    severity: Severity
    source: str
    line: int | None
    column: int | None
    message: str
    hint: str


class _Stored(msgspec.Struct, frozen=True, array_like=True):
    page: PageSource
    problems: tuple[_StoredProblem, ...]


class CachedParsing:
    """Stands in for `map` when an authoring tree's pages are parsed; counts what it took over."""

    def __init__(
        self, *, cache: Cache, executor: Executor | None, progress: Progress, version: str
    ) -> None:
        """`version` names the parser: pages that another one parsed are parsed anew."""
        self.parsed = 0
        self.reused = 0
        self._cache = cache
        self._executor = executor
        self._progress = progress
        self._version = version.encode()

    def __call__(self, parse_one: ParseOne, requests: Iterable[PageRequest]) -> Iterable[Parsed]:
        """Return the pages in the order of their requests."""
        listed = list(requests)
        keys = [self._key(request) for request in listed]
        known = self._cache.get(ROOM, keys)
        found = {key: page for key in known if (page := _unpacked(known[key])) is not None}
        missing = {
            key: request for key, request in zip(keys, listed, strict=True) if key not in found
        }
        self.reused += len(listed) - len(missing)
        self.parsed += len(missing)
        self._progress.step("parse pages", len(missing))
        fresh = dict(zip(missing, self._parse(parse_one, list(missing.values())), strict=True))
        self._cache.put(ROOM, {key: _packed(page) for key, page in fresh.items()})
        found |= fresh
        return [found[key] for key in keys]

    def _parse(self, parse_one: ParseOne, requests: Sequence[PageRequest]) -> Iterator[Parsed]:
        function = partial(_parse_all, parse_one)
        for chunk in in_chunks(
            function, requests, executor=self._executor, tick=lambda: self._progress.advance(0)
        ):
            self._progress.advance(len(chunk))
            yield from chunk

    def _key(self, request: PageRequest) -> str:
        return sha256(self._version + msgspec.msgpack.encode(request)).hexdigest()


def _parse_all(parse_one: ParseOne, requests: Sequence[PageRequest]) -> Sequence[Parsed]:
    return [parse_one(request) for request in requests]


def _packed(parsed: Parsed) -> bytes:
    page, problems = parsed
    stored = tuple(
        _StoredProblem(str(p.rule.value), p.severity, p.source, p.line, p.column, p.message, p.hint)
        for p in problems
    )
    return msgspec.msgpack.encode(_Stored(page, stored))


def _unpacked(data: bytes) -> Parsed | None:
    """Read a stored page; None when it is damaged or names a rule that there is no more."""
    try:
        stored = msgspec.msgpack.decode(data, type=_Stored)
        return stored.page, tuple(
            Problem(
                rule=_RULES[p.rule],
                severity=p.severity,
                source=p.source,
                line=p.line,
                column=p.column,
                message=p.message,
                hint=p.hint,
            )
            for p in stored.problems
        )
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError):
        return None
