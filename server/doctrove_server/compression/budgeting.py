"""A budget shared out between the parts of an answer; what one part leaves flows to the others."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Share = Annotated[float, Meta(ge=0, le=1)]


class Allocation(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True
):
    """Shares of a budget, 0 to 1, together at most 1 (seed: "Integration Example")."""

    temporal: Share = 0.5
    key_value: Share = 0.3
    gist: Share = 0.2


class Shares(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens for each part."""

    temporal: int
    key_value: int
    gist: int


def shares(budget: int, allocation: Allocation, *, needs: Shares) -> Shares:
    """Return what each part gets: its share, and of what others do not need, the rest in turn.

    No part gets more than it needs, and all together never more than the budget.
    """
    names = ("temporal", "key_value", "gist")
    wanted = {name: int(getattr(needs, name)) for name in names}
    given = {name: min(wanted[name], int(budget * getattr(allocation, name))) for name in names}
    left = budget - sum(given.values())
    for name, want in wanted.items():
        more = min(left, want - given[name])
        given[name] += more
        left -= more
    return Shares(**given)
