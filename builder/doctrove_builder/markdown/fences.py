"""What the info string of a code block says: its language, a title, the lines to point out.

Read are the forms of MkDocs (`py title="a.py" hl_lines="2 4-5"`), VitePress (`ts {1,3-5} [a.ts]`,
`ts{1}`), PyMdown (`{.py title="a.py"}`) and MyST (`{code-block} python`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from doctrove_builder.markdown.limits import INFO_LIMIT

_QUOTED = re.compile(r"""(?<!\w)(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_LABEL = re.compile(r"\[([^\[\]]+)\]")
_BRACES = re.compile(r"\{([\d\s,-]+)\}")
_LANGUAGE = re.compile(r"\s*(?:\{\s*\.?(?P<braced>[\w+#.-]+)[^}]*\}\s*)?(?P<word>[\w+#.-]*)")
_DIRECTIVES = frozenset({"code-block", "code", "code-cell", "sourcecode"})
_HIGHEST_LINE = 10_000


class FenceInfo(NamedTuple):
    """The info string of a code block, read."""

    language: str = ""
    """Lower case, as written: `js`, `c++`; empty where none is named."""

    title: str = ""
    marked: frozenset[int] = frozenset()
    """Lines to point out, counted from 1."""


def fence_info(info: str) -> FenceInfo:
    """Read an info string; what it does not know in it is left out."""
    info = info[:INFO_LIMIT]
    named = {found[1]: found[2] or found[3] or "" for found in _QUOTED.finditer(info)}
    rest = _QUOTED.sub("", info)
    label = _LABEL.search(rest)
    braces = _BRACES.search(rest)
    title = named.get("title") or named.get("filename") or (label[1].strip() if label else "")
    marked = named.get("hl_lines") or (braces[1] if braces else "")
    return FenceInfo(_language(_BRACES.sub("", rest)), title, _lines(marked))


def _language(rest: str) -> str:
    found = _LANGUAGE.match(rest)
    if found is None:
        return ""
    braced, word = found["braced"] or "", found["word"]
    if braced and (braced not in _DIRECTIVES or not word):
        word = "" if braced in _DIRECTIVES else braced
    return word.lower().lstrip(".")


def _lines(ranges: str) -> frozenset[int]:
    lines: set[int] = set()
    for part in re.findall(r"\d{1,6}(?:-\d{1,6})?", ranges):
        first, _, last = part.partition("-")
        lines.update(range(int(first), min(int(last or first), _HIGHEST_LINE) + 1))
    return frozenset(lines)
