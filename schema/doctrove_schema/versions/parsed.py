"""A version as numbers that compare: the one form that both numbered schemes are read into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A version in the grammar of its scheme."""

    epoch: int = 0
    """Always 0 in semver."""

    release: tuple[int, ...]
    """The numbers as written, trailing zeros included; at least one."""

    stable: bool
    plain: bool
    """Nothing but numbers (and semver build metadata): when asked for, it may be a prefix."""

    order: SupportsRichComparison
    """Compares with the order of any version of the same scheme; equal versions have equal ones."""

    def begins_with(self, prefix: Parsed) -> bool:
        """Tell whether the numbers of `prefix` open this version's, which ends in endless zeros."""
        length = len(prefix.release)
        padded = self.release + (0,) * (length - len(self.release))
        return self.epoch == prefix.epoch and padded[:length] == prefix.release
