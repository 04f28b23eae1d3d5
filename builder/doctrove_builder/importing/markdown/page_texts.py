"""Which files become pages: within a limit, no drafts, no parts of others, none that is empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown.frontmatter import split_front

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.markdown.draft import Draft
    from doctrove_builder.importing.source_tree import SourceTree

MAX_CHARACTERS = 256 * 1024 * 1024
"""Of all pages together."""


def page_texts(tree: SourceTree, files: Sequence[str], notes: list[Note]) -> dict[str, str]:
    """Return the texts of files that are to be read; the others are noted."""
    found: dict[str, str] = {}
    total = 0
    for file in files:
        try:
            text = tree.read_text(file)
        except FileRefused as error:
            notes.append(Note(kind="page-refused", place=file, message=error.message))
            continue
        total += len(text)
        if total > MAX_CHARACTERS:
            message = f"with it the pages have more than {MAX_CHARACTERS:,} characters"
            notes.append(Note(kind="page-refused", place=file, message=message))
            continue
        found[file] = text
        if "\ufffd" in found[file] and not _is_utf8(tree.read_bytes(file)):
            message = "it is not all UTF-8; other bytes are shown as a replacement character"
            notes.append(Note(kind="page-not-utf-8", place=file, message=message))
        front = split_front(found[file])
        if front.values.get("draft") is True or front.values.get("published") is False:
            notes.append(Note(kind="draft-left-out", place=file, message="its author calls it so"))
            del found[file]
    return found


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return True


def without_parts(drafts: Sequence[Draft], notes: list[Note]) -> list[Draft]:
    """Leave out the files that other pages include: they are parts, not pages.

    Of two that include each other none is a part.
    """
    uses = {draft.file: draft.used for draft in drafts}
    used = {
        file
        for draft in drafts
        for file in draft.used
        if file != draft.file and draft.file not in uses.get(file, ())
    }
    kept: list[Draft] = []
    for draft in drafts:
        if draft.file in used and not draft.path.endswith("index"):
            notes.append(Note(kind="part-left-out", place=draft.file, message="pages include it"))
        else:
            kept.append(draft)
    return kept


def with_text(drafts: Sequence[Draft], notes: list[Note]) -> list[Draft]:
    """Leave out the pages that hold nothing but headings: there is nothing to look up in them."""
    kept: list[Draft] = []
    for draft in drafts:
        if any(line.text.strip() and not line.text.startswith("#") for line in draft.lines):
            kept.append(draft)
        else:
            notes += draft.notes  # a missing include, for instance, is why
            notes.append(Note(kind="page-empty", place=draft.file, message="it has no text"))
    return kept
