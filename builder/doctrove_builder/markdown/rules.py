"""What a Markdown page can get wrong: each rule stands in problems.md."""

from __future__ import annotations

from doctrove_schema.problem import Rule


class MarkdownRule(Rule):
    """A rule of Markdown pages and bodies."""

    DUPLICATE_ID = "duplicate-heading-id"
    EMPTY_PAGE = "empty-page"
    EXTERNAL_PICTURE = "external-picture"
    NESTED_TOO_DEEP = "nested-too-deep"
    PAGE_TOO_LARGE = "page-too-large"
    RAW_HTML = "raw-html-removed"
    REPEATED_SLUG = "repeated-slug"
    UNCLOSED_CONTAINER = "unclosed-container"
    UNCLOSED_FENCE = "unclosed-code-fence"
    UNCLOSED_FRONT_MATTER = "unclosed-front-matter"
    UNSAFE_LINK = "unsafe-link"
