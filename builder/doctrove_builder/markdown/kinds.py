"""The words that name an admonition for GitHub, MkDocs, VitePress and Docusaurus."""

from __future__ import annotations

DETAILS = "details"
CODE_GROUP = "code-group"

_STYLES = {
    "note": "note abstract summary tldr seealso todo",
    "info": "info",
    "tip": "tip hint",
    "important": "important",
    "success": "success check done",
    "question": "question help faq",
    "warning": "warning attention",
    "caution": "caution",
    "danger": "danger error failure fail missing bug",
    "example": "example",
    "quote": "quote cite",
}

STYLE_OF = {word: style for style, words in _STYLES.items() for word in words.split()}
"""By word as an author writes it (lower case): the class that the site has a look for."""

CONTAINERS = frozenset(STYLE_OF) | {DETAILS, CODE_GROUP}
"""Words after `:::` that begin a container; anything else there is text."""


def style_of(word: str) -> str:
    """Return the class of an admonition; `note` for a word that is not known."""
    return STYLE_OF.get(word.lower(), "note")


def title_of(word: str) -> str:
    """Return the title of an admonition without one of its own."""
    return word[:1].upper() + word[1:].lower()
