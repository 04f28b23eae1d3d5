"""docutils' state machine with tables of directives and roles of its own.

Nothing is registered for the whole process, and what docutils would take from the disk or the
clock is not there.
"""

from __future__ import annotations

from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING

from docutils.parsers.rst import directives, states

from doctrove_builder.importing.restructured.roles import interpreted

if TYPE_CHECKING:
    from docutils import nodes

    from doctrove_builder.importing.restructured.marks import Loose
    from doctrove_builder.importing.restructured.session import Session

REFUSED = frozenset(
    [
        "contents",
        "date",
        "default-role",
        "footer",
        "header",
        "include",
        "meta",
        "raw",
        "restructuredtext-test-directive",
        "role",
        "sectnum",
        "target-notes",
        "title",
    ]
)
"""Directives of docutils that read files, ask the clock, change the process or are decoration."""


def own_inliner(session: Session) -> Loose:
    """Return docutils' reader of inline markup, its roles looked up in the session.

    It is no subclass: docutils looks for the parts of its patterns in the class itself.
    """

    def roles(_raw: str, text: str, role: str, line: int) -> tuple[list[nodes.Node], list[Loose]]:
        return interpreted(session, text, role, line), []

    inliner: Loose = states.Inliner()
    inliner.interpreted = roles
    return inliner


class _Own:
    """What every state of ours does differently; mixed into docutils' state classes."""

    classes: tuple[type, ...]
    nested_sm_cache: list[Loose] = []  # noqa: RUF012 - docutils' own shape, cleared with the session

    def __init__(self, state_machine: Loose, debug: bool = False) -> None:
        super().__init__(state_machine, debug)  # type: ignore[call-arg]  # the state that it is mixed into
        self.nested_sm_kwargs = {"state_classes": self.classes, "initial_state": "Body"}

    @property
    def session(self) -> Session:
        """What this reading knows: it travels with the document."""
        state: Loose = self
        session: Session = state.document.session
        return session

    def directive(self, match: Loose, **option_presets: Loose) -> Loose:
        """Run a directive of the session's table, of docutils, or the one for unknown ones."""
        state: Loose = self
        name = match.group(1).lower()
        found: Loose = self.session.directives.get(name)
        if found is None and name not in REFUSED:
            found, _ = directives.directive(name, state.memo.language, state.document)
        if found is None:
            found = self.session.unknown_directive
        return state.run_directive(found, match, name, option_presets)

    def new_subsection(self, title: str, lineno: int, messages: Loose) -> None:
        """Note where a section's title stands."""
        super().new_subsection(title, lineno, messages)  # type: ignore[misc]  # the state that it is mixed into
        state: Loose = self
        source, line = state.state_machine.get_source_and_line(lineno)
        parent: nodes.Element = state.parent
        parent["place"] = (source or "", line or lineno)


@lru_cache(maxsize=1)
def own_classes() -> tuple[type, ...]:
    """Return docutils' state classes, each with our own behaviour."""
    shared: dict[str, Loose] = {"nested_sm_cache": [], "explicit": _explicit()}
    made: tuple[Loose, ...] = tuple(
        type(base.__name__, (_Own, base), dict(shared)) for base in states.state_classes
    )
    for one in made:
        one.classes = made
    return made


def _explicit() -> Loose:
    """Return docutils' table of explicit markup, which holds its functions, with our directive."""
    body: Loose = states.Body
    explicit: Loose = copy(body.explicit)
    explicit.constructs = [
        (_Own.directive if function is body.directive else function, pattern)
        for function, pattern in explicit.constructs
    ]
    return explicit
