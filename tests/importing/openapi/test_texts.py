"""Descriptions as Markdown: Markdown stays, HTML becomes it."""

from __future__ import annotations

import pytest

from doctrove_builder.importing.openapi.texts import described


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(
            '<p>Set <code>limit</code>, see <a href="/a">A</a> and <a href="">B</a>.</p>',
            ["Set `limit`, see [A](https://example.org/a) and B."],
            id="html",
        ),
        pytest.param(
            "<fullname>Boxes</fullname> <p>One.</p><ul><li><p>a</p></li><li>b</li></ul>",
            ["Boxes", "", "One.", "", "- a", "- b"],
            id="html-with-tags-of-its-own",
        ),
        pytest.param(
            '<p align="center">Mark</p>\n\nText *as it is*.',
            ['<p align="center">Mark</p>', "", "Text *as it is*."],
            id="markdown-with-html",
        ),
        pytest.param("Less <p than this", ["Less <p than this"], id="markdown"),
        pytest.param("<p>Only begun", ["<p>Only begun"], id="never-closed"),
    ],
)
def test_a_description_becomes_markdown(text: str, lines: list[str]) -> None:
    assert described(text, "https://example.org/docs/") == lines


def test_html_that_is_nested_deeply_is_read() -> None:
    assert "x" in "\n".join(described("<p>" + "<b>" * 5000 + "x" + "</b>" * 5000 + "</p>"))
