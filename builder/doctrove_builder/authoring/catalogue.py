"""Libraries beside each other: ids and aliases that two of them claim, successors that are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.authoring.fault import fault
from doctrove_builder.authoring.quoting import shown
from doctrove_builder.rules import BuildRule
from doctrove_schema.names import fold, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from doctrove_builder.authoring.library import LibraryPlan
    from doctrove_schema.problem import Problem


def distinct(
    plans: Iterable[LibraryPlan],
) -> tuple[tuple[LibraryPlan, ...], tuple[Problem, ...]]:
    """Return each library once, by its id, and what they claim from each other."""
    by_id: dict[str, LibraryPlan] = {}
    problems: list[Problem] = []
    for plan in plans:
        other = by_id.setdefault(fold(plan.id), plan)
        if other is not plan:
            problems.append(_id_taken(plan, other))
    problems += _aliases_taken(by_id)
    problems += _successors_unknown(by_id)
    return tuple(sorted(by_id.values(), key=lambda plan: plan.id)), tuple(problems)


def _id_taken(plan: LibraryPlan, other: LibraryPlan) -> Problem:
    same = "" if plan.id == other.id else f", but for letter case `{other.id}`"
    return fault(
        BuildRule.LIBRARY_ID_TAKEN,
        f"the id {shown(plan.id)} stands here again{same}; `{other.file}` has it",
        source=plan.file,
        at=plan.id_at,
        hint="give one of them another `id:`",
    )


def _aliases_taken(by_id: Mapping[str, LibraryPlan]) -> Iterator[Problem]:
    claimed: dict[str, LibraryPlan] = {}
    for plan in by_id.values():
        for alias, at in plan.settings.texts("aliases"):
            owner = by_id.get(fold(alias))
            other = claimed.setdefault(fold(alias), plan)
            if owner is plan:
                continue
            if owner is not None:
                message = f"the alias {shown(alias)} is the id of another library"
                whose, warning = owner.file, False
            elif other is not plan:
                message = f"the alias {shown(alias)} is another library's alias too"
                whose, warning = other.file, True
            else:
                continue
            yield fault(
                BuildRule.ALIAS_TAKEN,
                f"{message}; `{whose}` has it",
                source=plan.file,
                at=at,
                hint="remove it from one of them",
                warning=warning,
            )


def _successors_unknown(by_id: Mapping[str, LibraryPlan]) -> Iterator[Problem]:
    ids = [plan.id for plan in by_id.values()]
    for plan in by_id.values():
        successor = plan.settings.text("superseded_by")
        if not successor or (successor in ids and successor != plan.id):
            continue
        if successor == plan.id:
            message = f"`superseded_by` names the library itself, {shown(successor)}"
        else:
            message = f"`superseded_by` names {shown(successor)}, and no library here has that id"
        meant = nearest(successor, [known for known in ids if known != plan.id])
        yield fault(
            BuildRule.SUPERSEDED_BY_UNKNOWN,
            message,
            source=plan.file,
            at=plan.settings.place("superseded_by"),
            hint=f"do you mean `{meant}`?" if meant else "write the id of a library of this tree",
            warning=True,
        )
