"""Titles in a browser's tab."""

from __future__ import annotations

import pytest

from doctrove_builder.render.environment import LONGEST_TITLE, titled


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        (("Routing", "Express 5.1.0", "Trove"), "Routing · Express 5.1.0 · Trove"),
        (("Trove", "Trove"), "Trove"),
        (("R" * 40, "Express 5.1.0", "A trove of documentation"), "R" * 40 + " · Express 5.1.0"),
        (("word " * 20, "Express"), "word " * 12 + "word…"),
    ],
    ids=["all", "once", "what-fits", "shortened"],
)
def test_a_title_says_what_the_page_belongs_to_while_there_is_room(
    parts: tuple[str, ...], title: str
) -> None:
    assert titled(*parts)[:LONGEST_TITLE] == titled(*parts)
    assert titled(*parts) == title
