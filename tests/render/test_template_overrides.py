"""A project's templates: what they can change, and what they are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from doctrove_builder.render import (
    RenderError,
    make_look,
    plan_site,
    read_overrides,
    render_view,
    section_keys,
)
from doctrove_builder.render.errors import TemplateFailed, TemplateInvalid, TemplateRefused
from doctrove_builder.render.look import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from doctrove_builder.site import Site

EXTENDS = '{% extends "!page.html" %}'
ROUTING = "express/5.1.0/guide/routing/index.html"


@pytest.fixture
def render(make_demo_site: Callable[..., Site]) -> Callable[..., str]:
    """Render one page of a small site with these templates."""
    site = make_demo_site()
    site = msgspec.structs.replace(site, libraries=site.libraries[:1])

    def rendered(overrides: dict[str, str], path: str = ROUTING) -> str:
        look = make_look(overrides)
        view = next(v for v in plan_site(site, look) if v.path == path)
        html = dict.fromkeys(section_keys(view), "<p>Body.</p>")
        return render_view(view, html, look=look).decode()

    return rendered


def test_a_block_is_overridden_and_the_rest_stays(render: Callable[..., str]) -> None:
    page = render({"page.html": EXTENDS + "{% block nav_end %}<p>Ours</p>{% endblock %}"})
    assert "<p>Ours</p>" in page
    assert page.replace("<p>Ours</p>", "") == render({})


def test_a_block_can_keep_what_was_there(render: Callable[..., str]) -> None:
    page = render({"page.html": EXTENDS + "{% block crumbs %}<hr>{{ super() }}{% endblock %}"})
    assert '<hr><nav class="crumbs"' in page


def test_an_override_of_the_layout_reaches_every_page(render: Callable[..., str]) -> None:
    layout = '{% extends "!layout.html" %}{% block brand %}ACME{% endblock %}'
    for path in ("index.html", "404.html", "express/index.html", ROUTING):
        assert ">ACME</a>" in render({"layout.html": layout}, path)


def test_templates_of_the_project_include_and_import_each_other(
    render: Callable[..., str],
) -> None:
    page = render(
        {
            "page.html": EXTENDS
            + '{% import "mine.html" as mine %}{% import "parts.html" as parts %}'
            + "{% block footer_links %}{% include 'foot.html' %}{{ mine.name(view) }}"
            + "{{ parts.page_tools() }}{% endblock %}",
            "mine.html": "{% macro name(view) %}{{ view.title ~ '!' ~ 1 }}{% endmacro %}",
            "foot.html": "<li>{{ view.shell.title|upper }} {{ 2 + 3 }}</li>",
        }
    )
    assert "<li>TROVE OF DOCS 5</li>Routing!1" in page


def test_values_are_escaped_in_overrides_too(render: Callable[..., str]) -> None:
    page = render(
        {"page.html": EXTENDS + "{% block crumbs %}{{ '<i>' ~ view.title }}{% endblock %}"}
    )
    assert "&lt;i&gt;Routing" in page


def test_a_style_sheet_of_the_project_is_loaded_after_the_built_in_one(
    render: Callable[..., str],
) -> None:
    page = render({"project.css": "body { margin: 0 }"})
    assert page.index("_assets/style.") < page.index("_assets/project.")
    assert "project." not in render({})


@pytest.mark.parametrize(
    "source",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ ''['__class__'] }}",
        "{{ view.__class__ }}",
        "{{ view.__struct_fields__ }}",
        "{{ view|attr('__class__') }}",
        "{{ self.__init__.__globals__ }}",
        "{{ asset.__globals__ }}",
        "{{ heading.__globals__ }}",
        "{{ body.__closure__ }}",
        "{{ 'x'.format }}",
        "{{ '{0.__class__}'.format(view) }}",
        "{{ cycler.__init__ }}",
        "{{ range(9) }}",
        "{{ lipsum() }}",
        "{{ namespace(a=1) }}",
        "{{ view.title|safe }}",
        "{{ view.title|map('upper') }}",
        "{% autoescape false %}{{ view.title }}{% endautoescape %}",
        "{% include '/etc/passwd' %}",
        "{% include '../secret.html' %}",
        "{% set view.title = 'x' %}",
        "{{ nothing }}",
        "{{ view.nothing }}",
    ],
)
def test_a_template_reaches_nothing_but_views(render: Callable[..., str], source: str) -> None:
    with pytest.raises(RenderError) as caught:
        render({"page.html": f"{EXTENDS}\n{{% block crumbs %}}\n{source}{{% endblock %}}"})
    assert caught.value.source == "_templates/page.html"
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "source",
    [
        "{% for a in L %}{% for b in L %}{% for c in L %}{% for d in L %}{% for e in L %}"
        "{% for f in L %}{% for g in L %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}"
        "{% endfor %}{% endfor %}{% endfor %}",
        "{% macro m(n) %}{% if n %}{{ m(n-1) }}{{ m(n-1) }}{% endif %}{% endmacro %}{{ m(60) }}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% set x = 'aaaaaaaa' %}" + "{% set x = x ~ x %}" * 40,
        "{% set x = 'aaaaaaaa' %}" + "{% set x = x + x %}" * 40,
        "{% set x = 'aaaaaaaa' %}" + "{% set x %}{{ x }}{{ x }}{% endset %}" * 40,
        "{{ 'a' * 1000000000 }}",
        "{{ [1] * 1000000000 }}",
        "{{ 10 ** 10 ** 10 }}",
        "{{ 999999999999 * 999999999999 * 999999999999 }}",
        "{{ '%1000000000d' % 1 }}",
        "{{ 'a'.ljust(1000000000) }}",
        "{{ 'a'|center(1000000000) }}",
        "{% include 'page.html' %}",
    ],
    ids=[
        "loops",
        "macros",
        "recursion",
        "joining",
        "adding",
        "capturing",
        "repeating",
        "lists",
        "powers",
        "products",
        "format",
        "justify",
        "centre",
        "itself",
    ],
)
def test_a_template_cannot_take_for_ever_or_fill_the_memory(
    render: Callable[..., str], source: str
) -> None:
    items = "{% set L = 'abcdefghijklmnopqrstuvwxyz' %}"
    with pytest.raises(RenderError):
        render({"page.html": f"{EXTENDS}{{% block crumbs %}}{items}{source}{{% endblock %}}"})


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("<!DOCTYPE html><html><head></head><body>No policy.</body></html>", "security policy"),
        (
            "<!DOCTYPE html><html><head></head><body>"
            '<meta http-equiv="Content-Security-Policy" content="{{ policy }}"></body></html>',
            "security policy",
        ),
        (
            EXTENDS
            + '{% block head %}<script src="https://x.example/a.js"></script>{% endblock %}',
            "script",
        ),
        (EXTENDS + "{% block head %}<script>alert(1)</script>{% endblock %}", "script"),
        (EXTENDS + "{% block head %}<scr{# #}ipt src='x.js'></script>{% endblock %}", "script"),
        (EXTENDS + '{% block head %}<SCRIPT SRC="../_assets/x.js">{% endblock %}', "SCRIPT"),
        (
            EXTENDS + '{% block head %}<meta http-equiv="refresh" content="0;url=x">{% endblock %}',
            "http-equiv",
        ),
    ],
    ids=["no-policy", "late-policy", "foreign", "inline", "split", "unclosed", "refresh"],
)
def test_a_template_cannot_drop_the_policy_or_load_a_script(
    render: Callable[..., str], template: str, said: str
) -> None:
    with pytest.raises(TemplateRefused, match=said) as caught:
        render({"page.html": template})
    assert caught.value.source == "_templates/page.html"


@pytest.mark.parametrize(
    ("template", "kind", "line"),
    [
        (EXTENDS + "\n\n{% block crumbs %}", TemplateInvalid, 3),
        ("{% nonsense %}", TemplateInvalid, 1),
        (EXTENDS + "\n{% block crumbs %}{{ 1 / 0 }}{% endblock %}", TemplateFailed, 2),
        (EXTENDS + "\n{% block crumbs %}{{ view.tilte }}{% endblock %}", TemplateFailed, 2),
        ('{% extends "!pages.html" %}', TemplateInvalid, 1),
        ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", RenderError, None),
    ],
    ids=["unclosed", "unknown-tag", "division", "misspelt", "unknown-template", "nested"],
)
def test_a_fault_names_the_file_and_the_line(
    render: Callable[..., str], template: str, kind: type[RenderError], line: int | None
) -> None:
    with pytest.raises(kind) as caught:
        render({"page.html": template})
    assert caught.value.source == "_templates/page.html"
    assert caught.value.line == line
    assert str(caught.value).startswith("_templates/page.html")


@pytest.mark.parametrize(
    ("overrides", "source", "line"),
    [
        ({"layout.html": "<p>No page</p>"}, "layout.html", None),
        ({"layout.html": "\n<html>\n</html>"}, "layout.html", 2),
        (
            {"layout.html": '{% extends "!layout.html" %}', "page.html": "<html></html>"},
            "page.html",
            1,
        ),
        (
            {
                "foot.html": "a\n<iframe src='x'></iframe>",
                "layout.html": '{% extends "!layout.html" %}'
                '{% block footer %}{% include "foot.html" %}{% endblock %}',
                "library.html": '{% extends "!library.html" %}',
            },
            "foot.html",
            2,
        ),
        ({"layout.html": "{{ " + "(" * 5000 + " }}"}, "layout.html", None),
    ],
    ids=["nothing", "line", "outer", "included", "nested"],
)
def test_a_fault_of_a_whole_page_names_the_override_that_made_it(
    render: Callable[..., str], overrides: dict[str, str], source: str, line: int | None
) -> None:
    with pytest.raises(RenderError) as caught:
        render(overrides)
    assert (caught.value.source, caught.value.line) == (f"_templates/{source}", line)


def test_overrides_are_read_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "page.html").write_text("\ufeffpage", encoding="utf-8")
    (tmp_path / "parts" / "foot.html").write_text("foot")
    (tmp_path / "project.css").write_text("a{}")
    (tmp_path / "notes.txt").write_text("left alone")
    assert read_overrides(tmp_path) == {
        "page.html": "page",
        "parts/foot.html": "foot",
        "project.css": "a{}",
    }
    assert read_overrides(tmp_path / "none") == {}


def link(file: Path) -> None:
    outside = file.parent.parent / "outside.html"
    outside.write_text("secret")
    file.symlink_to(outside)


def write_too_much(file: Path) -> None:
    file.write_bytes(b"a" * (MAX_BYTES + 1))


def write_no_text(file: Path) -> None:
    file.write_bytes(b"\xff\xfe")


@pytest.mark.parametrize("make", [link, write_too_much, write_no_text])
def test_overrides_that_cannot_be_trusted_are_refused(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    folder = tmp_path / "_templates"
    folder.mkdir()
    make(folder / "page.html")
    with pytest.raises(RenderError, match=r"^_templates/page\.html: the file is"):
        read_overrides(folder)
