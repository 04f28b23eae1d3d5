"""The Markdown parsers: one for whole pages, one for section bodies, made once in a process.

CommonMark with GitHub's tables, strikethrough, task lists, footnotes and alerts; definition lists;
admonitions and tabs of MkDocs, VitePress and Docusaurus; math between dollars kept as text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.rules_inline import autolink, html_inline, image, link
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from doctrove_builder.markdown.containers import containers
from doctrove_builder.markdown.explicit_ids import explicit_ids
from doctrove_builder.markdown.indented import indented_blocks
from doctrove_builder.markdown.limits import NESTING_LIMIT, TEXT_LIMIT
from doctrove_builder.markdown.math import math

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline

    InlineRule = Callable[[StateInline, bool], bool]


class Parser(MarkdownIt):
    """markdown-it that leaves addresses as their authors wrote them, the unsafe ones included.

    They are judged by `doctrove_builder.markdown.addresses`, so that an author hears of them.
    """

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - markdown-it's name
        """Return the address as it is."""
        return url

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802 - markdown-it's name and signature
        """Accept every address."""
        return True


@lru_cache(maxsize=1)
def page_parser() -> Parser:
    """Return the parser of pages: link definitions are tokens, footnotes stay where they stand."""
    return _parser(whole_page=True)


@lru_cache(maxsize=1)
def body_parser() -> Parser:
    """Return the parser of section bodies: footnotes that are used stand at the end."""
    return _parser(whole_page=False)


def _parser(*, whole_page: bool) -> Parser:
    parser = Parser(
        "commonmark",
        {
            "maxNesting": NESTING_LIMIT,
            "alerts": True,
            "tasklists": True,
            "store_labels": True,
            "inline_definitions": whole_page,
        },
    )
    parser.enable(["table", "strikethrough"])
    parser.use(footnote_plugin, inline=False, move_to_end=not whole_page)
    parser.use(deflist_plugin)
    for plugin in (containers, indented_blocks, math, explicit_ids, _bounded_texts):
        parser.use(plugin)
    for name, rule in _PLACED.items():
        parser.inline.ruler.at(name, _placed(rule))
    return parser


def _bounded_texts(md: MarkdownIt) -> None:
    """Leave a text that is too long for inline markup as it is, noted as `meta["too_long"]`."""

    def bound(state: StateCore) -> None:
        for token in state.tokens:
            if token.type == "inline" and len(token.content) > TEXT_LIMIT:
                token.children = [Token("text", "", 0, content=token.content)]
                token.content = ""
                token.meta["too_long"] = True

    md.core.ruler.before("inline", "bounded_texts", bound)


_PLACED: dict[str, InlineRule] = {
    "link": link,
    "image": image,
    "autolink": autolink,
    "html_inline": html_inline,
}


def _placed(rule: InlineRule) -> InlineRule:
    """Make a rule note in `meta["at"]` of its token where in the inline text it matched."""

    def placed(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        pending = bool(state.pending)
        if not rule(state, silent):
            return False
        if not silent:
            state.tokens[before + pending].meta["at"] = start
        return True

    return placed
