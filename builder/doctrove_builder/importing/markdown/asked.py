"""Whether the options of the kind `markdown` name what the source has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import OptionRefused
from doctrove_builder.importing.source_tree import resolve_path

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import Options
    from doctrove_builder.importing.source_tree import SourceTree


def check_asked(tree: SourceTree, options: Options) -> None:
    """Raise `OptionRefused` for an option that names what the source does not have."""
    for folder in options.texts("include-from"):
        path = resolve_path(folder)
        if path is None or (path != "." and not tree.under(path)):
            raise OptionRefused(f"include-from names {folder!r}, which is no folder of the source")
    language = options.text("language").lower().replace("_", "-")
    named = re.compile(rf"(?:^|[/.-]){re.escape(language[:2])}(?:[/.-]|$)")
    paths = (path.lower().replace("_", "-") for path in tree.paths)
    if language and not any(named.search(path) for path in paths):
        raise OptionRefused(f"the source has no pages in the language {options.text('language')!r}")
