"""Which markup and which style a package's docstrings are written in, judged by what they hold."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Markup = Literal["markdown", "rst"]
Style = Literal["google", "numpy", "sphinx"]

_RST = re.compile(
    r"""(?mx)
    ^\s*\.\.\s+[\w:+-]+::          # a directive
    | (?<![`\w]):[\w:+.-]+:`[^`]+` # a role
    | `[^`<>\n]+\s<[^<>`\s]+>`__?  # a link
    | ::\s*\n\s*\n\s+\S            # a literal block
    | ^\s*\.\.\s+_[^:\n]+:\s
    | (?<!`)``(?!`)[^`\n]+``(?!`)
    | ^\S.*\n[~^"'*+]{4,}\s*$      # a title
    """
)
_MARKDOWN = re.compile(
    r"""(?mx)
    ^\s*```
    | \[[^\]\n]+\]\([^)\s]+\)
    | \[`?[^\]\n]+`?\]\[[\w.]*\]
    | (?<![`:\w])`[^`\n]+`(?![`_\w])
    | ^\#{1,6}\s\S
    | ^!!!\s\w
    """
)
_GOOGLE = re.compile(
    r"""(?mx)^[ \t]*(?:Args|Arguments|Params|Parameters|Keyword\ Args|Keyword\ Arguments
    |Other\ Parameters|Returns?|Yields?|Receives?|Raises|Exceptions|Warns|Attributes|Examples?
    |Functions|Methods|Classes|Modules|Deprecated|Type\ Parameters)[ \t]*:[ \t]*\n[ \t]+\S"""
)
_NUMPY = re.compile(
    r"(?m)^[ \t]*(?:Parameters|Other Parameters|Returns|Yields|Receives|Raises|Warns|Attributes"
    r"|Examples|Methods|Functions|Deprecated|See Also|Notes|References|Warnings)[ \t]*\n[ \t]*-{3,}"
)


def docstring_style(text: str) -> Style:
    """Return the style of one docstring; `sphinx` covers those without sections."""
    if _NUMPY.search(text):
        return "numpy"
    return "google" if _GOOGLE.search(text) else "sphinx"


def common_markup(texts: Iterable[str]) -> Markup:
    """Return the markup of most of the docstrings that show any."""
    votes = Counter(sign for text in texts if (sign := _sign(text)))
    return "rst" if votes["rst"] > votes["markdown"] else "markdown"


def docstring_markup(text: str, common: Markup) -> Markup:
    """Return the markup of one docstring: that of its package unless it shows the other alone."""
    return _sign(text) or common


def _sign(text: str) -> Markup | None:
    """Return what a text shows clearly; None where it shows both or neither."""
    rst, markdown = bool(_RST.search(text)), bool(_MARKDOWN.search(text))
    if rst == markdown:
        return None
    return "rst" if rst else "markdown"
