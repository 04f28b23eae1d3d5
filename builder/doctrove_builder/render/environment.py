"""The template engine, set up so that a project's templates can read views and do nothing else.

Templates see the fields of views, a few filters and the functions below. There is no attribute of
a Python object but those, no import, no way to turn escaping off; `meter` bounds the rest.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

import msgspec
from jinja2 import (
    FunctionLoader,
    StrictUndefined,
    TemplateNotFound,
    TemplateSyntaxError,
    nodes,
)
from jinja2.environment import TemplateModule
from jinja2.filters import FILTERS
from jinja2.runtime import LoopContext
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup, escape

from doctrove_builder.render.differences import differences
from doctrove_builder.render.folders import shortened
from doctrove_builder.render.icons import icon
from doctrove_builder.render.inlined import inlined
from doctrove_builder.render.look import OVERRIDES, PROJECT_STYLE, Look
from doctrove_builder.render.meter import calculate, joined, metered, spend, written
from doctrove_builder.render.views import PageView, SectionView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jinja2.runtime import Context

    from doctrove_builder.render.views import Shell

BUILT_IN = "!"
"""Before a template's name: the built-in one, whatever the project puts over it."""

BUILT_IN_FOLDER = "doctrove_site_template"

LONGEST_TITLE = 70
"""Browsers and search engines show about so many characters of a title."""

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""Content security policy of every page (W3C CSP level 3)."""

_SCRIPTS = "script-src 'self'"

_FILTER_NAMES: Final = (
    "capitalize", "count", "d", "default", "e", "escape", "first", "last", "length", "list",
    "lower", "reverse", "striptags", "title", "trim", "truncate", "upper",
)  # fmt: skip
_TEXT_METHODS: Final = frozenset({"endswith", "lower", "removesuffix", "startswith", "upper"})
_OPERATORS: Final = frozenset({"+", "*", "**", "%"})


class SiteEnvironment(SandboxedEnvironment):
    """The sandbox, with what may be read as a list of what is allowed."""

    intercepted_binops = _OPERATORS
    spend = staticmethod(spend)
    joined = staticmethod(joined)

    def getattr(self, obj: Any, attribute: str) -> Any:  # noqa: ANN401 (as in Jinja)
        """Read a field of a view at once; anything else goes through the sandbox."""
        if isinstance(obj, msgspec.Struct) and attribute in obj.__struct_fields__:
            return getattr(obj, attribute)
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:  # noqa: ANN401, ARG002 (as in Jinja)
        """Allow loop variables, macros of a template, some text methods, beside `getattr`."""
        if isinstance(obj, str):
            return attr in _TEXT_METHODS
        return isinstance(obj, LoopContext | TemplateModule) and not attr.startswith("_")

    def wrap_str_format(self, value: Any) -> None:  # noqa: ANN401 (as in Jinja)
        """Let `format` be refused like any other attribute."""

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # noqa: ANN401 (as in Jinja)
        """Calculate with small numbers and short texts only."""
        return calculate(
            operator,
            left,
            right,
            lambda: SandboxedEnvironment.call_binop(self, context, operator, left, right),
        )

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """Meter a project's templates; the built-in ones are trusted."""
        template = super()._parse(source, name, filename)
        ours = filename is not None and filename.startswith(f"{BUILT_IN_FOLDER}/")
        try:
            return template if ours else metered(template)
        except TemplateSyntaxError as error:
            raise TemplateSyntaxError(error.message or "", error.lineno, name, filename) from error


@lru_cache(maxsize=4)
def make_environment(look: Look) -> SiteEnvironment:
    """Return the environment for a look; made once for each in a process."""
    environment = SiteEnvironment(
        loader=FunctionLoader(_loader(dict(look.templates), dict(look.overrides))),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,
        finalize=written if look.overrides else None,
    )
    environment.filters = {name: FILTERS[name] for name in _FILTER_NAMES}
    environment.globals.clear()
    environment.globals.update(_names(look))
    return environment


def _names(look: Look) -> dict[str, Any]:
    """Return what all templates may call and read."""
    paths = {asset.name: asset.path for asset in look.assets}

    def asset(root: str, name: str) -> str:
        return f"{root}{paths[name]}"

    return {
        "asset": asset,
        "differences": differences,
        "heading": heading,
        "icon": icon,
        "inlined": partial(_inlined, inlined(look)),
        "policy": POLICY,
        "project_style": PROJECT_STYLE in paths,
        "thousands": thousands,
        "titled": titled,
    }


def _inlined(elements: Mapping[str, Markup], name: str) -> Markup:
    """Return an asset as an element, for the page that can load none."""
    return elements.get(name, Markup(""))


def policy_of(shell: Shell) -> str:
    """Return the policy of a site's pages: full text is found by WebAssembly, and by nothing else.

    `'wasm-unsafe-eval'` lets a script of the site compile WebAssembly; it allows no other script.
    """
    if shell.search != "text":
        return POLICY
    return POLICY.replace(_SCRIPTS, f"{_SCRIPTS} 'wasm-unsafe-eval'")


def thousands(number: int) -> str:
    """Write a number with its thousands set apart."""
    return f"{number:,}"


def titled(*parts: str) -> str:
    """Join a page's title with what it belongs to, as far as a browser's tab has room for it."""
    title = shortened(parts[0], longest=LONGEST_TITLE)
    for part in parts[1:]:
        if part != title and len(title) + len(part) + 3 <= LONGEST_TITLE:
            title = f"{title} · {part}"
    return title


def heading(shown: SectionView | PageView) -> Markup:
    """Return the sanitised markup of a section's or a page's heading."""
    html, text = (
        (shown.html, shown.text)
        if isinstance(shown, SectionView)
        else (shown.heading_html, shown.title)
    )
    return Markup(html) if html else escape(text)  # sanitised where it was made


def _loader(
    templates: Mapping[str, str], overrides: Mapping[str, str]
) -> Callable[[str], tuple[str, str, Callable[[], bool]]]:
    def load(name: str) -> tuple[str, str, Callable[[], bool]]:
        bare = name.removeprefix(BUILT_IN)
        if bare == name and name in overrides:
            return overrides[name], f"{OVERRIDES}/{name}", lambda: True
        if bare in templates:
            return templates[bare], f"{BUILT_IN_FOLDER}/{bare}", lambda: True
        raise TemplateNotFound(name)

    return load
