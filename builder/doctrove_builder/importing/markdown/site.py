"""Which generator a source was written for, where its pages are, and what its settings say."""

from __future__ import annotations

import ast
import posixpath
import re
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.errors import FileRefused, NothingImported
from doctrove_builder.importing.markdown.frontmatter import load_yaml
from doctrove_builder.importing.markdown.includes import MARKDOWN
from doctrove_builder.importing.markdown.plain import list_of, mapping_of, text_of, texts_of

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


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the documentation's site."""

    generator: str = "plain"
    docs: str = ""
    """Folder of the pages; empty for the whole source."""

    config: str = ""
    """File of the settings."""

    settings: Mapping[str, object] = msgspec.field(default_factory=dict[str, object])
    """Of MkDocs, as data."""

    text: str = ""
    """Of settings that are a program: read as text alone."""

    bases: tuple[str, ...] = ()
    """Folders that includes may be relative to."""

    extlinks: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])

    @property
    def vue(self) -> bool:
        """Whether pages are Vue templates."""
        return self.generator in {"vitepress", "vuepress"}

    @property
    def in_place(self) -> bool:
        """Whether pictures are published where they stand beside the pages."""
        return self.generator not in {
            *("docusaurus", "fumadocs", "sphinx", "starlight", "vitepress", "vuepress"),
        }

    def setting(self, name: str) -> str:
        """Return a setting that is a text."""
        return text_of(self.settings.get(name))


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
            return _mkdocs(tree, path, folder)
        if name == "zensical.toml":
            return _zensical(tree, path, folder)
        if _VITEPRESS.search(path) or _VUEPRESS.search(path):
            return _vitepress(tree, path)
        if _DOCUSAURUS.search(path):
            return _docusaurus(tree, path, folder)
        if name == "book.toml":
            return _mdbook(tree, path, folder)
        if name == "conf.py" and _has_index(tree, folder):
            return _sphinx(tree, path, folder)
        if _ASTRO.search(path) and tree.under(_joined(folder, "src/content/docs")):
            return Site(
                generator="starlight",
                docs=_joined(folder, "src/content/docs"),
                config=path,
                text=_text(tree, path),
            )
    return Site(generator=_plain_generator(tree), docs=_docs_folder(tree))


def _mkdocs(tree: SourceTree, path: str, folder: str) -> Site:
    settings = load_yaml(_text(tree, path))
    inherited = settings.get("INHERIT")
    if isinstance(inherited, str):
        base = posixpath.normpath(posixpath.join(folder, inherited))
        if base in tree:
            settings = {**load_yaml(_text(tree, base)), **settings}
    docs_folder = _joined(folder, text_of(settings.get("docs_dir")) or "docs")
    bases = (*_snippet_bases(settings, folder), folder)
    return Site(generator="mkdocs", docs=docs_folder, config=path, settings=settings, bases=bases)


def _snippet_bases(settings: Mapping[str, object], folder: str) -> tuple[str, ...]:
    """Return the folders that PyMdown's snippets are looked for in."""
    extensions = settings.get("markdown_extensions")
    entries = list_of(extensions) or [extensions]
    return tuple(
        _joined(folder, one)
        for entry in entries
        for name, options in mapping_of(entry).items()
        if name in {"pymdownx.snippets", "mdx_include"}
        for one in texts_of(mapping_of(options).get("base_path"))
    )


def _zensical(tree: SourceTree, path: str, folder: str) -> Site:
    known = mapping_of(_toml(tree, path).get("project"))
    docs_folder = _joined(folder, text_of(known.get("docs_dir")) or "docs")
    return Site(generator="mkdocs", docs=docs_folder, config=path, settings=known, bases=(folder,))


def _vitepress(tree: SourceTree, path: str) -> Site:
    text = _text(tree, path)
    folder = path[: path.index(".vitepress" if ".vitepress" in path else ".vuepress")].rstrip("/")
    source = re.search(r"\bsrcDir:\s*['\"]([^'\"]+)['\"]", text)
    docs = _joined(folder, source[1]) if source else folder
    generator = "vitepress" if ".vitepress" in path else "vuepress"
    return Site(generator=generator, docs=docs, config=path, text=text, bases=(folder,))


def _docusaurus(tree: SourceTree, path: str, folder: str) -> Site:
    text = _text(tree, path)
    given = re.search(r"\bpath:\s*['\"]([^'\"]+)['\"]", text)
    for candidate in ([given[1]] if given else []) + ["docs", "../docs"]:
        docs = _joined(folder, candidate)
        if any(one.lower().endswith(MARKDOWN) for one in tree.under(docs)):
            break
    else:
        docs = _joined(folder, "docs")
    return Site(generator="docusaurus", docs=docs, config=path, text=text, bases=(folder,))


def _mdbook(tree: SourceTree, path: str, folder: str) -> Site:
    book = mapping_of(_toml(tree, path).get("book"))
    docs = _joined(folder, text_of(book.get("src")) or "src")
    return Site(generator="mdbook", docs=docs, config=path)


def _sphinx(tree: SourceTree, path: str, folder: str) -> Site:
    """Read `extlinks` of conf.py as a literal; nothing of it is executed."""
    extlinks: dict[str, str] = {}
    try:
        body = ast.parse(_text(tree, path)).body
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
    inner = _joined(best, "content")
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
    return any(_joined(folder, name) in tree for name in names)


def _toml(tree: SourceTree, path: str) -> dict[str, object]:
    try:
        return tomllib.loads(_text(tree, path))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _text(tree: SourceTree, path: str) -> str:
    try:
        return tree.read_text(path, limit=1 << 20)
    except FileRefused:
        return ""


def _joined(folder: str, path: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    return "" if joined in {".", ".."} or joined.startswith(("../", "/")) else joined
