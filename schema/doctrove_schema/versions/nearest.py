"""Which listed versions to offer to someone who asked for one that is not there."""

from __future__ import annotations

import re
from difflib import get_close_matches
from itertools import takewhile

from doctrove_schema.versions.ordering import is_stable, ordered
from doctrove_schema.versions.scheme import MAX_LENGTH, Scheme, parse

_OFFERED = 8
_COMPARED_LABELS = 200
_NUMBERS = re.compile(r"(?:[0-9]+!)?[0-9]+(?:\.[0-9]+)*")


def nearest(requested: str, versions: tuple[str, ...], scheme: Scheme) -> tuple[str, ...]:
    """Give up to eight versions, best first: those that share most of the leading numbers.

    Among these the ones whose first other number is closest, then the stable ones, then the newest.
    Of a request that is no version (`^5.1`, `5.x.x`) the first numbers in it count. Labels: the
    most alike, then the first ones.
    """
    if scheme is Scheme.LABEL:
        return _alike(requested, versions)
    newest_first = ordered(tuple(set(versions)), scheme)
    wanted = _numbers(requested, scheme)

    def distance(version: str) -> tuple[int, int, bool]:
        shared, off = _distance(wanted, _numbers(version, scheme))
        return (shared, off, not is_stable(version, scheme))

    return tuple(sorted(newest_first, key=distance)[:_OFFERED])


def _numbers(text: str, scheme: Scheme) -> tuple[int, ...]:
    """Epoch and release numbers of the version, or of the first one that stands in the text."""
    parsed = parse(text, scheme)
    if parsed is None:
        match = _NUMBERS.search(text[:MAX_LENGTH])
        parsed = parse(match[0], scheme) if match else None
    return (parsed.epoch, *parsed.release) if parsed else ()


def _distance(wanted: tuple[int, ...], numbers: tuple[int, ...]) -> tuple[int, int]:
    """Less is nearer: how few leading numbers are shared, then how far the next one is off."""
    pairs = list(zip(wanted, numbers, strict=False))
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if shared == len(pairs):
        return (-shared, 0)
    ours, theirs = pairs[shared]
    return (-shared, abs(ours - theirs))


def _alike(requested: str, versions: tuple[str, ...]) -> tuple[str, ...]:
    word = requested[:MAX_LENGTH].casefold()
    folded = {name: name[:MAX_LENGTH].casefold() for name in versions[:_COMPARED_LABELS]}
    matches = get_close_matches(word, set(folded.values()), n=_OFFERED)
    close = [name for match in matches for name in folded if folded[name] == match]
    return tuple(dict.fromkeys((*close, *versions)))[:_OFFERED]
