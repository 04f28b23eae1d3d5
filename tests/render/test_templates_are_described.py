"""The description of the templates names every template and every block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import doctrove_site_template

if TYPE_CHECKING:
    from doctrove_builder.render import Look

INNER = {"html_attributes"}
"""Blocks that the built-in templates keep for themselves."""


def test_every_template_and_every_block_is_described(look: Look) -> None:
    described = doctrove_site_template.__doc__ or ""
    for name, text in look.templates:
        blocks = set(re.findall(r"{% block (\w+) %}", text)) - INNER
        assert name in described
        assert not {block for block in blocks if f"`{block}`" not in described}, name
