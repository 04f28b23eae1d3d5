"""Versions of one library: what may be one, which two are the same, what `versions:` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.authoring.fault import fault
from doctrove_builder.authoring.pages import RESERVED
from doctrove_builder.authoring.quoting import shown
from doctrove_builder.rules import BuildRule
from doctrove_schema.names import fold, name_fault, nearest
from doctrove_schema.versions import Scheme, equal_versions, is_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from doctrove_builder.authoring.marked import MarkedMapping
    from doctrove_builder.authoring.volume import VolumePlan
    from doctrove_schema.problem import Problem

_EXAMPLES = {
    Scheme.SEMVER: "a version of this scheme looks like `5.1.0`",
    Scheme.PEP440: "a version of this scheme looks like `5.1.0` or `5.1rc1`",
    Scheme.LABEL: "write one line of at most 128 letters",
}


def fit_volumes(
    plans: Iterable[VolumePlan], *, scheme: Scheme
) -> tuple[tuple[VolumePlan, ...], tuple[Problem, ...]]:
    """Return the volumes whose versions can stand, each version once."""
    fit: dict[str, VolumePlan] = {}
    problems: list[Problem] = []
    for plan in plans:
        if problem := _version_problem(plan, scheme):
            problems.append(problem)
        elif other := fit.get(fold(plan.version)):
            problems.append(_version_taken(plan, other))
        else:
            fit[fold(plan.version)] = plan
    problems += _equal(tuple(fit.values()), scheme)
    return tuple(fit.values()), tuple(problems)


def declared_problems(
    settings: MarkedMapping, *, source: str, there: Sequence[str], fit: Sequence[str]
) -> tuple[Problem, ...]:
    """Hold `versions:` of library.yaml against the versions that are there.

    Only those that are `fit` to be versions need to be named.
    """
    declared = settings.texts("versions")
    if "versions" not in settings:
        is_label = settings.text("version_scheme") == Scheme.LABEL.value
        return _required(source) if is_label else ()
    if not declared:  # not a list of texts: the schema has said so
        return ()
    names = [version for version, _ in declared]
    problems = [
        fault(
            BuildRule.VERSIONS_DISAGREE,
            f"`versions` names {shown(version)}, and there is no such volume",
            source=source,
            at=at,
            hint=_absent_hint(version, there),
        )
        for version, at in declared
        if version not in there
    ]
    problems += [
        fault(
            BuildRule.VERSIONS_DISAGREE,
            f"the volume {shown(version)} is there, and `versions` does not name it",
            source=source,
            at=settings.place("versions"),
            hint=f"add `{version}` to the list in its place, newest first",
        )
        for version in fit
        if version not in names
    ]
    return tuple(problems)


def _version_problem(plan: VolumePlan, scheme: Scheme) -> Problem | None:
    version = plan.version
    reason = name_fault(version)
    if not reason and version.lower() == "latest":
        reason = "is reserved for the newest version"
    if not reason and version.lower() == "_changes":
        reason = "is the name of a folder that each library has"
    if not reason and version.lower() in RESERVED:
        reason = "is the name of a file that each library has"
    if reason:
        message = f"{shown(version)} cannot be a version's name: it {reason}"
        hint = "rename it, or write `version:`"
        return fault(
            BuildRule.VERSION_NAME, message, source=plan.file, at=plan.version_at, hint=hint
        )
    if is_version(version, scheme):
        return None
    others = [s.value for s in Scheme if is_version(version, s)]
    other = f"; with `version_scheme: {others[0]}` in library.yaml it is one" if others else ""
    return fault(
        BuildRule.INVALID_VERSION,
        f"{shown(version)} is not a version of the scheme {scheme.value}",
        source=plan.file,
        at=plan.version_at,
        hint=f"{_EXAMPLES[scheme]}{other}",
    )


def _version_taken(plan: VolumePlan, other: VolumePlan) -> Problem:
    same = "" if plan.version == other.version else f", but for letter case `{other.version}`"
    return fault(
        BuildRule.VERSION_TAKEN,
        f"the version {shown(plan.version)} stands here again{same}; `{other.file}` has it",
        source=plan.file,
        at=plan.version_at,
        hint="remove one of them, or give it another version",
    )


def _equal(plans: Sequence[VolumePlan], scheme: Scheme) -> list[Problem]:
    by_version = {plan.version: plan for plan in plans}
    problems: list[Problem] = []
    for first, *others in equal_versions(tuple(by_version), scheme):
        for version in others:
            plan = by_version[version]
            problems.append(
                fault(
                    BuildRule.EQUAL_VERSIONS,
                    f"{shown(version)} and {shown(first)} are the same version, written twice",
                    source=plan.file,
                    at=plan.version_at,
                    hint="keep one of them; until then their order is that of their texts",
                    warning=True,
                )
            )
    return problems


def _required(source: str) -> tuple[Problem, ...]:
    return (
        fault(
            BuildRule.VERSIONS_REQUIRED,
            "`version_scheme` is `label`, and there is no `versions` list",
            source=source,
            hint="add `versions: [...]`, newest first: labels have no order of their own",
        ),
    )


def _absent_hint(version: str, there: Sequence[str]) -> str:
    meant = nearest(version, there)
    near = f"do you mean `{meant}`? " if meant else ""
    return f"{near}Add the folder `{version}` or the file `{version}.yaml`, or remove it here"
