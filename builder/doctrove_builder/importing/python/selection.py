"""Which members of an object a page shows, by the options that mkdocstrings has for Python.

https://mkdocstrings.github.io/python/usage/configuration/members/
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

MAX_NAME = 120
"""Characters of a name that filters look at."""

_UNBOUNDED = re.compile(r"(?:[*+]|\{\d*,\d*\})")
_MAX_UNBOUNDED = 2
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")
_MAX_PATTERN = 200


class Filter(NamedTuple):
    """A pattern of names, kept or, with `!` before it, left out."""

    pattern: re.Pattern[str]
    excludes: bool


Filters: TypeAlias = tuple[Filter, ...] | Literal["public"]
"""`public`: what the code says is public."""

DEFAULT_FILTERS = (Filter(re.compile(r"^_[^_]"), True),)


def filter_of(text: str) -> Filter | None:
    """Return what a filter says; None for one that cannot be read or could take for ever.

    A name decides the time that a pattern takes, and both come from the source: a group that is
    repeated without end, a reference back and more than two such repetitions are refused.
    """
    excludes = text.startswith("!")
    pattern = text[1:] if excludes else text
    bare = _CLASS.sub("x", re.sub(r"\\[^0-9]", "x", pattern))
    if (
        len(pattern) > _MAX_PATTERN
        or re.search(r"\\[0-9]|\(\?P=|\)(?:[*+]|\{)", bare)
        or len(_UNBOUNDED.findall(bare)) > _MAX_UNBOUNDED
    ):
        return None
    try:
        return Filter(re.compile(pattern), excludes)
    except (re.error, OverflowError, RecursionError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is asked for of the members of one object and of those below them."""

    members: bool | tuple[str, ...] | None = None
    """All, none, those that are named, in their order; None: what filters and docstrings say."""

    inherited: bool | tuple[str, ...] = False
    """Whether members of the bases are there too, or which."""

    filters: Filters = DEFAULT_FILTERS
    undocumented: bool = False
    """Whether members without documentation are shown (`show_if_no_docstring`)."""

    def below(self) -> Selection:
        """Return what holds for the members of members: they are never named."""
        return replace(self, members=None)

    @property
    def names(self) -> tuple[str, ...]:
        """The members that are named, in their order."""
        return self.members if isinstance(self.members, tuple) else ()

    def wants(self, name: str, *, inherited: bool = False, public: bool = True) -> bool:
        """Say whether a member is shown if it is documented; `public` is what the code says."""
        if inherited and not (self.inherited is True or self._asks_for_inherited(name)):
            return False
        if self.members is None:
            if self.filters == "public":
                return public
            named = inherited and self._asks_for_inherited(name)
            return named or _is_kept(name, self.filters)
        if isinstance(self.members, bool) or not self.members:
            return inherited or bool(self.members)
        return name in self.members

    def wants_bare(self, name: str, *, inherited: bool = False) -> bool:
        """Say whether a member that is wanted is shown without documentation too."""
        named = inherited and self._asks_for_inherited(name)
        return self.undocumented or self.members is not None or named

    def _asks_for_inherited(self, name: str) -> bool:
        return isinstance(self.inherited, tuple) and name in self.inherited


def _is_kept(name: str, filters: tuple[Filter, ...]) -> bool:
    """Say what the last filter that fits a name decides; without one, whether any leaves out."""
    kept = not filters or any(one.excludes for one in filters)
    for one in filters:
        if one.pattern.search(name[:MAX_NAME]):
            kept = not one.excludes
    return kept
