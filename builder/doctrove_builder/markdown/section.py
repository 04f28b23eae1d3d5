"""The body of a section to safe HTML: the same source gives the same bytes."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from html import escape
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING

from doctrove_builder.markdown.blocks import render_blocks
from doctrove_builder.markdown.faults import too_long
from doctrove_builder.markdown.parser import body_parser
from doctrove_builder.markdown.rendering import Rendering
from doctrove_builder.markdown.sanitise import clean_body

if TYPE_CHECKING:
    from doctrove_builder.site import SectionSource

_LIBRARIES = ("markdown-it-py", "mdit-py-plugins", "nh3", "pygments")


def render_section(source: SectionSource) -> str:
    """Return the HTML of a section's body.

    In `source.links` an address to write may end in a blank and a picture's size, `640x480`.
    Headings get their ids from `source.anchors`, in order. A body above the limit stays text.
    """
    if too_long(source.body, source="", line=1):
        return f"<pre>{escape(source.body, quote=False)}</pre>\n"
    rendering = Rendering(source)
    html = render_blocks(body_parser().parse(source.body), rendering)
    return rendering.restored(clean_body(html))


@cache
def code_version() -> str:
    """Return a hash of the code that turns Markdown into HTML: this package and its libraries."""
    digest = sha256()
    package = files("doctrove_builder.markdown")
    for module in sorted(package.iterdir(), key=lambda one: one.name):
        if module.name.endswith(".py"):
            digest.update(f"{module.name}\0".encode() + module.read_bytes() + b"\0")
    for library in _LIBRARIES:
        digest.update(f"{library} {version(library)}\0".encode())
    return digest.hexdigest()
