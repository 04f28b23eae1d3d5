"""A page's lines with their links resolved, as the page that an importer gives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.imported import ImportedPage, Note
from doctrove_builder.importing.markdown.atlas import Atlas, page_url
from doctrove_builder.importing.markdown.decoration import is_pictures, shows_picture
from doctrove_builder.importing.markdown.lines import runs
from doctrove_builder.importing.markdown.link_text import defined_labels, rewritten
from doctrove_builder.importing.markdown.linking import Linker
from doctrove_builder.importing.markdown.spans import origin_spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from doctrove_builder.importing.markdown.draft import Draft
    from doctrove_builder.importing.markdown.lines import Line
    from doctrove_builder.importing.markdown.pictures import Pictures


def write_page(
    draft: Draft, atlas: Atlas, pictures: Pictures, notes: list[Note]
) -> tuple[ImportedPage, int]:
    """Return a page, and how many of its links lead to pages of the source."""
    text = "\n".join(line.text for line in draft.lines)
    linker = Linker(atlas, draft, pictures, defined=defined_labels(text))
    lines = _linked(draft.lines, linker)
    notes += (*draft.notes, *linker.notes)
    url = page_url(atlas.site_url, draft.path, atlas.directory_urls) if atlas.site_url else ""
    page = ImportedPage(
        path=draft.path,
        title=draft.title,
        description=draft.front.text("description", "summary", "excerpt"),
        markdown="\n".join(line.text for line in lines),
        origins=origin_spans(lines, draft.file),
        symbols=draft.symbols,
        url=url,
    )
    return page, linker.internal


def _linked(lines: Sequence[Line], linker: Linker) -> list[Line]:
    """Rewrite the links, paragraph by paragraph so that notes name a line."""
    made: list[Line] = []
    for is_text, run in runs(lines):
        for paragraph in _paragraphs(run) if is_text else [run]:
            linker.line = paragraph[0].number
            text = "\n".join(line.text for line in paragraph)
            changed = _rewritten(text, linker) if is_text else text
            made += [
                line.with_text(one)
                for line, one in zip(paragraph, changed.split("\n"), strict=True)
            ]
    return made


def _rewritten(text: str, linker: Linker) -> str:
    changed = rewritten(text, linker)
    if changed != text and is_pictures(text) and not shows_picture(changed):
        return "\n" * text.count("\n")  # the descriptions of pictures alone say nothing
    return re.sub(r"^(#+ .*?)[ \t]+(\{#[\w.-]+\})$", r"\1 \2", changed, flags=re.MULTILINE)


def _paragraphs(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or not lines[end].text.strip():
            yield lines[start:end]
            start = end
