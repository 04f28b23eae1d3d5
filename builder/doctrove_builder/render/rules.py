"""What a project's templates can get wrong; `problems.md` explains the rule."""

from __future__ import annotations

from doctrove_schema.problem import Rule


class TemplateRule(Rule):
    """A rule of `_templates/`."""

    TEMPLATE_FAULT = "template-fault"
