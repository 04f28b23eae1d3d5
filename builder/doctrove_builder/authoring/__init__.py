"""Reading the authoring tree: disk to documents, documents to libraries, volumes and pages."""

from __future__ import annotations

from doctrove_builder.authoring.mapping import parse_mapping
from doctrove_builder.authoring.marked import Marked, MarkedMapping, Scalar, Sequence

__all__ = ["Marked", "MarkedMapping", "Scalar", "Sequence", "parse_mapping"]
