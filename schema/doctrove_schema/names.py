"""Names of libraries, versions and pages: what may be one, and how it stands in files and URLs."""

from __future__ import annotations

import difflib
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT_FILES = (
    "404.html",
    "CNAME",
    "catalog.json",
    "feed.xml",
    "index.html",
    "index.json",
    "llms.txt",
    "manifest.json",
    "robots.txt",
    "sitemap.xml",
)
"""Files at the root of a published tree; no library may take their place."""

MAX_NAME_BYTES = 200
"""Of an encoded name. File systems stop at 255; the rest is room for hashes and suffixes."""

_PLAIN = re.compile(r"[A-Za-z0-9._@-]")
_DEVICE = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)", re.IGNORECASE
)


@lru_cache(maxsize=8192)
def encode_name(text: str) -> str:
    """Encode an id, a version or a page path's part as one file name that every system accepts.

    Percent-encoding (RFC 3986, section 2.1) of all but letters, digits and `. _ @ -` (so of the
    `~` of a short name on NTFS too), of a leading or trailing dot, and of the first letter of a
    Windows device name. Letters of all scripts stay. `decode_name` undoes it. In a URL the result
    is one path segment, whose own `%` is quoted again.
    """
    parts = [c if _stays(c) else _quoted(c) for c in text]
    if parts and parts[0] == ".":
        parts[0] = "%2E"
    if parts and parts[-1] == ".":
        parts[-1] = "%2E"
    if _DEVICE.match(text):
        parts[0] = f"%{ord(text[0]):02X}"
    return "".join(parts)


def decode_name(name: str) -> str:
    """Undo `encode_name`."""
    return unquote(name, errors="strict")


def id_fault(library_id: str) -> str:
    """Say what keeps a text from being a library id; empty when fine."""
    if fault := name_fault(library_id):
        return fault
    if library_id[0] in "_.":
        return f"begins with {library_id[0]!r}"
    if fold(library_id) in {fold(name) for name in ROOT_FILES}:
        return "is the name of a file at the root of the published site"
    return ""


def name_fault(text: str) -> str:
    """Say what keeps a text from being a name at all (id, version, page); empty when fine."""
    if not text:
        return "is empty"
    if text != text.strip():
        return "begins or ends with white space"
    if not unicodedata.is_normalized("NFC", text):
        return "is not in Unicode normal form C"
    if any(_is_hidden(c) for c in text):
        return "holds a control or invisible character"
    if len(encode_name(text)) > MAX_NAME_BYTES or len(encode_name(text).encode()) > MAX_NAME_BYTES:
        return f"is longer than {MAX_NAME_BYTES} bytes"
    return ""


def fold(name: str) -> str:
    """Reduce a name so that two which collide on some disk are equal (case, Unicode form)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def nearest(word: str, candidates: Iterable[str]) -> str:
    """Return the candidate that a person most likely meant by `word`; empty when none is near."""
    by_fold = {fold(candidate): candidate for candidate in candidates if len(candidate) <= 100}
    found = difflib.get_close_matches(fold(word[:100]), by_fold, n=1, cutoff=0.6)
    return by_fold[found[0]] if found else ""


def _quoted(character: str) -> str:
    """Percent-encode one character; `quote` itself leaves `~` alone."""
    return "%7E" if character == "~" else quote(character, safe="")


def _stays(character: str) -> bool:
    if character.isascii():
        return _PLAIN.match(character) is not None
    return character.isalnum() or unicodedata.category(character) in {"Mn", "Mc"}


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
