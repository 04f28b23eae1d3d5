"""Parts of a page that MDX imports from other files: Markdown partials and files shown as code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.hidden import without_hidden
from doctrove_builder.importing.markdown.includes import MARKDOWN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_builder.importing.markdown.includes import Includer
    from doctrove_builder.importing.markdown.lines import Line

_USE = re.compile(r"(?P<indent>[ \t]*)<(?P<name>[A-Z]\w*)\b[^>]*?/>[ \t]*")
_CODE = re.compile(
    r"(?P<indent>[ \t]*)<(?:CodeBlock|Code|Snippet)\b(?P<attributes>[^>]*)>\s*\{(?P<name>\w+)\}\s*"
    r"</\w+>[ \t]*"
)
_LANGUAGE = re.compile(r"""(?:language|lang|className)=["'{`]*(?:language-)?([\w+-]+)""")


def with_partials(
    lines: Sequence[Line], imported: Mapping[str, str], includer: Includer
) -> list[Line]:
    """Put the text of imported partials and files where the page uses them."""
    texts = {n: p for n, p in imported.items() if p.lower().endswith(MARKDOWN) and "!" not in p}
    raws = {n: p.rpartition("!")[2].removesuffix("?raw") for n, p in imported.items()}
    if not imported:
        return list(lines)
    made: list[Line] = []
    for line in lines:
        found = _USE.fullmatch(line.text)
        if found and found["name"] in texts:
            part = includer.text_of(texts[found["name"]], line, found["indent"])
            made += without_hidden(part, mdx=True).lines
            continue
        code = _CODE.fullmatch(line.text)
        if code and code["name"] in raws:
            language = _LANGUAGE.search(code["attributes"])
            info = language[1] if language else ""
            made += includer.code_of(raws[code["name"]], line, info=info)
            continue
        made.append(line)
    return made
