"""Anchors as the generators of documentation sites make them from headings.

MkDocs: Python-Markdown's `toc.slugify`. VitePress: `@mdit-vue/shared`'s `slugify`. Sphinx and MyST:
docutils' `make_id`. Docusaurus, Fumadocs, Nextra and GitHub: github-slugger.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable

from doctrove_schema.sections import slug as github_slug

_MARKUP = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|<[^<>]+>|[`]|(?<!\w)[*_]{1,3}|[*_]{1,3}(?!\w)")
_VITE_COMBINING = re.compile("[\u0300-\u036f]")
_VITE_SPECIAL = re.compile(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'\u201c\u201d\u2018\u2019<>,.?/]+")


def plain_text(markdown: str) -> str:
    """Return a heading's text without its inline markup."""
    text = _MARKUP.sub(lambda found: found[1] or "", markdown)
    return html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)).strip()


def mkdocs_slug(text: str) -> str:
    """Return Python-Markdown's anchor."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    bare = re.sub(r"[^\w\s-]", "", ascii_text).strip().lower()
    return re.sub(r"[-\s]+", "-", bare)


def vitepress_slug(text: str) -> str:
    """Return VitePress's anchor."""
    bare = _VITE_COMBINING.sub("", unicodedata.normalize("NFKD", text))
    bare = _VITE_SPECIAL.sub("-", bare)
    bare = re.sub(r"-{2,}", "-", bare).strip("-")
    return re.sub(r"^(\d)", r"_\1", bare).lower()


def sphinx_slug(text: str) -> str:
    """Return docutils' id."""
    ascii_text = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    bare = re.sub(r"[^a-z0-9]+", "-", " ".join(ascii_text.split()))
    return re.sub(r"^[-0-9]+|-+$", "", bare)


Slug = Callable[[str], str]

STYLES: dict[str, tuple[Slug, str]] = {
    "github": (github_slug, "-"),
    "mkdocs": (mkdocs_slug, "_"),
    "vitepress": (vitepress_slug, "-"),
    "sphinx": (sphinx_slug, "-"),
}
"""By style: how a heading becomes an anchor, and what joins the number of a repeated one."""


class Anchors:
    """Gives the headings of one page their anchors, in order."""

    def __init__(self, style: str) -> None:
        """Begin a page."""
        self._slug, self._joint = STYLES[style]
        self.taken: set[str] = set()
        self._repeats: dict[str, int] = {}

    def claim(self, text: str, *, explicit: str = "") -> str:
        """Return the anchor of a heading; letters that no `{#id}` can hold are hyphens."""
        wanted = explicit or self._slug(plain_text(text)) or "section"
        wanted = re.sub(r"[^\w.-]", "-", wanted) or "section"
        free, number = wanted, self._repeats.get(wanted, 0)
        while free in self.taken:
            number += 1
            free = f"{wanted}{self._joint}{number}"
        self._repeats[wanted] = number
        self.taken.add(free)
        return free
