"""Check that a page made with a project's templates keeps what every page promises."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import escape

from doctrove_builder.render.errors import TemplateRefused

if TYPE_CHECKING:
    from doctrove_builder.render.look import Look

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script", re.IGNORECASE | re.DOTALL)
_ANY_SCRIPT = re.compile(r"<[\s/]*script\b(?<!/script)", re.IGNORECASE)
_SOURCE = re.compile(r'\bsrc="(?:[./]|[^":/]+/)*([^"/]+)"')
_EQUIVALENT = re.compile(r"\bhttp-equiv\s*=\s*[\"']?\s*([a-z-]*)", re.IGNORECASE)


def check_page(text: str, *, source: str, look: Look, policy: str, redirects: bool) -> None:
    """Raise `TemplateRefused` for a page without the policy, or with a script that is not ours.

    `source` is the template that is to blame.
    """
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
    head, found, _ = text.partition(meta)
    if not found or "<body" in head.lower() or _ANY_SCRIPT.search(head):
        raise TemplateRefused(
            "the page has lost its content security policy",
            source=source,
            hint='extend "!layout.html" and leave its beginning alone',
        )
    ours = {asset.path.rpartition("/")[2] for asset in look.assets if asset.name.endswith(".js")}
    scripts = _SCRIPT.findall(text)
    sources = [_SOURCE.search(attributes) for attributes, _ in scripts]
    named = [match is not None and match[1] in ours for match in sources]
    if len(scripts) != len(_ANY_SCRIPT.findall(text)) or not all(named):
        raise TemplateRefused("the page loads a script of its own", source=source)
    allowed = {"content-security-policy", *(["refresh"] if redirects else [])}
    if {kind.lower() for kind in _EQUIVALENT.findall(text)} - allowed:
        raise TemplateRefused("the page has an http-equiv of its own", source=source)
