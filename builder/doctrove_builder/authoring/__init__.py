"""Reading the authoring tree: disk to documents, documents to libraries, volumes and pages."""

from __future__ import annotations

from doctrove_builder.authoring.ignored import IGNORED, is_ignored
from doctrove_builder.authoring.mapping import parse_mapping
from doctrove_builder.authoring.marked import Marked, MarkedList, MarkedMapping, Scalar
from doctrove_builder.authoring.pages import Each, PageParser, PageRequest
from doctrove_builder.authoring.parse import parse_authoring
from doctrove_builder.authoring.readings import Readings
from doctrove_builder.authoring.tree import Limits, read_tree

__all__ = [
    "IGNORED",
    "Each",
    "Limits",
    "Marked",
    "MarkedList",
    "MarkedMapping",
    "PageParser",
    "PageRequest",
    "Readings",
    "Scalar",
    "is_ignored",
    "parse_authoring",
    "parse_mapping",
    "read_tree",
]
