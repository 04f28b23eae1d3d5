"""Addresses of links and pictures, listed or exchanged; all else stays as it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.link_text import rewritten

if TYPE_CHECKING:
    from doctrove_builder.importing.markdown.link_text import Target


def readdressed(text: str, target: Target) -> str:
    """Return a run of Markdown with the addresses that `target` gives; its lines stay."""
    return rewritten(text, _Readdressing(target))


def addresses_in(text: str) -> tuple[tuple[str, bool], ...]:
    """Return each address of a run of Markdown, and whether it is a picture's."""
    found: list[tuple[str, bool]] = []

    def noted(address: str, image: bool) -> str:
        found.append((address, image))
        return address

    readdressed(text, noted)
    return tuple(found)


class _Readdressing:
    def __init__(self, target: Target) -> None:
        self._target = target

    def target(self, address: str, image: bool, /) -> str | None:
        return self._target(address, image)

    def name(self, _address: str, /) -> str:
        return ""

    def reference(self, _label: str, /) -> str | None:
        return None
