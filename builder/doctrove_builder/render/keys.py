"""Names of views and sections by all that decides their bytes; which view needs which section."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from doctrove_builder.render.change_views import ChangesView, CompareView
from doctrove_builder.render.fingerprint import code_version
from doctrove_builder.render.machine_views import JsonView, MarkdownView
from doctrove_builder.render.views import (
    AssetView,
    HomeView,
    LibraryView,
    MissingView,
    PageView,
    RedirectView,
    TextView,
)

if TYPE_CHECKING:
    from doctrove_builder.site import SectionSource

HtmlView: TypeAlias = (
    HomeView | LibraryView | PageView | ChangesView | CompareView | MissingView | RedirectView
)
View: TypeAlias = HtmlView | AssetView | TextView | JsonView | MarkdownView

_encoder = msgspec.msgpack.Encoder()


@lru_cache(maxsize=1 << 16)
def section_key(source: SectionSource) -> str:
    """Name a section's HTML: SHA-256 of all that decides it, in hexadecimal."""
    return sha256(_encoder.encode(source)).hexdigest()


def view_key(view: View) -> str:
    """Name a view's bytes: SHA-256 of all that decides them, this code included, in hexadecimal.

    The HTML of its sections counts by the digest of their sources; whoever keeps rendered views
    adds what decides that HTML besides, the version of the Markdown renderer.
    """
    return sha256(code_version().encode() + _encoder.encode(view)).hexdigest()


def section_keys(view: View) -> tuple[str, ...]:
    """Return the digests of the sections whose HTML this view is rendered with."""
    if isinstance(view, PageView):
        return tuple(section.key for section in view.sections if section.key)
    return ()
