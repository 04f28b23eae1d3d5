"""Search in the page: the files below `_search/` that the site's search dialog reads.

A list of titles, headings and symbols for each volume, a list of words for repairing typos, and
the full text as Pagefind indexes it, where that is installed. No server answers a search.
"""

from __future__ import annotations

from doctrove_builder.search.engine import Engine, find_engine
from doctrove_builder.search.making import Searching, Workshop, searching
from doctrove_builder.search.scope import searched_volumes

__all__ = [
    "Engine",
    "Searching",
    "Workshop",
    "find_engine",
    "searched_volumes",
    "searching",
]
