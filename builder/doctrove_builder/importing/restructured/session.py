"""What one reading of reStructuredText knows and collects: files, defaults, what was left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docutils.parsers.rst import Directive

ReadFile = Callable[[str], str | None]
"""Returns the text of a file by its path in the source; None when it is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a project's configuration says, as far as it is data."""

    default_role: str = ""
    highlight: str = "default"
    """Language of literal blocks without one."""

    prolog: str = ""
    epilog: str = ""
    links: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Roles of `sphinx.ext.extlinks`: address and caption, `%s` in each."""


@dataclass(slots=True, kw_only=True)
class Session:
    """The state of reading one document; the directives change it as the text goes on."""

    file: str
    read_file: ReadFile
    setting: Setting
    directives: Mapping[str, type[Directive]]
    unknown_directive: type[Directive]
    highlight: str = "default"
    module: str = ""
    """Set by `module` and `currentmodule`; objects are named within it."""

    classes: tuple[str, ...] = ()
    """Of the object descriptions that are open, outermost first."""

    custom_roles: set[str] = field(default_factory=set[str])
    inserted: list[str] = field(default_factory=list[str])
    """Files whose text stands in place of `include`."""

    within: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """By an included file: those that it stands in, and itself."""

    notes: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])
    """Kind, line and message of what was left out."""

    entries: list[str] = field(default_factory=list[str])
    """Documents that toctrees name, in order; globs as written."""

    def note(self, kind: str, line: int, message: str) -> None:
        """Record something that was left out."""
        self.notes.append((kind, line, message))
