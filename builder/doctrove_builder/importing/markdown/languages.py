"""The language of a code block by the suffix of the file that it is included from."""

from __future__ import annotations

import posixpath

_BY_SUFFIX = {
    "bash": "bash", "c": "c", "cc": "cpp", "cfg": "ini", "cjs": "js", "cpp": "cpp", "cs": "csharp",
    "css": "css", "go": "go", "graphql": "graphql", "h": "c", "hpp": "cpp", "htm": "html",
    "html": "html", "ini": "ini", "java": "java", "js": "js", "json": "json", "json5": "json5",
    "jsx": "jsx", "kt": "kotlin", "lua": "lua", "md": "md", "mdx": "mdx", "mjs": "js", "mts": "ts",
    "php": "php", "proto": "proto", "ps1": "powershell", "py": "python", "pyi": "python",
    "rb": "ruby", "rs": "rust", "rst": "rst", "scala": "scala", "scss": "scss", "sh": "sh",
    "sql": "sql", "svelte": "svelte", "swift": "swift", "toml": "toml", "ts": "ts", "tsx": "tsx",
    "txt": "text", "vue": "vue", "xml": "xml", "yaml": "yaml", "yml": "yaml", "zig": "zig",
}  # fmt: skip
_BY_NAME = {"dockerfile": "dockerfile", "makefile": "makefile"}


def language_of(path: str) -> str:
    """Return the language of a file for a code block; empty when its suffix says none."""
    name = posixpath.basename(path).lower()
    return _BY_NAME.get(name) or _BY_SUFFIX.get(name.rpartition(".")[2], "")


def titled(language: str, title: str) -> str:
    """Return what stands after the fence of a code block that may have a title."""
    plain = title.replace('"', "'").replace("`", "").strip()
    return f'{language or "text"} title="{plain}"' if plain else language
