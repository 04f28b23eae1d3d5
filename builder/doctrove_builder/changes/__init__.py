"""What changed between two versions of a library, computed from their text alone. Pure.

`edits` finds the fewest edits between two sequences, `texts` the differences of two sections,
`volumes` those of two volumes, `history` what they say of each section: since when, last changed.
The site's script `comparing.js` holds the same rules for pairs that a reader chooses.
"""

from doctrove_builder.changes.history import History, predecessors, trace
from doctrove_builder.changes.texts import Piece, Row, compare_texts
from doctrove_builder.changes.volumes import Change, Comparison, compare_volumes

__all__ = [
    "Change",
    "Comparison",
    "History",
    "Piece",
    "Row",
    "compare_texts",
    "compare_volumes",
    "predecessors",
    "trace",
]
