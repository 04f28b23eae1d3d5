"""Sites made by hand: a small one with everything in it, and a long one for sizes."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.model import Heading
from doctrove_builder.render import Look, make_look, plan_site, render_view, section_key
from doctrove_builder.site import (
    SectionSource,
    Site,
    SiteLibrary,
    SitePage,
    SiteSection,
    SiteVolume,
)
from doctrove_schema.model import Section
from doctrove_schema.sections import section_id, slug

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Bodies = tuple[tuple[str, str], ...]

BODY = "A segment that begins with a colon is a **named parameter**."
HTML = (
    "<p>A segment that begins with a colon is a <strong>named parameter</strong>; its value is in "
    "<code>req.params</code>, always a string.</p>\n"
    '<figure class="code"><figcaption>JavaScript</figcaption><pre tabindex="0">'
    '<code class="language-javascript"><span class="kd">const</span> <span class="nx">app</span> '
    '<span class="o">=</span> <span class="nf">express</span><span class="p">()</span>\n'
    '<span class="c1">// GET /users/42</span>\n'
    '<span class="nx">app</span><span class="p">.</span><span class="nf">get</span>'
    '<span class="p">(</span><span class="s1">\'/users/:id\'</span><span class="p">)</span>\n'
    "</code></pre></figure>\n"
    '<div class="table" role="group" tabindex="0" aria-label="Table"><table><thead><tr>'
    '<th scope="col">Pattern</th><th scope="col">Matches</th></tr></thead><tbody><tr>'
    "<td><code>/files/*path</code></td><td><code>/files/a/b.txt</code></td></tr></tbody></table>"
    "</div>\n"
    '<div class="admonition warning" role="note"><p class="admonition-title">Moving from 4.x</p>'
    "<p>Name the wildcard.</p></div>"
)


def make_section(
    page: str, text: str, *, body: str = BODY, level: int = 2, since: str = "", title: str = ""
) -> SiteSection:
    """Make a section; an empty `text` makes the page's lead, an empty `body` a bare heading."""
    anchor = slug(text) if text else ""
    identity = section_id(page, anchor)
    heading = Heading(
        level=level if text else 1, text=text or title, html="", anchor=anchor, line=1
    )
    if not body:
        return SiteSection(id=identity, heading=heading, source=None)
    digest = sha256(body.encode()).hexdigest()
    provenance = f"https://example.org/{page}#{anchor}"
    return SiteSection(
        id=identity,
        heading=heading,
        source=SectionSource(body=body, prefix=anchor),
        published=Section(
            id=identity,
            heading=text or title,
            path=provenance,
            body=body,
            page=page,
            trail=(title,) if text else (),
            since=since,
            tokens=len(body) // 4,
            sha256=digest,
        ),
        source_url=f"https://github.com/example/docs/blob/main/{page}.md#L1-L9",
        edit_url=f"https://github.com/example/docs/edit/main/{page}.md",
    )


def make_page(path: str, title: str, *headings: str, description: str = "") -> SitePage:
    """Make a page with a lead and one section for each heading."""
    sections = [make_section(path, "", title=title)]
    sections += [make_section(path, heading, title=title, since="4.0.0") for heading in headings]
    return SitePage(
        path=path, title=title, title_html="", description=description, sections=tuple(sections)
    )


def make_volume(
    version: str, *pages: SitePage, released: str = "", summary: str = "", stable: bool = True
) -> SiteVolume:
    """Make a volume of these pages."""
    return SiteVolume(
        version=version, summary=summary, released=released, stable=stable, pages=pages
    )


def _express() -> SiteLibrary:
    routing = make_page(
        "guide/routing",
        "Routing",
        "Route parameters",
        "Wildcards",
        "Path strings & patterns",
        description="How a request finds its handler: methods, parameters, wildcards.",
    )
    old_routing = make_page("guide/routing", "Routing", "Route parameters", "Regular expressions")
    pages = (
        make_page("index", "Express", "Why Express", description="Fast, minimal, unopinionated."),
        make_page("start", "Getting started", "Install", "Hello world"),
        routing,
        make_page("guide/middleware", "Middleware", "Order", "Error handling"),
        make_page("api/request", "Request", "req.params", "req.query"),
        make_page("api/response", "Response", "res.json()", "res.status()"),
    )
    return SiteLibrary(
        id="express",
        name="Express",
        summary="Minimal web framework for Node.js: routing, middleware, views.",
        aliases=("expressjs",),
        homepage="https://expressjs.com/",
        repository="https://github.com/expressjs/express",
        license="MIT",
        latest="5.1.0",
        volumes=(
            make_volume("6.0.0-beta.1", *pages, stable=False, summary="What comes next."),
            make_volume("5.1.0", *pages, released="2025-03-31", summary="Promises in handlers."),
            make_volume("4.21.2", pages[1], old_routing, released="2024-12-05"),
        ),
    )


def _scoped() -> SiteLibrary:
    lead = make_section("", "", title="Table")
    body = make_section("", "Column 50% & more")
    deep = make_section("", "A bare step", body="", level=4)
    page = SitePage(path="", title="", title_html="", sections=(lead, body, deep))
    return SiteLibrary(
        id="@scope/table",
        name="@scope/table",
        summary="Tables <with> every & odd character.",
        homepage="javascript:alert(1)",
        superseded_by="express",
        latest="1.0.0+b1",
        volumes=(make_volume("1.0.0+b1", page, make_page("a b/50% #1?", "Odd", "Section: one")),),
    )


def _chinese() -> SiteLibrary:
    return SiteLibrary(
        id="日期",
        name="日期库",
        summary="解析、格式化和比较日期的小型库。",
        latest="1.11.13",
        volumes=(
            make_volume(
                "1.11.13",
                make_page("指南/解析", "解析日期", "从字符串", "时区"),
                released="2024-08-20",
            ),
        ),
    )


def _many() -> SiteLibrary:
    page = make_page("start", "Start", "Install")
    versions = [f"{major}.{minor}.0" for major in range(9, -1, -1) for minor in range(4, -1, -1)]
    return SiteLibrary(
        id="many",
        name="Many Versions",
        summary="A library that is released often.",
        latest="9.4.0",
        volumes=tuple(
            make_volume(version, page, released=f"20{10 + place // 4}-0{1 + place % 4}-01")
            for place, version in enumerate(versions)
        ),
    )


@pytest.fixture(scope="session")
def look() -> Look:
    """The built-in look."""
    return make_look()


@pytest.fixture(scope="session", params=["https://docs.example.org/repo/", ""])
def site(request: pytest.FixtureRequest) -> Site:
    """A small site with everything in it, with and without a known address."""
    return demo_site(base_url=str(request.param))


def demo_site(*, base_url: str = "", language: str = "en") -> Site:
    """Make the small site."""
    return Site(
        title="Trove of docs",
        description="Documentation of what we use, by version, for people and agents.",
        base_url=base_url,
        language=language,
        repository="https://github.com/example/docs",
        updated="2025-03-31",
        libraries=(_express(), _scoped(), _chinese(), _many()),
    )


def long_site(*, pages: int, folders: int) -> Site:
    """Make a site of one volume with so many pages; no folders means one flat list."""
    paths = [f"part-{n % folders}/page-{n}" if folders else f"page-{n}" for n in range(pages)]
    volume = make_volume(
        "1.0.0",
        *(make_page(path, f"The page with a long name, {path}", "One", "Two") for path in paths),
    )
    library = SiteLibrary(id="long", name="Long", latest="1.0.0", volumes=(volume,))
    return Site(title="Long", base_url="https://example.org/", libraries=(library,))


def html_of(site: Site) -> Mapping[str, str]:
    """Return stand-in HTML for every section of a site, by its key."""
    return {
        section_key(section.source): HTML
        for library in site.libraries
        for volume in library.volumes
        for page in volume.pages
        for section in page.sections
        if section.source
    }


def build(site: Site, look: Look) -> dict[str, bytes]:
    """Render every file of a site."""
    html = html_of(site)
    return {view.path: render_view(view, html, look=look) for view in plan_site(site, look)}


@pytest.fixture(scope="session")
def built(site: Site, look: Look) -> dict[str, bytes]:
    """The small site's files."""
    return build(site, look)


@pytest.fixture(scope="session")
def make_long_site() -> Callable[[int, int], Site]:
    """A maker of sites with so many pages in so many folders."""
    return lambda pages, folders: long_site(pages=pages, folders=folders)


@pytest.fixture(scope="session")
def make_demo_site() -> Callable[..., Site]:
    """A maker of the small site, with an address or a language."""
    return demo_site


@pytest.fixture(scope="session")
def build_site(look: Look) -> Callable[[Site], dict[str, bytes]]:
    """A maker of all files of a site with the built-in look."""
    return lambda site: build(site, look)
