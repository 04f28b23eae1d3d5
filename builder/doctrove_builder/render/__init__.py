"""Render: from the site's values to the files of `dist/`, each planned first and then written.

`plan_site` decides which files there are and everything that is in each (a view); `view_key` names
a view's bytes, so that what was rendered before is not rendered again; `render_view` makes them.
"""

from doctrove_builder.render.errors import RenderError
from doctrove_builder.render.fingerprint import code_version
from doctrove_builder.render.keys import View, section_key, section_keys, view_key
from doctrove_builder.render.look import Look, make_look, read_overrides
from doctrove_builder.render.plan import plan_site
from doctrove_builder.render.rendering import check_templates, render_view

__all__ = [
    "Look",
    "RenderError",
    "View",
    "check_templates",
    "code_version",
    "make_look",
    "plan_site",
    "read_overrides",
    "render_view",
    "section_key",
    "section_keys",
    "view_key",
]
