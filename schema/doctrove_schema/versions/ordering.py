"""The order of versions: total and the same everywhere, whatever order they are listed in."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from doctrove_schema.versions.scheme import Scheme, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _typeshed import SupportsRichComparison


def ordered(versions: Sequence[str], scheme: Scheme) -> tuple[str, ...]:
    """Order newest first; labels keep the order given.

    Versions that compare equal (`5.1`, `v5.1.0`, `+b2`) stand in descending order of their text.
    What is not a version of the scheme comes last, in the same order.
    """
    return tuple(versions) if scheme is Scheme.LABEL else _ordered(tuple(versions), scheme)


def is_stable(text: str, scheme: Scheme) -> bool:
    """Tell whether a version is a full release; every label is, and no text that is no version."""
    if scheme is Scheme.LABEL:
        return True
    parsed = parse(text, scheme)
    return parsed is not None and parsed.stable


def latest(versions: Sequence[str], scheme: Scheme) -> str:
    """Give the newest stable version, or the newest of all when none is; for labels the first.

    Raises `ValueError` when there is no version at all.
    """
    if not versions:
        raise ValueError("no versions to choose the latest from")
    return latest_of_ordered(ordered(versions, scheme), scheme)


def latest_of_ordered(newest_first: Sequence[str], scheme: Scheme) -> str:
    """Give what `latest` gives, from one version or more that stand in order already."""
    stable = (version for version in newest_first if is_stable(version, scheme))
    return next(stable, newest_first[0])


def equal_versions(versions: Sequence[str], scheme: Scheme) -> tuple[tuple[str, ...], ...]:
    """Group the names, two or more, that mean one version: `(("v5.1.0", "5.1"),)`.

    Groups and names are ordered newest first. Labels are never equal, nor is a name to itself.
    """
    names = [name for name in ordered(tuple(set(versions)), scheme) if parse(name, scheme)]

    def order(name: str) -> SupportsRichComparison | None:
        parsed = parse(name, scheme)
        return parsed.order if parsed else None

    groups = (tuple(group) for _, group in groupby(names, key=order))
    return tuple(group for group in groups if len(group) > 1)


# A server orders the same few lists for every request.
@lru_cache(maxsize=256)
def _ordered(versions: tuple[str, ...], scheme: Scheme) -> tuple[str, ...]:
    def rank(text: str) -> tuple[bool, SupportsRichComparison, str]:
        parsed = parse(text, scheme)
        return (False, 0, text) if parsed is None else (True, parsed.order, text)

    return tuple(sorted(versions, key=rank, reverse=True))
