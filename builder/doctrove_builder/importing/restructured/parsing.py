"""One text of reStructuredText to a document's tree; reads no disk but through `read_file`."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.transforms import references
from docutils.utils import new_document

from doctrove_builder.importing.restructured.code_directives import CODE
from doctrove_builder.importing.restructured.object_directives import OBJECTS
from doctrove_builder.importing.restructured.reading import Reader
from doctrove_builder.importing.restructured.session import Session, Setting
from doctrove_builder.importing.restructured.states import own_classes, own_inliner
from doctrove_builder.importing.restructured.text_directives import TEXT, Unknown
from doctrove_builder.importing.unreadable import why_unread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from docutils import nodes

    from doctrove_builder.importing.prose.tree import Blocks
    from doctrove_builder.importing.restructured.marks import AutoDescribed
    from doctrove_builder.importing.restructured.session import ReadFile

    Automatic = Callable[[AutoDescribed, Blocks], Blocks]

MAX_CHARACTERS = 4_000_000
_SILENT = 5  # above every level of docutils: nothing is printed, nothing raised
_ERROR = 3
_FAULTS = (AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What docutils raises on texts that it does not foresee: circles, deep lists."""

_DIRECTIVES = {**TEXT, **CODE, **OBJECTS}
_TRANSFORMS = (
    references.PropagateTargets,
    references.AnonymousHyperlinks,
    references.IndirectHyperlinks,
    references.Footnotes,
    references.ExternalTargets,
    references.InternalTargets,
    references.Substitutions,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A document, and what its reading found beside the text."""

    blocks: Blocks
    notes: tuple[tuple[str, int, str], ...]
    """Kind, line and message of what was left out or is wrong."""

    labels: Mapping[str, str]
    """By explicit name: the anchor that it leads to."""

    entries: tuple[str, ...]
    """Documents that its toctrees name."""

    inserted: tuple[str, ...] = ()
    """Files whose text stands in it."""

    included: tuple[tuple[int, str, tuple[int, int]], ...] = ()
    """Files whose lines stand in its code blocks: its own line, the file, first and last line."""


def parse_rst(
    text: str,
    *,
    file: str,
    read_file: ReadFile | None = None,
    setting: Setting | None = None,
    automatic: Automatic | None = None,
) -> Parsed:
    """Parse a text; what docutils cannot read is noted, and kept as text where it can be.

    `automatic` gives what autodoc directives stand for.
    """
    setting = setting or Setting()
    session = Session(
        file=file,
        read_file=read_file or _no_file,
        setting=setting,
        directives=_DIRECTIVES,
        unknown_directive=Unknown,
        highlight=setting.highlight,
    )
    if len(text) > MAX_CHARACTERS:
        note = ("page-too-large", 1, f"the text has {len(text):,} characters and is left out")
        return Parsed(blocks=(), notes=(note,), labels={}, entries=())
    try:
        document = _document(f"{setting.prolog}{text}{setting.epilog}", session)
        reader = Reader(document, highlight=session.highlight, automatic=automatic)
        blocks = reader.blocks(document.children)
    except _FAULTS as error:
        why = why_unread(error, reader="docutils")
        note = ("page-unreadable", 1, f"it is not read: {why}")
        return Parsed(blocks=(), notes=(note,), labels={}, entries=())
    return Parsed(
        blocks=blocks,
        notes=tuple(dict.fromkeys(session.notes)),
        labels=reader.labels,
        entries=tuple(session.entries),
        inserted=tuple(session.inserted),
        included=tuple(reader.included),
    )


def _document(text: str, session: Session) -> nodes.document:
    """Parse and transform; docutils' own messages become notes."""
    settings: Any = copy(_settings())
    document: Any = new_document(session.file, settings)
    document.session = session

    def observe(message: nodes.system_message) -> None:
        if message["level"] >= _ERROR:
            said = message.children[0].astext() if message.children else ""
            session.note("rst-error", message.get("line", 0), " ".join(said.split())[:200])

    document.reporter.attach_observer(observe)
    parser = Parser(inliner=own_inliner(session))
    parser.state_classes = own_classes()
    parser.parse(text, document)
    document.transformer.add_transforms(list(_TRANSFORMS))
    try:
        document.transformer.apply_transforms()
    except _FAULTS as error:
        why = why_unread(error, reader="docutils")
        session.note("rst-error", 1, f"references are not resolved: {why}")
    found: nodes.document = document
    return found


@lru_cache(maxsize=1)
def _settings() -> Any:  # noqa: ANN401 - docutils' own bag of values
    settings: Any = get_default_settings(Parser)
    settings.report_level = settings.halt_level = _SILENT
    settings.file_insertion_enabled = settings.raw_enabled = False
    settings.syntax_highlight = "none"
    settings.smart_quotes = False
    settings.trim_footnote_reference_space = True
    settings.pep_references = settings.rfc_references = False
    settings.line_length_limit = 20_000
    return settings


def _no_file(path: str) -> str | None:  # noqa: ARG001 - the shape of a reader
    return None
