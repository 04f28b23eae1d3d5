"""What the settings of each generator say of its site: as data or as text, nothing is executed."""

from __future__ import annotations

import ast
import posixpath
import re
import tomllib
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.markdown.frontmatter import load_yaml
from doctrove_builder.importing.markdown.includes import MARKDOWN
from doctrove_builder.importing.markdown.plain import list_of, mapping_of, text_of, texts_of
from doctrove_builder.importing.markdown.site import Site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.importing.source_tree import SourceTree


def mkdocs_site(tree: SourceTree, path: str, folder: str) -> Site:
    """Read `mkdocs.yml`, and the file that it inherits from."""
    settings = load_yaml(settings_text(tree, path))
    inherited = settings.get("INHERIT")
    if isinstance(inherited, str):
        base = posixpath.normpath(posixpath.join(folder, inherited))
        if base in tree:
            settings = {**load_yaml(settings_text(tree, base)), **settings}
    docs_folder = joined(folder, text_of(settings.get("docs_dir")) or "docs")
    bases = (*_snippet_bases(settings, folder), folder)
    return Site(generator="mkdocs", docs=docs_folder, config=path, settings=settings, bases=bases)


def _snippet_bases(settings: Mapping[str, object], folder: str) -> tuple[str, ...]:
    """Return the folders that PyMdown's snippets are looked for in."""
    extensions = settings.get("markdown_extensions")
    entries = list_of(extensions) or [extensions]
    return tuple(
        joined(folder, one)
        for entry in entries
        for name, options in mapping_of(entry).items()
        if name in {"pymdownx.snippets", "mdx_include"}
        for one in texts_of(mapping_of(options).get("base_path"))
    )


def zensical_site(tree: SourceTree, path: str, folder: str) -> Site:
    """Read `zensical.toml`, whose settings are those of MkDocs."""
    known = mapping_of(_toml(tree, path).get("project"))
    docs_folder = joined(folder, text_of(known.get("docs_dir")) or "docs")
    return Site(generator="mkdocs", docs=docs_folder, config=path, settings=known, bases=(folder,))


def vitepress_site(tree: SourceTree, path: str) -> Site:
    """Find the folder of the pages of VitePress or VuePress in its settings."""
    text = settings_text(tree, path)
    folder = path[: path.index(".vitepress" if ".vitepress" in path else ".vuepress")].rstrip("/")
    source = re.search(r"\bsrcDir:\s*['\"]([^'\"]+)['\"]", text)
    docs = joined(folder, source[1]) if source else folder
    generator = "vitepress" if ".vitepress" in path else "vuepress"
    return Site(generator=generator, docs=docs, config=path, text=text, bases=(folder,))


def docusaurus_site(tree: SourceTree, path: str, folder: str) -> Site:
    """Find the folder of the pages of Docusaurus: as its settings say, else the usual ones."""
    text = settings_text(tree, path)
    given = re.search(r"\bpath:\s*['\"]([^'\"]+)['\"]", text)
    for candidate in ([given[1]] if given else []) + ["docs", "../docs"]:
        docs = joined(folder, candidate)
        if any(one.lower().endswith(MARKDOWN) for one in tree.under(docs)):
            break
    else:
        docs = joined(folder, "docs")
    return Site(generator="docusaurus", docs=docs, config=path, text=text, bases=(folder,))


def mdbook_site(tree: SourceTree, path: str, folder: str) -> Site:
    """Read `book.toml`."""
    book = mapping_of(_toml(tree, path).get("book"))
    docs = joined(folder, text_of(book.get("src")) or "src")
    return Site(generator="mdbook", docs=docs, config=path)


def sphinx_site(tree: SourceTree, path: str, folder: str) -> Site:
    """Read `extlinks` of conf.py as a literal; nothing of it is executed."""
    extlinks: dict[str, str] = {}
    try:
        body = ast.parse(settings_text(tree, path)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        body = []
    for node in body:
        if isinstance(node, ast.Assign) and any(
            isinstance(t, ast.Name) and t.id == "extlinks" for t in node.targets
        ):
            try:
                value: object = ast.literal_eval(node.value)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                continue
            for name, pair in mapping_of(value).items():
                extlinks[name] = next(iter(texts_of(pair)), "")
    return Site(generator="sphinx", docs=folder, config=path, extlinks=extlinks)


def _toml(tree: SourceTree, path: str) -> dict[str, object]:
    try:
        return tomllib.loads(settings_text(tree, path))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def settings_text(tree: SourceTree, path: str) -> str:
    """Return the text of a settings file; empty for one that cannot be read."""
    try:
        return tree.read_text(path, limit=1 << 20)
    except FileRefused:
        return ""


def joined(folder: str, path: str) -> str:
    """Return a path below a folder; empty where it leads to the source's top or out of it."""
    found = posixpath.normpath(posixpath.join(folder, path))
    return "" if found in {".", ".."} or found.startswith(("../", "/")) else found
