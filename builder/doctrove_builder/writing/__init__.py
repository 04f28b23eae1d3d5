"""Writing the output: a tree of files, published in one step or not at all."""

from doctrove_builder.writing.artefact import Artefact, Reuse
from doctrove_builder.writing.destination import KEPT, check_destination
from doctrove_builder.writing.errors import (
    ArtefactRefused,
    DestinationBusy,
    DestinationRefused,
    DiskFailed,
    TreeChanged,
    WritingError,
)
from doctrove_builder.writing.exchange import Exchange, TwoRenames, exchange_trees
from doctrove_builder.writing.listing import reusable
from doctrove_builder.writing.manifest import FileEntry, Manifest, read_manifest
from doctrove_builder.writing.publish import Published, publish_tree
from doctrove_builder.writing.settling import repair

__all__ = [
    "KEPT",
    "Artefact",
    "ArtefactRefused",
    "DestinationBusy",
    "DestinationRefused",
    "DiskFailed",
    "Exchange",
    "FileEntry",
    "Manifest",
    "Published",
    "Reuse",
    "TreeChanged",
    "TwoRenames",
    "WritingError",
    "check_destination",
    "exchange_trees",
    "publish_tree",
    "read_manifest",
    "repair",
    "reusable",
]
