"""`--only`: which problems count, and the published index that the chosen volumes join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.authoring.quoting import shown
from doctrove_builder.pipeline.errors import ChoiceRefused
from doctrove_builder.pipeline.machine import INDEX
from doctrove_schema.errors import InvalidIndex
from doctrove_schema.names import nearest
from doctrove_schema.reading import read_index

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from doctrove_builder.assemble.only import Choice
    from doctrove_builder.model import Library
    from doctrove_schema.model import Index
    from doctrove_schema.problem import Problem


def check_choices(choices: Iterable[Choice], libraries: Iterable[Library]) -> None:
    """Raise `ChoiceRefused` for a library or version that the authoring tree does not have."""
    versions = {library.id: [v.version for v in library.volumes] for library in libraries}
    for choice in choices:
        if choice.library not in versions:
            raise _unknown(f"library {shown(choice.library)}", choice.library, versions)
        known = versions[choice.library]
        if choice.version and choice.version not in known:
            what = f"version {shown(choice.version)} of {shown(choice.library)}"
            raise _unknown(what, choice.version, known)


def chosen_problems(
    problems: Iterable[Problem], choices: Iterable[Choice], libraries: Iterable[Library]
) -> tuple[Problem, ...]:
    """Leave out the problems of libraries that are not chosen."""
    chosen = {choice.library for choice in choices}
    others = tuple(f"{library.folder}/" for library in libraries if library.id not in chosen)
    return tuple(p for p in problems if not f"{p.source}/".startswith(others))


def published_index(dest: Path) -> Index:
    """Read the index of the tree at `dest`; raises `ChoiceRefused` when there is none."""
    file = dest / INDEX
    try:
        return read_index(file.read_bytes(), name=str(file)).index
    except OSError as error:
        raise ChoiceRefused(
            f"--only joins what is published, but {file} cannot be read: {error.strerror}",
            hint="build everything once, without --only",
        ) from error
    except InvalidIndex as error:
        raise ChoiceRefused(str(error), hint="build everything once, without --only") from error


def _unknown(what: str, wanted: str, known: Iterable[str]) -> ChoiceRefused:
    listed = list(known)
    near = nearest(wanted, listed)
    hint = f"do you mean {shown(near)}?" if near else f"there are: {', '.join(listed[:8])}"
    return ChoiceRefused(f"--only names the {what}, which is not there", hint=hint)
