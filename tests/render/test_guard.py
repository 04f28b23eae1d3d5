"""What a page made with a project's templates may have, told from what browsers make of it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from markupsafe import escape

from doctrove_builder.render import make_look, plan_site, render_view, section_keys
from doctrove_builder.render.environment import POLICY
from doctrove_builder.render.errors import TemplateRefused
from doctrove_builder.render.guard import Promised, check_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from doctrove_builder.site import Site

LOOK = make_look({"layout.html": '{% extends "!layout.html" %}'})
ASSETS = {asset.name: asset.path for asset in LOOK.assets}
POLICY_TAG = f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
CHARSET = '<meta charset="utf-8">'
HEAD = f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{CHARSET}\n{POLICY_TAG}\n'
LATE = f"{CHARSET}{POLICY_TAG}</head><body></body></html>"


def check(page: str, *, target: str = "") -> None:
    promised = Promised(policy=POLICY, roots=("../",), target=target)
    check_page(page, name="home.html", look=LOOK, promised=promised)


@pytest.mark.parametrize(
    "page",
    [
        f"<!-- {POLICY_TAG} --><html><head><title>x</title></head><body></body></html>",
        f"<!DOCTYPE html><html><head><!-- {LATE}",
        f"<!DOCTYPE html><html><head><!--> {LATE}",
        f"<!DOCTYPE html><html><head><!---> {LATE}",
        f"<!DOCTYPE html><html><head><title>{LATE}",
        f"<!DOCTYPE html><html><head><noscript>{LATE}",
        f"<!DOCTYPE html><html><head><template>{LATE}",
        f"<!DOCTYPE html><html><head><svg>{LATE}",
        f"<!DOCTYPE html><html><head><math>{LATE}",
        f"<!DOCTYPE html><html><head><style>{LATE}",
        f"<!DOCTYPE html><html><head><script>{LATE}",
        f"<!DOCTYPE html><html><head><xmp>{LATE}",
        f"<!DOCTYPE html><html><head><textarea>{LATE}",
        f"<!DOCTYPE html><html><head><plaintext>{LATE}",
        f"<!DOCTYPE html><html><head></head>{LATE}",
        f"<!DOCTYPE html><html><head>x{LATE}",
        f"<!DOCTYPE html><html><head>\0{LATE}",
        f'<!DOCTYPE html><html><head><link rel="icon" href="x">{LATE}',
        f"<!DOCTYPE html><html><body><head>{LATE}",
        f"<!DOCTYPE html><html x='><head>{LATE}'>",
        f"<!DOCTYPE html>\ufeff<html><head>{LATE}",
        f"\ufeff<!DOCTYPE html><html><head>{LATE}",
        f"x<!DOCTYPE html><html><head>{LATE}",
        f"<html><head>{LATE}",
        f"<!DOCTYPE html><html><head>{POLICY_TAG}</head></html>",
        f'<!DOCTYPE html><html><head><meta charset="utf-7">{POLICY_TAG}</head></html>',
        f"<!DOCTYPE html><html><head>{CHARSET}{POLICY_TAG.replace('>', ' content=x>')}",
        f"<!DOCTYPE html><html><head>{CHARSET}"
        + POLICY_TAG.replace("http-equiv=", 'content="default-src *" http-equiv='),
        f"<!DOCTYPE html><html><head>{CHARSET}"
        + POLICY_TAG.replace("http-equiv=", 'http-equiv="x" http-equiv='),
    ],
)
def test_a_page_that_does_not_begin_with_the_policy_is_refused(page: str) -> None:
    with pytest.raises(TemplateRefused, match="lost its content security policy"):
        check(page)


TRICKS = [
    *("<img src=x onerror=alert(1)>", "<img src=x OnError='x'>", "<img src=x\nonerror\n=\nx>"),
    *("<img/src=x/onerror=x>", "<svg onload=x>", "<svg/onload=x>", "<p\x0conclick=x>"),
    *('<p title="a"onclick="x">', "<p title='a' title='b'>", '<p id=a ID="b">', "<p on\0click=x>"),
    *("<base href='https://x.example/'>", "<iframe src=x></iframe>", "<iframe srcdoc=x>"),
    *("<object data=x></object>", "<embed src=x>", "<form action='https://x.example/'></form>"),
    *("<button formaction=x>b</button>", "<applet>", "<frameset>", "<portal src=x>"),
    *("<a href='javascript:x'>a</a>", "<a href=' java\nscript:x'>a</a>", "<a href=JaVaScRiPt:x>"),
    *("<a href='java&#115;cript&colon;x'>", "<a href='&#1;javascript:x'>", "<a href='data:,x'>"),
    *("<a href='java&Tab;script:x'>", "<a href='vbscript:x'>", "<a href='blob:x'>"),
    *("<img src='data:image/svg+xml,x'>", "<img srcset='x 1x, data:,y 2x'>"),
    *("<svg><a xlink:href='javascript:x'>", "<svg><use href='data:,x#y'/></svg>"),
    *("<svg><animate attributeName=href values='javascript:x'/></svg>", "<svg><set></svg>"),
    *("<svg><style>a</style></svg>", "<svg><foreignObject>", "<math><mi></math>"),
    *("<svg><![CDATA[><img src=x onerror=x>]]></svg>", "<![CDATA[<p>]]>", "<?php x ?>"),
    *("<script>x</script>", "<script src='https://x.example/a.js'></script>", "<script/src=x>"),
    f"<script src='//x.example/{ASSETS['page.js']}'></script>",
    f"<script src='../{ASSETS['page.js']}'>x</script>",
    f"<script src='../{ASSETS['redirect.js']}' data-to='x'></script>",
    *("<script src></script>", "<script></script>", "<scr\0ipt>", "< script>", "</ script>"),
    *("<style>p{}</style>", "<p style='color:red'>", "<noscript><p></noscript>", "<noembed>"),
    *("<template><p></template>", "<xmp>", "<plaintext>", "<listing>", "<noframes>"),
    *("<meta http-equiv=refresh content='0;url=x'>", "<meta http-equiv=set-cookie content=x>"),
    *(POLICY_TAG, "<p http-equiv=x>", "<meta charset=utf-7>", "<meta http-equiv>"),
    *("<!--", "<!-->", "<!--->", "<!-- --!>", "<!-- <!-- -->", "<!---->-->\0", "<!x>", "<!->"),
    *("<!--> <p> -->", "<!---> <p> -->", "<!-- --!> <p> -->", "<!-- a -- b -->", "</>", "<>"),
    *("<title><p></title>", "<textarea></textarea", "<textarea><!--</textarea>", "a < b", "<p"),
    *("<p a='>", '<p a=">', "<p a=`x`>", "<p a=x'y>", "<p =x>", "<p 'x'>", "<p / id=x>"),
    *("<link rel=preconnect href='https://x.example'>", "<link rel=dns-prefetch href='//x'>"),
    *("<link href=x>", "<link rel='icon prefetch' href=x>", "<link rel=modulepreload href=x>"),
    *("<img name=currentScript>", "<a ping=x href=y>", "<video src=x>", "<audio src=x>"),
    *("<x-y>", "<p is=x-y>", "<p slot=x>", "<p background=x>", "<input type=image formaction=x>"),
    *("<\u017fcript src=x></\u017fcript>", "<p\u00a0onclick=x>", "<p onclick\u2028=x>", "<image>"),
    *("<html data-root='javascript:x'>", "<script data-to='x' src='../x.js'></script>"),
]


@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.parametrize("place", ["{}</head><body></body></html>", "</head><body><p>{}</body>"])
def test_what_runs_or_can_be_read_in_two_ways_is_refused(trick: str, place: str) -> None:
    with pytest.raises(TemplateRefused, match=r"^_templates/layout\.html"):
        check(HEAD + place.format(trick))


@pytest.mark.parametrize(
    "harmless",
    [
        "<!-- a - comment > with < signs -->",
        '<p class=a data-x="<b>" title=\'"\'>a > b &lt;script&gt;</p>',
        "<a href='https://x.example/?a=javascript:x'>a</a><a href='../b/#c:d'>b</a>",
        "<a href='mailto:a@b.example' rel='external noopener' target=_blank>m</a>",
        "<svg viewBox='0 0 2 2'><title>t</title><path d='M0 0' stroke-width=\"2\"/></svg>",
        "<picture><source srcset='a.png 1x, b.png 2x'><img src=a.png alt></picture>",
        f"<script type=module src='../{ASSETS['page.js']}'></script>",
        "<link rel='stylesheet' href='x.css'><meta name=robots content=noindex>",
        "<input disabled name=q><textarea name=t>a</textarea><br/>",
    ],
)
def test_what_only_shows_something_is_left_alone(harmless: str) -> None:
    check(f"{HEAD}<title>t</title></head><body>{harmless}</body></html>\n")


def test_a_redirect_leads_where_it_is_planned_to() -> None:
    page = (
        HEAD + f"<script src='../{ASSETS['redirect.js']}' data-to='../5/'></script>"
        "<meta http-equiv='refresh' content='0; url=../5/'>"
    )
    check(page, target="../5/")
    for changed in (page.replace("to='../5/'", "to='../6/'"), page.replace("url=../5/", "url=x")):
        with pytest.raises(TemplateRefused):
            check(changed, target="../5/")


@pytest.mark.parametrize("base", ["", "https://example.org/docs/"])
def test_every_page_of_a_site_passes(make_demo_site: Callable[..., Site], base: str) -> None:
    for view in plan_site(make_demo_site(base_url=base), LOOK, search="text"):
        html = dict.fromkeys(section_keys(view), "<p>Body.</p>")
        made = render_view(view, html, look=LOOK)
        assert not view.path.endswith(".html") or made.startswith(b"<!DOCTYPE html>\n<html")


def test_a_browser_finds_nothing_in_what_passes_that_could_run(browser: Browser) -> None:
    pages = [page for page in map(_mixed, range(4000)) if _passes(page)]
    assert len(pages) > 100
    bare = [page.replace(POLICY_TAG, "") for page in pages]
    opened = browser.new_page()
    firsts = opened.evaluate(_FIRST_TWO, pages)
    found = opened.evaluate(_DANGEROUS, bare)
    opened.close()
    assert [page for page, first in zip(pages, firsts, strict=True) if first != POLICY] == []
    assert [page for page, count in zip(pages, found, strict=True) if count] == []


_FIRST_TWO = """pages => pages.map(page => {
  const made = new DOMParser().parseFromString(page, "text/html");
  return made.head.children[1].content;
})"""
_DANGEROUS = """pages => pages.map(page => {
  const made = new DOMParser().parseFromString(page, "text/html");
  return [...made.querySelectorAll("*")].filter(e =>
    ["script", "iframe", "base", "style", "object", "embed", "form"].includes(e.localName)
    || [...e.attributes].some(a => /^on/.test(a.name) || /^javascript:/i.test(a.value))).length;
})"""

_PIECES = (
    *("<p>", "</p>", "<svg>", "</svg>", "<title>", "</title>", "<textarea>", "</textarea>"),
    *("<select>", "<table>", "<tr>", "<desc>", "</desc>", "<!--", "-->", "--!>", "<!-->", "]]>"),
    *("<img src=x onerror=x>", "<script>x</script>", "<iframe>", "<a href=javascript:x>", "a"),
    *("<p title='", '<p title="', "'>", '">', "<p id=", "<", ">", "</", "/>", "=", " onclick=x "),
)


def _mixed(seed: int) -> str:
    chosen = random.Random(seed)
    body = "".join(chosen.choice(_PIECES) for _ in range(chosen.randint(2, 7)))
    return f"{HEAD}</head><body>{body}</body></html>"


def _passes(page: str) -> bool:
    try:
        check(page)
    except TemplateRefused:
        return False
    return True
