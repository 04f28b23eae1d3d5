"""The base of our directives: any option is taken as text, content is parsed where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_builder.importing.restructured.session import Session


def _text(value: str | None) -> str:
    return value or ""


class AnyOption(dict[str, "Callable[[str | None], Any]"]):
    """An option table that takes every option: an unknown one is no reason to lose the content."""

    def __init__(self) -> None:
        super().__init__(name=_text)

    def __missing__(self, key: str) -> Callable[[str | None], Any]:
        return _text


class Own(Directive):
    """A directive that takes whatever is written."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[Any] = AnyOption()

    @property
    def session(self) -> Session:
        """What this reading knows."""
        state: Any = self.state
        session: Session = state.session
        return session

    @property
    def argument(self) -> str:
        """All that stands after the directive's name."""
        return self.arguments[0].strip() if self.arguments else ""

    def option(self, name: str) -> str:
        """Return an option's text; empty when it is not given."""
        given = self.options.get(name)
        return given.strip() if isinstance(given, str) else ""

    def place(self) -> tuple[str, int]:
        """Return the file and the line of the directive."""
        machine: Any = self.state_machine
        source, line = machine.get_source_and_line(self.lineno)
        return source or self.session.file, line or self.lineno

    def parsed(self) -> list[nodes.Node]:
        """Parse the content; headings in it become bold text."""
        holder = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, holder)
        return list(holder.children)

    def inline(self, text: str) -> list[nodes.Node]:
        """Parse inline markup."""
        state: Any = self.state
        parsed, _ = state.inline_text(text, self.lineno)
        return list(parsed)

    def text(self) -> str:
        """Return the content as it is written."""
        return "\n".join(self.content)

    def dropped(self, why: str) -> list[nodes.Node]:
        """Leave the directive out and say so."""
        self.session.note("directive-dropped", self.place()[1], f"`{self.name}`: {why}")
        return []


def code_block(text: str, language: str, *, title: str = "") -> nodes.Node:
    """Return a block of code; its title is kept beside it."""
    block = nodes.literal_block(text, text)
    block["language"], block["title"] = language, title
    return block
