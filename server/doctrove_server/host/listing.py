"""The page that lists a folder: a list of relative links and nothing else."""

from __future__ import annotations

from html import escape
from urllib.parse import quote


def render_listing(parts: tuple[str, ...], names: tuple[str, ...]) -> bytes:
    """Write the page for the folder at `parts`; of the names, those of folders end in a slash."""
    title = escape("/" + "".join(f"{part}/" for part in parts))
    up = ('<li><a href="../">../</a></li>',) if parts else ()
    items = "\n".join((*up, *map(_item, names)))
    page = (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<h1>{title}</h1>\n<ul>\n{items}\n</ul>\n</html>\n"
    )
    # A name that is no UTF-8 on disk has no address here.
    return page.encode(errors="replace")


def _item(name: str) -> str:
    href = "./" + quote(name.encode(errors="replace"), safe="/")
    return f'<li><a href="{href}">{escape(name)}</a></li>'
