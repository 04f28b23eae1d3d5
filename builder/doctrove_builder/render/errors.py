"""What stops the site from being rendered: a template that is wrong or that asks for too much.

RenderError             a file of `_templates/` or of the built-in set, its line, what to do
+-- TemplateInvalid     it cannot be read or compiled
+-- TemplateFailed      it raised while a page was rendered
+-- TemplateRefused     it asked for something that templates may not do
"""

from __future__ import annotations

from doctrove_builder.render.rules import TemplateRule
from doctrove_schema.problem import Problem


class RenderError(Exception):
    """A template is at fault; `str()` gives `source:line: message (hint)`."""

    def __init__(
        self, message: str, *, source: str, line: int | None = None, hint: str = ""
    ) -> None:
        """Keep the place beside the message, so that a reporter can show the line."""
        super().__init__(message, source, line, hint)
        self.message = message
        self.source = source
        self.line = line
        self.hint = hint

    @property
    def problem(self) -> Problem:
        """The fault as a report shows it."""
        return Problem(
            rule=TemplateRule.TEMPLATE_FAULT,
            source=self.source,
            line=self.line,
            message=self.message,
            hint=self.hint,
        )

    def __reduce__(self) -> tuple[object, ...]:
        """Cross process boundaries whole."""
        return _rebuilt, (type(self), self.message, self.source, self.line, self.hint)

    def __str__(self) -> str:
        """Return place, message and hint on one line."""
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{place}: {self.message}" + (f" ({self.hint})" if self.hint else "")


class TemplateInvalid(RenderError):
    """A template that cannot be read or compiled."""


class TemplateFailed(RenderError):
    """A template that raised while a page was rendered."""


class TemplateRefused(RenderError):
    """A template that asked for something that templates may not do."""


def _rebuilt(
    kind: type[RenderError], message: str, source: str, line: int | None, hint: str
) -> RenderError:
    return kind(message, source=source, line=line, hint=hint)
