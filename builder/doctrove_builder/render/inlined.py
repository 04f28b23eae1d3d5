"""Assets within a page that cannot name files: the page for what is missing, at an unknown address.

Its policy allows these very texts by their hashes (W3C CSP level 3, section 2.3.1), nothing else.
"""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import quote

from markupsafe import Markup

from doctrove_builder.render.look import PROJECT_STYLE

if TYPE_CHECKING:
    from doctrove_builder.render.look import Look

_KINDS = {
    "style.css": ("style-src", "<style>", "</style>"),
    PROJECT_STYLE: ("style-src", "<style>", "</style>"),
    "theme.js": ("script-src", "<script>", "</script>"),
    "missing.js": ("script-src", '<script type="module">', "</script>"),
}
_ICON = "favicon.svg"


@lru_cache(maxsize=4)
def inlined(look: Look) -> dict[str, Markup]:
    """Return the element that holds each asset which can stand in a page, by the asset's name."""
    made = {
        name: Markup(f"{_KINDS[name][1]}{text}{_KINDS[name][2]}")
        for name, text in _texts(look).items()
    }
    icon = next(asset.content for asset in look.assets if asset.name == _ICON)
    address = f"data:image/svg+xml,{quote(icon)}"
    made[_ICON] = Markup(f'<link rel="icon" href="{address}" type="image/svg+xml">')
    return made


def policy_inlined(policy: str, look: Look) -> str:
    """Return a policy that allows these texts too."""
    for name, text in _texts(look).items():
        digest = b64encode(sha256(text.encode()).digest()).decode()
        kind = f"{_KINDS[name][0]} 'self'"
        policy = policy.replace(kind, f"{kind} 'sha256-{digest}'")
    return policy.replace("img-src 'self'", "img-src 'self' data:")


def _texts(look: Look) -> dict[str, str]:
    """Return the assets as they stand in a page: nothing in them ends their element."""
    return {
        asset.name: asset.content.decode().replace("</", "<\\/").replace("<!--", "<\\!--")
        for asset in look.assets
        if asset.name in _KINDS
    }
