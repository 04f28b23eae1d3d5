"""Which generator a source was written for, and where its pages are."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.markdown.generators import (
    docusaurus_site,
    joined,
    mdbook_site,
    mkdocs_site,
    settings_text,
    sphinx_site,
    vitepress_site,
    zensical_site,
)
from doctrove_builder.importing.markdown.includes import MARKDOWN
from doctrove_builder.importing.markdown.site import Site

if TYPE_CHECKING:
    from doctrove_builder.importing.source_tree import SourceTree

DOCS_NAMES = ("docs", "doc", "documentation", "content", "guide", "guides", "wiki", "manual")
NOT_DOCS = frozenset(
    {
        *("__tests__", "benchmarks", "e2e", "examples", "fixtures", "node_modules", "test"),
        *("testdata", "tests", "templates", "vendor", ".github", "dist", "build", "playground"),
    }
)
MAX_DEPTH = 5
"""Of a generator's settings below the source."""

_VITEPRESS = re.compile(r"(?:^|/)\.vitepress/config(?:/index)?\.\w+$")
_VUEPRESS = re.compile(r"(?:^|/)\.vuepress/config\.\w+$")
_DOCUSAURUS = re.compile(r"(?:^|/)docusaurus\.config\.\w+$")
_ASTRO = re.compile(r"(?:^|/)astro\.config\.\w+$")


def find_site(tree: SourceTree, *, docs: str) -> Site:
    """Recognise the site; `docs` names the folder of its pages when the user knows better."""
    site = _recognised(tree, docs.strip("/"))
    if docs:
        site = msgspec.structs.replace(site, docs=docs.strip("/"))
        if not any(path.lower().endswith(MARKDOWN) for path in tree.under(site.docs)):
            raise NothingImported(f"the folder {docs} of {tree.name} holds no Markdown")
    return site


def _recognised(tree: SourceTree, docs: str) -> Site:  # noqa: PLR0911 - one a dialect
    shallow = [path for path in tree.paths if path.count("/") <= MAX_DEPTH]
    near = [path for path in shallow if not _is_aside(path)]
    near.sort(key=lambda path: (_distance(path, docs), path.count("/"), "/en/" not in path, path))
    for path in near:
        name = posixpath.basename(path)
        folder = posixpath.dirname(path)
        if name in {"mkdocs.yml", "mkdocs.yaml"}:
            return mkdocs_site(tree, path, folder)
        if name == "zensical.toml":
            return zensical_site(tree, path, folder)
        if _VITEPRESS.search(path) or _VUEPRESS.search(path):
            return vitepress_site(tree, path)
        if _DOCUSAURUS.search(path):
            return docusaurus_site(tree, path, folder)
        if name == "book.toml":
            return mdbook_site(tree, path, folder)
        if name == "conf.py" and _has_index(tree, folder):
            return sphinx_site(tree, path, folder)
        if _ASTRO.search(path) and tree.under(joined(folder, "src/content/docs")):
            return Site(
                generator="starlight",
                docs=joined(folder, "src/content/docs"),
                config=path,
                text=settings_text(tree, path),
            )
    return Site(generator=_plain_generator(tree), docs=_docs_folder(tree))


def _plain_generator(tree: SourceTree) -> str:
    names = {posixpath.basename(path) for path in tree.paths}
    if "_Sidebar.md" in names or "Home.md" in names:
        return "wiki"
    if names & {"_meta.json", "_meta.js", "_meta.ts", "meta.json"}:
        return "fumadocs"
    if "_sidebar.md" in names:
        return "docsify"
    return "plain"


def _docs_folder(tree: SourceTree) -> str:
    """Return the folder that most likely holds the documentation; empty for the whole source."""
    pages = [p for p in tree.paths if p.lower().endswith(MARKDOWN) and not _is_aside(p)]
    counts: dict[str, int] = {}
    for path in pages:
        parts = path.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            if parts[depth - 1].lower() in DOCS_NAMES:
                folder = "/".join(parts[:depth])
                counts[folder] = counts.get(folder, 0) + 1
    outside = len(pages)
    best = min(counts, key=lambda f: (-counts[f], f.count("/"), f), default="")
    if not best or (counts[best] * 2 < outside and counts[best] < 5):
        return ""
    inner = joined(best, "content")
    return inner if counts.get(inner, 0) * 2 > counts[best] else best


def _is_aside(path: str) -> bool:
    return any(part.lower() in NOT_DOCS for part in path.split("/")[:-1])


def _distance(path: str, docs: str) -> int:
    """Say how far a settings file is from the folder that the user names."""
    folder = posixpath.dirname(path)
    if not docs:
        return 0
    return (
        0 if f"{docs}/".startswith(f"{folder}/" if folder else "") or folder.startswith(docs) else 1
    )


def _has_index(tree: SourceTree, folder: str) -> bool:
    names = ("index.md", "index.rst", "README.md", "contents.rst")
    return any(joined(folder, name) in tree for name in names)
