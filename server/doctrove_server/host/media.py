"""What a file's name says of it: its media type, and whether the name changes with the content.

The table is the host's own, so that the same site is served alike on every system.
"""

from __future__ import annotations

import re

_TEXT = "; charset=utf-8"
_TYPES = {
    "atom": "application/atom+xml" + _TEXT,
    "avif": "image/avif",
    "br": "application/octet-stream",
    "css": "text/css" + _TEXT,
    "csv": "text/csv" + _TEXT,
    "gif": "image/gif",
    "gz": "application/gzip",
    "htm": "text/html" + _TEXT,
    "html": "text/html" + _TEXT,
    "ico": "image/vnd.microsoft.icon",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript" + _TEXT,
    "json": "application/json" + _TEXT,
    "jsonl": "application/jsonl" + _TEXT,
    "map": "application/json" + _TEXT,
    "md": "text/markdown" + _TEXT,
    "mjs": "text/javascript" + _TEXT,
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "otf": "font/otf",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml" + _TEXT,
    "tar": "application/x-tar",
    "toml": "application/toml" + _TEXT,
    "ttf": "font/ttf",
    "txt": "text/plain" + _TEXT,
    "wasm": "application/wasm",
    "webm": "video/webm",
    "webmanifest": "application/manifest+json" + _TEXT,
    "webp": "image/webp",
    "woff": "font/woff",
    "woff2": "font/woff2",
    "xml": "application/xml" + _TEXT,
    "yaml": "application/yaml" + _TEXT,
    "yml": "application/yaml" + _TEXT,
    "zip": "application/zip",
    "zst": "application/zstd",
}
_HASH = re.compile(r"\.(?P<hash>[0-9a-f]{8,64})(?:\.[A-Za-z0-9]{1,12}){1,2}$")
_PAGES = (".html", ".htm")


def media_type(name: str) -> str:
    """Return the Content-Type of a file by its extension, in any letter case."""
    _, dot, extension = name.rpartition(".")
    return _TYPES.get(extension.lower() if dot else "", "application/octet-stream")


def has_hashed_name(parts: tuple[str, ...]) -> bool:
    """Tell whether a file's name carries a hash of its content, as in `app.3f2a91bc77.css`.

    Outside the machine folders (`_assets`, `_volumes`) a hash has both letters and digits, so that
    a date in a name is not taken for one. A page is never named by its hash.
    """
    found = _HASH.search(parts[-1])
    if found is None or parts[-1].lower().endswith(_PAGES):
        return False
    digits = found["hash"]
    return parts[0].startswith("_") or not (digits.isdigit() or digits.isalpha())
