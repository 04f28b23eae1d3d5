"""The author's report card: what a build noticed, as figures, plots and places to look at."""

from __future__ import annotations

from doctrove_builder.report.card import Card
from doctrove_builder.report.figures import card_of
from doctrove_builder.report.files import report_files

__all__ = ["Card", "card_of", "report_files"]
