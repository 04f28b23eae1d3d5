"""Turn a view into the bytes of its file. Deterministic: no clock, no disk, no environment."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

import msgspec
from jinja2.exceptions import (
    SecurityError,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
    UndefinedError,
)
from markupsafe import Markup

from doctrove_builder.render.blame import blame
from doctrove_builder.render.change_views import ChangesView, CompareView
from doctrove_builder.render.environment import BUILT_IN_FOLDER, make_environment, policy_of
from doctrove_builder.render.errors import (
    RenderError,
    TemplateFailed,
    TemplateInvalid,
    TemplateRefused,
)
from doctrove_builder.render.guard import Promised, check_page
from doctrove_builder.render.inlined import inlined, policy_inlined
from doctrove_builder.render.look import OVERRIDES
from doctrove_builder.render.machine import page_json, page_markdown
from doctrove_builder.render.machine_views import JsonView, MarkdownView
from doctrove_builder.render.meter import PURSE, Purse
from doctrove_builder.render.views import (
    AssetView,
    HomeView,
    LibraryView,
    MissingView,
    PageView,
    RedirectView,
    SectionView,
    TextView,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.render.keys import HtmlView, View
    from doctrove_builder.render.look import Look


_TEMPLATES = {
    HomeView: "home.html",
    LibraryView: "library.html",
    ChangesView: "changes.html",
    CompareView: "compare.html",
    MissingView: "missing.html",
    RedirectView: "redirect.html",
}


def render_view(view: View, html: Mapping[str, str], *, look: Look) -> bytes:
    """Return the bytes of a view's file; `html` has its sections' HTML by `section_key`.

    Raises `RenderError` for a template that is at fault, `KeyError` for HTML that is not given.
    """
    match view:
        case TextView():
            return view.text.encode()
        case AssetView():
            return next(asset.content for asset in look.assets if asset.name == view.name)
        case JsonView():
            return page_json(view)
        case MarkdownView():
            return page_markdown(view).encode()
        case _:
            return render_page(view, html, look=look).encode()


def render_page(view: HtmlView, html: Mapping[str, str], *, look: Look) -> str:
    """Return the HTML of a page; see `render_view`."""
    name = template_of(view)
    shown = view.sections if isinstance(view, PageView) else ()
    bodies = {section.key: Markup(html[section.key]) for section in shown if section.key}

    def body(section: SectionView) -> Markup:
        return bodies.get(section.key, Markup(""))

    alone = isinstance(view, MissingView) and view.alone
    policy = policy_of(view.shell)
    policy = policy_inlined(policy, look) if alone else policy
    if look.overrides:
        size = len(msgspec.msgpack.encode(view)) + sum(map(len, bodies.values()))
        PURSE.set(Purse(size=size))
    try:
        text = make_environment(look).get_template(name).render(view=view, body=body, policy=policy)
    except (
        TemplateError,
        ArithmeticError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as e:
        raise _fault(e, name, look) from e
    if look.overrides:
        own = tuple(map(str, inlined(look).values())) if alone else ()
        check_page(text, name=name, look=look, promised=_promised(view, policy, own))
    return text


def _promised(view: HtmlView, policy: str, inlined: tuple[str, ...]) -> Promised:
    target = view.target if isinstance(view, RedirectView) else ""
    return Promised(policy=policy, roots=(view.root,), target=target, inlined=inlined)


def check_templates(look: Look) -> None:
    """Read the project's templates without rendering; raises `TemplateInvalid` for the first fault.

    What only shows while a page is rendered is not found here.
    """
    environment = make_environment(look)
    for name, _ in look.overrides:
        try:
            environment.get_template(name)
        except TemplateError as error:
            raise _fault(error, name, look) from error


def template_of(view: HtmlView) -> str:
    """Return the name of the template that a view is rendered with."""
    if isinstance(view, PageView):
        return "volume.html" if view.front else "contents.html" if view.contents else "page.html"
    return _TEMPLATES[type(view)]


def _fault(error: Exception, name: str, look: Look) -> RenderError:
    source, line = _place(error, name, look)
    if isinstance(error, TemplateSyntaxError):
        return TemplateInvalid(error.message or "it cannot be read", source=source, line=line)
    if isinstance(error, TemplateNotFound):
        return TemplateInvalid(f"there is no template {error.name!r}", source=source, line=line)
    if isinstance(error, SecurityError):
        return TemplateRefused(str(error).rstrip("."), source=source, line=line)
    if isinstance(error, RecursionError):
        return TemplateRefused("the templates call each other too deeply", source=source, line=line)
    hint = "see the fields of the page's view" if isinstance(error, UndefinedError) else ""
    return TemplateFailed(str(error), source=source, line=line, hint=hint)


def _place(error: Exception, name: str, look: Look) -> tuple[str, int | None]:
    """Find the innermost line of a project's template that an error came through.

    A built-in template is named only where there is no other: its file is not the project's.
    """
    if isinstance(error, TemplateSyntaxError) and error.filename:
        return error.filename, error.lineno
    steps = [
        (frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    found = [step for step in steps if step[0].startswith(f"{OVERRIDES}/")]
    if found:
        return found[-1]
    if look.overrides:
        return blame(look, name)
    built_in = [step for step in steps if step[0].startswith(f"{BUILT_IN_FOLDER}/")]
    return built_in[-1] if built_in else (f"{BUILT_IN_FOLDER}/{name}", None)
