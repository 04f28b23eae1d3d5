"""Lines that take text or code from other files, in the dialects of real documentation.

MkDocs: `--8<-- "path"` (PyMdown Snippets), `{! path !}` (mdx_include), `{* path *}` (FastAPI's),
`{% include-markdown "path" %}`. VitePress: `<<< path`, `<!--@include: path-->`. MyST:
`literalinclude`, `include`. mdBook: `{{#include path}}`. Docusaurus: `file=path` of a code block.
Microsoft Learn: `[!INCLUDE [x](path)]`, `:::code source=...`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.markdown.cutting import (
    cut_marks,
    cut_options,
    cut_ranges,
    cut_region,
    cut_snippet,
    cut_spec,
)
from doctrove_builder.importing.markdown.languages import language_of, titled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from doctrove_builder.importing.markdown.cutting import Cut
    from doctrove_builder.importing.markdown.lines import Fence

_SNIPPET = re.compile(
    r"""(?P<indent>[ \t]*)(?P<quote>;?)-{1,}8<-{1,}[ \t]+(["'])(?P<path>[^"']+)\3[ \t]*"""
)
SNIPPET_BLOCK = re.compile(r"(?P<indent>[ \t]*)-{1,}8<-{1,}[ \t]*")
"""Above and below a list of snippets."""

_BRACES = re.compile(r"(?P<indent>[ \t]*)\{!>?[ \t]*(?P<path>[^!{}]+?)[ \t]*!\}[ \t]*(?P<rest>.*)")
_STARS = re.compile(r"(?P<indent>[ \t]*)\{\*[ \t]+(?P<path>\S+)(?P<options>[^}]*)\*\}[ \t]*")
_ARROWS = re.compile(
    r"(?P<indent>[ \t]*)<<<[ \t]*(?P<path>[^\s{#\[]+)(?:#(?P<region>[\w.-]+))?(?P<rest>.*)"
)
_COMMENT = re.compile(
    r"(?P<indent>[ \t]*)<!--[ \t]*@include:[ \t]*(?P<path>[^\s{#]+?)"
    r"(?:#(?P<region>[\w-]+))?(?:\{(?P<lines>[\d,-]*)\})?[ \t]*-->[ \t]*"
)
_JINJA = re.compile(
    r"""(?P<indent>[ \t]*)\{%-?[ \t]*include(?:-markdown)?[ \t]+"""
    r"""(["'])(?P<path>[^"']+)\2(?P<options>.*?)-?%\}[ \t]*"""
)
_MDBOOK = re.compile(
    r"(?P<indent>[ \t]*)\{\{[ \t]*#(?:rustdoc_)?include[ \t]+(?P<path>[^\s:}]+)"
    r"(?::(?P<spec>[^}\s]+))?[ \t]*\}\}[ \t]*"
)
_LEARN = re.compile(
    r"(?P<indent>[ \t]*)\[!INCLUDE[ \t]*\[[^\]]*\]\((?P<path>[^)\s]+)\)\][ \t]*", re.IGNORECASE
)
_LEARN_CODE = re.compile(r"(?P<indent>[ \t]*):::code\b(?P<options>.*?)(?::::)?[ \t]*")
_DIRECTIVE = re.compile(r"\{(?P<name>literalinclude|include)\}[ \t]*(?P<path>\S+)[ \t]*")
_OPTION = re.compile(r"[ \t]*:([\w-]+):[ \t]*(.*)")
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_FILE_KEY = re.compile(r"""\bfile=(?:"([^"]+)"|'([^']+)'|([^\s"'}]+))""")
_HIGHLIGHT = re.compile(r"\bhl\[([\d:,\s-]*)\]")
_LINES = re.compile(r"\bln\[([\d:,\s-]*)\]|\[ln:([\d:,\s-]*)\]")
_ARROW_REST = re.compile(r"(?:\{(?P<braces>[^}]*)\})?[ \t]*(?:\[(?P<title>[^\]]*)\])?[ \t]*")
_FUMADOCS = re.compile(
    r"(?P<indent>[ \t]*)<include\b(?P<options>[^<>]*)>[ \t]*(?P<path>[^<>\s]+)"
    r"[ \t]*</include>[ \t]*"
)


class Include(NamedTuple):
    """What one line asks for."""

    path: str
    indent: str
    cut: Cut | None = None
    """Which part; None for the whole file."""

    info: str | None = None
    """What stands after the fence of a code block; None: the text stands as it is."""

    configured_first: bool = False
    """Whether configured folders come before the page's own."""


def read_include(text: str) -> Include | None:
    """Read a line that includes text, in a code block as well as outside; None for another."""
    if "8<" in text and (found := _SNIPPET.fullmatch(text)) and not found["quote"]:
        return snippet(found["path"], found["indent"])
    if "{!" in text and (found := _BRACES.fullmatch(text)):
        wanted = _LINES.search(found["rest"]) or _LINES.search(found["path"])
        spec = (wanted[1] or wanted[2]) if wanted else ""
        path = _LINES.sub("", found["path"]).strip()
        return Include(path, found["indent"], cut_ranges(spec))
    if "{{" in text and "include" in text and (found := _MDBOOK.fullmatch(text)):
        return Include(found["path"], found["indent"], cut_spec(found["spec"] or ""))
    return None


def read_text_include(text: str) -> Include | None:
    """Read a line outside code that includes text or a code block; None for another."""
    for mark, pattern, read in _DIALECTS:
        if mark in text and (found := pattern.fullmatch(text)):
            return read(found)
    return None


def read_fence_include(fence: Fence, options: Mapping[str, str], *, empty: bool) -> Include | None:
    """Read the first line of a code block that is an include itself; None for another.

    `options` are the `:key: value` lines in it; `empty` says that nothing stands in it.
    """
    info = fence.info.strip()
    if "include}" in info and (found := _DIRECTIVE.fullmatch(info)):
        path, cut = found["path"], cut_options(options)
        if found["name"] == "include" and "literal" not in options:
            return Include(path, fence.prefix, cut)
        language = options.get("language") or language_of(path)
        return Include(path, fence.prefix, cut, titled(language, options.get("caption", "")))
    if empty and "file=" in info and (named := _FILE_KEY.search(info)):
        path, _, spec = (named[1] or named[2] or named[3]).partition("#")
        path = path.replace("<rootDir>", "")
        language = _FILE_KEY.sub("", info).strip() or language_of(path)
        return Include(path, fence.prefix, cut_ranges(spec.replace("L", "")), language)
    return None


def directive_option(text: str) -> tuple[str, str] | None:
    """Return the name and value of a directive's option; None for another line."""
    found = _OPTION.fullmatch(text)
    return (found[1], found[2].strip()) if found else None


def snippet(spec: str, indent: str) -> Include:
    """Return what PyMdown's `path`, `path:section` or `path:1:3` asks for."""
    path, _, part = spec.partition(":") if "://" not in spec else (spec, "", "")
    return Include(path, indent, cut_snippet(part), configured_first=True)


def shown_snippet(text: str) -> str | None:
    """Return the line that an escaped snippet (`;--8<-- "path"`) shows; None for another."""
    found = _SNIPPET.fullmatch(text) if "8<" in text else None
    return text.replace(";", "", 1) if found and found["quote"] else None


def _starred(found: re.Match[str]) -> Include:
    wanted = _LINES.search(found["options"])
    highlight = _HIGHLIGHT.search(found["options"])
    info = language_of(found["path"])
    if highlight and not wanted:
        marked = highlight[1].replace(":", "-").replace(",", " ")
        info = f'{info} hl_lines="{marked}"'
    spec = (wanted[1] or wanted[2]) if wanted else ""
    return Include(found["path"], found["indent"], cut_ranges(spec), info)


def _arrow(found: re.Match[str]) -> Include:
    rest = _ARROW_REST.fullmatch(found["rest"])
    braces = (rest["braces"] or "" if rest else "").split()
    marked = next((part for part in braces if re.fullmatch(r"[\d,-]+", part)), "")
    language = next((p for p in braces if re.fullmatch(r"[A-Za-z][\w+-]*", p)), "")
    info = language or language_of(found["path"])
    info += f"{{{marked}}}" if marked else ""
    info += f" [{rest['title']}]" if rest and rest["title"] else ""
    return Include(found["path"], found["indent"], cut_region(found["region"] or "", ""), info)


def _comment(found: re.Match[str]) -> Include:
    cut = cut_region(found["region"] or "", found["lines"] or "")
    return Include(found["path"], found["indent"], cut)


def _jinja(found: re.Match[str]) -> Include:
    options = _attributes(found["options"])
    cut = cut_marks(options.get("start", ""), options.get("end", ""))
    return Include(found["path"], found["indent"], cut)


def _learn(found: re.Match[str]) -> Include:
    return Include(found["path"], found["indent"])


def _learn_code(found: re.Match[str]) -> Include | None:
    options = _attributes(found["options"])
    if "source" not in options:
        return None
    cut = cut_ranges(options.get("range", ""))
    info = options.get("language") or language_of(options["source"])
    return Include(options["source"], found["indent"], cut, info)


def _fumadocs(found: re.Match[str]) -> Include:
    path, options = found["path"], _attributes(found["options"])
    path, _, region = path.partition("#")
    cut = cut_region(region, "") if region else None
    language = options.get("lang", "")
    if not language and path.lower().endswith((".md", ".mdx")):
        return Include(path, found["indent"], cut)
    info = f"{language or language_of(path)} {options.get('meta', '')}".strip()
    return Include(path, found["indent"], cut, info)


def _attributes(text: str) -> dict[str, str]:
    return {key: a or b for key, a, b in _ATTRIBUTE.findall(text)}


_DIALECTS: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], Include | None]], ...] = (
    ("{*", _STARS, _starred),
    ("<<<", _ARROWS, _arrow),
    ("@include", _COMMENT, _comment),
    ("{%", _JINJA, _jinja),
    ("[!", _LEARN, _learn),
    (":::code", _LEARN_CODE, _learn_code),
    ("<include", _FUMADOCS, _fumadocs),
)
"""By what every such line holds: its form and its reader."""
