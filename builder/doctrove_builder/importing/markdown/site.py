"""What is known of the site that a source was written for."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from doctrove_builder.importing.markdown.plain import text_of


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the documentation's site."""

    generator: str = "plain"
    docs: str = ""
    """Folder of the pages; empty for the whole source."""

    config: str = ""
    """File of the settings."""

    settings: Mapping[str, object] = msgspec.field(default_factory=dict[str, object])
    """Of MkDocs, as data."""

    text: str = ""
    """Of settings that are a program: read as text alone."""

    bases: tuple[str, ...] = ()
    """Folders that includes may be relative to."""

    extlinks: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])

    @property
    def vue(self) -> bool:
        """Whether pages are Vue templates."""
        return self.generator in {"vitepress", "vuepress"}

    @property
    def in_place(self) -> bool:
        """Whether pictures are published where they stand beside the pages."""
        return self.generator not in {
            *("docusaurus", "fumadocs", "sphinx", "starlight", "vitepress", "vuepress"),
        }

    def setting(self, name: str) -> str:
        """Return a setting that is a text."""
        return text_of(self.settings.get(name))
