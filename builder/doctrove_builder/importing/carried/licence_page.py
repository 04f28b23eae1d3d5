"""The texts of a source's licences as a page of its volume: what is republished says its terms."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from doctrove_builder.importing.imported import ImportedPage
from doctrove_builder.importing.prose.blocks import fenced
from doctrove_builder.importing.prose.tree import CodeBlock
from doctrove_schema.model import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from doctrove_builder.importing.source_tree import SourceTree

PATH = "license"
_BESIDE = "license-text"
"""Path of the page where the documentation has a page of its own of that name."""


def licence_page(
    tree: SourceTree, texts: Mapping[str, str], pages: Iterable[ImportedPage], *, spdx: str
) -> Iterator[ImportedPage]:
    """Yield a page that holds the texts as they are, by file name; none where there is no text."""
    lines = [f"The license is `{spdx}`."] if spdx and texts else []
    spans: list[tuple[int, int, Origin]] = []
    for name, text in texts.items():
        written = fenced(CodeBlock(text.strip("\n"), "text", posixpath.basename(name)))
        lines += ["", *written] if lines else written
        if name in tree:
            origin = Origin(file=name, lines=(1, text.rstrip("\n").count("\n") + 1))
            spans.append((len(lines) - len(written) + 1, len(lines), origin))
    if texts:
        taken = any(page.path.lower() == PATH for page in pages)
        yield ImportedPage(
            path=_BESIDE if taken else PATH,
            title="License",
            markdown="\n".join(lines) + "\n",
            origins=tuple(spans),
        )
