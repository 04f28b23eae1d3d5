"""Finding the file that a page means by a path, inside the source and nowhere else."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

import msgspec

from doctrove_builder.importing.source_tree import SourceTree, resolve_path


class Files(msgspec.Struct, frozen=True, kw_only=True):
    """The source and the folders that paths in its pages may be relative to."""

    tree: SourceTree
    docs: str
    """Folder of the documentation; empty for the whole source."""

    bases: tuple[str, ...] = ()
    """Further folders, the configured ones first."""

    def find(self, path: str, *, page: str, configured_first: bool = False) -> str | None:
        """Return the file that a page means; None when there is none inside the source.

        `@/x`, `~/x` and `/x` begin at the documentation's folder or one of the bases.
        """
        path = path.strip()
        bases = (*self.bases, self.docs, "")
        folder = posixpath.dirname(page)
        if path.startswith(("@/", "~/", "@site/", "~@/")):
            path = path.partition("/")[2]
            order = (self.docs, *bases, posixpath.dirname(self.docs))
        elif path.startswith("/"):
            path = path.lstrip("/")
            order = (self.docs, *bases)
        else:
            order = (*bases, folder) if configured_first else (folder, *bases)
        for candidate in (path, unquote(path)):
            for base in order:
                found = resolve_path(candidate, folder=base)
                if found is not None and found in self.tree:
                    return found
        return None

    def leads_out(self, path: str, *, page: str) -> bool:
        """Say whether a path that was not found leaves the source by every reading."""
        bases = (posixpath.dirname(page), self.docs, *self.bases)
        return all(resolve_path(path, folder=base) is None for base in bases)
