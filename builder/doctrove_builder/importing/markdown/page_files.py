"""Which files of a source are its pages: not navigation, partials, drafts, other languages."""

from __future__ import annotations

import posixpath
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown.includes import MARKDOWN
from doctrove_builder.importing.markdown.recognising import NOT_DOCS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from doctrove_builder.importing.markdown.site import Site
    from doctrove_builder.importing.source_tree import SourceTree

LANGUAGES = frozenset(
    {
        *("ar", "az", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi"),
        *("fr", "he", "hi", "hr", "hu", "id", "it", "ja", "ka", "kk", "ko", "lt", "lv", "mn"),
        *("ms", "my", "nb", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "ta"),
        *("te", "th", "tl", "tr", "uk", "ur", "uz", "vi", "yo", "zh"),
    }
)
_LANGUAGE = re.compile(r"([a-z]{2})(?:[-_](?:[A-Za-z]{2}|[A-Z][a-z]{3}|hans|hant))?")
_SUFFIX = re.compile(
    r"(?P<stem>.+?)[._-](?P<language>[A-Za-z]{2}(?:[-_][A-Za-z]{2,4})?)(?P<suffix>\.\w+)"
)
_VERSION = re.compile(
    r"v?\d+(?:\.(?:\d+|x))*(?:[-.]?(?:alpha|beta|rc|next)[\w.]*)?|next|latest|stable"
)
_NAVIGATION = frozenset(
    "_coverpage.md _footer.md _navbar.md _sidebar.md summary.md".split()  # noqa: SIM905
)
_PARTS = frozenset(
    "_includes _partials _snippets fragments includes overrides partials snippets theme".split()  # noqa: SIM905
)
_REPOSITORY = frozenset(
    {
        *("code_of_conduct.md", "contributing.md", "governance.md", "issue_template.md"),
        *("maintainers.md", "pull_request_template.md", "security.md", "support.md"),
        *("authors.md", "backers.md", "sponsors.md", "claude.md", "agents.md", "todo.md"),
    }
)


class Chosen(NamedTuple):
    """The pages of a source."""

    files: tuple[str, ...]
    docs: str
    """The folder that page paths are relative to."""

    notes: tuple[Note, ...]


def choose_pages(  # noqa: PLR0913 - what the user says, each used once
    tree: SourceTree,
    site: Site,
    *,
    version: str,
    language: str,
    include: Sequence[str],
    exclude: Sequence[str],
) -> Chosen:
    """Choose the files that are pages, in path order."""
    docs, notes = _versioned(tree, site, version)
    docs, language_folders = _main_language(tree, docs, language)
    found: list[str] = []
    translated = 0
    for path in tree.under(docs):
        if not path.lower().endswith(MARKDOWN):
            continue
        inside = path[len(docs) + 1 :] if docs else path
        if not _may_be_page(inside, site, whole=not docs):
            continue
        if inside.split("/")[0] in language_folders or _is_translation(path, tree, language):
            translated += 1
            continue
        if exclude and _matches(inside, exclude):
            notes.append(Note(kind="page-excluded", place=path, message="an option leaves it out"))
            continue
        if include and not _matches(inside, include):
            continue
        found.append(path)
    if translated:
        message = f"{translated:,} pages are translations"
        notes.append(Note(kind="translations-left-out", place=docs or ".", message=message))
    if docs and not any(_is_front(path[len(docs) + 1 :]) for path in found):
        found = [*(p for p in ("README.md", "readme.md") if p in tree), *found]
    return Chosen(tuple(dict.fromkeys(found)), docs, tuple(notes))


def is_version(name: str) -> bool:
    """Say whether a folder is named by a version."""
    return _VERSION.fullmatch(name) is not None


def side_by_side(tree: SourceTree, site: Site) -> dict[str, str]:
    """Return the folder of each version that a source holds beside each other, newest first."""
    for parent in dict.fromkeys(map(posixpath.dirname, (site.config, site.docs))):
        folder = f"{parent}/versioned_docs" if parent else "versioned_docs"
        found: dict[str, str] = {}
        for path in tree.under(folder):
            name, inside, _ = path[len(folder) + 1 :].partition("/")
            if name.startswith("version-") and inside:
                found.setdefault(name.removeprefix("version-"), f"{folder}/{name}")
        if found:
            return dict(sorted(found.items(), key=lambda item: _order(item[0]), reverse=True))
    tops: dict[str, int] = {}
    for path in tree.under(site.docs):
        inside = path[len(site.docs) + 1 :] if site.docs else path
        if path.lower().endswith(MARKDOWN) and "/" in inside:
            top = inside.partition("/")[0]
            tops[top] = tops.get(top, 0) + 1
    versions = [top for top in tops if _VERSION.fullmatch(top) and any(c.isdigit() for c in top)]
    if len(versions) < 2 or sum(tops[v] for v in versions) * 2 < sum(tops.values()):
        return {}
    prefix = f"{site.docs}/" if site.docs else ""
    return {v: f"{prefix}{v}" for v in sorted(versions, key=_order, reverse=True)}


def _versioned(tree: SourceTree, site: Site, version: str) -> tuple[str, list[Note]]:
    folders = side_by_side(tree, site)
    bare = version.removeprefix("v")
    for name, folder in folders.items():
        known = name.removeprefix("v")
        known = re.sub(r"\.x$", "", known)
        if bare == known or bare.startswith(f"{known}."):
            return folder, []
    if not folders or "versioned_docs" in next(iter(folders.values())):
        return site.docs, []
    name, folder = next(iter(folders.items()))
    message = f"the source holds {', '.join(folders)} and not {version}; {name} was read"
    return folder, [Note(kind="version-not-found", place=folder, message=message)]


def _order(name: str) -> tuple[tuple[int, int], ...]:
    return tuple(
        (1, int(part)) if part.isdigit() else (0, 0) for part in re.split(r"\D+", name) if part
    ) or ((0, 0),)


def _main_language(tree: SourceTree, docs: str, language: str) -> tuple[str, frozenset[str]]:
    """Return the folder of the wanted language, and folders of others beside the pages."""
    tops: dict[str, int] = {}
    for path in tree.under(docs):
        inside = path[len(docs) + 1 :] if docs else path
        if path.lower().endswith(MARKDOWN):
            top = inside.partition("/")[0] if "/" in inside else ""
            tops[top] = tops.get(top, 0) + 1
    codes = [top for top in tops if _is_language(top)]
    wanted = language or "en"
    chosen = next((c for c in codes if c.lower().replace("_", "-") == wanted.lower()), "")
    chosen = chosen or next((c for c in codes if c.lower()[:2] == wanted.lower()[:2]), "")
    if chosen and (language or len(codes) > 1 or tops.get("", 0) <= 1):
        inner = f"{docs}/{chosen}" if docs else chosen
        if f"{inner}/docs" and any(p.startswith(f"{inner}/docs/") for p in tree.under(inner)):
            inner = f"{inner}/docs"
        return inner, frozenset()
    return docs, frozenset(codes if len(codes) > 1 or _mirrors(tree, docs, codes) else ())


def _mirrors(tree: SourceTree, docs: str, codes: Iterable[str]) -> bool:
    """Say whether folders hold the pages of the folder around them again."""
    prefix = f"{docs}/" if docs else ""
    for code in codes:
        pages = [p[len(f"{prefix}{code}/") :] for p in tree.under(f"{prefix}{code}")]
        same = sum(f"{prefix}{page}" in tree for page in pages)
        if pages and same * 2 >= len(pages):
            return True
    return False


def _is_language(name: str) -> bool:
    found = _LANGUAGE.fullmatch(name)
    return found is not None and found[1] in LANGUAGES


def _is_translation(path: str, tree: SourceTree, language: str) -> bool:
    parts = path.split("/")
    if any(part in {"i18n", "translations", "locales", "l10n"} for part in parts[:-1]):
        return not language
    found = _SUFFIX.fullmatch(parts[-1])
    if found is None or found["language"].lower()[:2] not in {*LANGUAGES, "cn", "tw", "jp", "kr"}:
        return False
    if found["language"].lower() == language.lower() and language:
        return False
    folder = "/".join(parts[:-1])
    plain = f"{found['stem']}{found['suffix']}"
    return (f"{folder}/{plain}" if folder else plain) in tree


def _may_be_page(inside: str, site: Site, *, whole: bool) -> bool:
    parts = inside.split("/")
    name = parts[-1].lower()
    if name in _NAVIGATION or (name.startswith("_") and name != "_index.md"):
        return False
    if any(part.startswith((".", "_")) or part.lower() in _PARTS for part in parts[:-1]):
        return False
    if whole and any(part.lower() in NOT_DOCS for part in parts[:-1]):
        return False
    if whole and len(parts) == 1 and name in _REPOSITORY:
        return False
    ignored = site.settings.get("exclude_docs")
    return not (isinstance(ignored, str) and _matches(inside, ignored.split()))


def _is_front(inside: str) -> bool:
    return posixpath.splitext(inside)[0].lower() in {"index", "readme", "home", "_index"}


def _matches(path: str, patterns: Iterable[str]) -> bool:
    """Match a path against patterns as .gitignore writes them, simply."""
    for pattern in patterns:
        bare = pattern.strip("/")
        if fnmatchcase(path, bare) or path.startswith(f"{bare}/") or fnmatchcase(path, f"{bare}/*"):
            return True
        if "/" not in bare and fnmatchcase(posixpath.basename(path), bare):
            return True
        if bare.startswith("**/") and fnmatchcase(path, bare[3:]):
            return True
    return False
