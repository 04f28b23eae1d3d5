"""Ids of headings: only those that a build would not give by itself are written."""

from __future__ import annotations

import pytest

from doctrove_builder.importing.heading_ids import without_needless_ids


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        pytest.param("## Install it {#install-it}", "## Install it", id="the slug"),
        pytest.param("### `a_b()` {#a_b}", "### `a_b()`", id="the slug of code"),
        pytest.param("## Install {#setup}", "## Install {#setup}", id="another id"),
        pytest.param("## *Install* {#install}", "## *Install* {#install}", id="text with markup"),
        pytest.param(
            "## A {#a}\n\n## A {#a-1}", "## A {#a}\n\n## A {#a-1}", id="a heading that comes twice"
        ),
        pytest.param("## A {#a}\n\n## B {#c}\n\n## C {#c-1}", None, id="an id that is a slug"),
        pytest.param("## A\n\n### A {#a}", "## A\n\n### A {#a}", id="one without an id before it"),
        pytest.param("## Page {#page}", "## Page {#page}", id="the heading that the title is"),
        pytest.param("```\n## A {#a}\n```", "```\n## A {#a}\n```", id="code"),
    ],
)
def test_an_id_is_written_where_the_text_does_not_give_it(
    markdown: str, expected: str | None
) -> None:
    wanted = markdown.replace("A {#a}", "A") if expected is None else expected
    assert without_needless_ids(markdown, title="Page") == wanted
