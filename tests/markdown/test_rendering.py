"""Bodies to HTML: what a golden page would not show at a glance."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import unescape

import pytest

from doctrove_builder.markdown import code_version, render_section
from doctrove_builder.markdown.fences import FenceInfo, fence_info
from doctrove_builder.markdown.highlight import CLASSES, highlight
from doctrove_builder.site import SectionSource


def rendered(body: str, **links: str) -> str:
    return render_section(SectionSource(body=body, links=tuple(links.items()), prefix="p"))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("[a](javascript:b)", "<p>a</p>\n", id="a script"),
        pytest.param("[a](JaVa&#10;ScRiPt:b)", "<p>a</p>\n", id="a script in disguise"),
        pytest.param("[a](\\\\e.com)", '<p><a href="%5Ce.com">a</a></p>\n', id="backslashes"),
        pytest.param("[a](mailto:b@c)", '<p><a href="mailto:b@c">a</a></p>\n', id="mail"),
        pytest.param("<b onclick=x>a</b>", "<p><b>a</b></p>\n", id="a handler"),
        pytest.param("<h2 id=main>a</h2>", "<h2>a</h2>", id="an id of the page"),
        pytest.param("<b class=toc>a</b>", "<p><b>a</b></p>\n", id="a class of the page"),
        pytest.param("<script>a</script>b", "b", id="a script's text"),
        pytest.param('<a href="data:x">a</a>', "<p><a>a</a></p>\n", id="an address in HTML"),
        pytest.param('<img src="//e.com/x" alt="a">', "a", id="a picture elsewhere in HTML"),
        pytest.param('<img src="x" srcset="//e.com/x">', '<img src="x" alt="" loading="lazy"'
                     ' decoding="async">', id="a set of pictures"),
        pytest.param("<input autofocus onfocus=x>", "", id="a form"),
        pytest.param("a < b & c > d", "<p>a &lt; b &amp; c &gt; d</p>\n", id="signs"),
    ],
)  # fmt: skip
def test_only_what_is_harmless_reaches_the_page(body: str, expected: str) -> None:
    assert rendered(body) == expected


def test_links_are_replaced_by_the_table_in_markdown_and_in_html() -> None:
    html = rendered('[a](x.md) [a][r] <a href="x.md">a</a>\n\n[r]: x.md', **{"x.md": "../x/#y"})
    assert html.count('<a href="../x/#y">a</a>') == 3


def test_the_table_cannot_make_a_link_unsafe() -> None:
    assert rendered("[a](x)", x="javascript:alert(1)") == "<p>a</p>\n"


def test_a_link_to_another_site_says_so() -> None:
    assert rendered("[a](https://e.com/?b=1&c=2)") == (
        '<p><a href="https://e.com/?b=1&amp;c=2" class="external" rel="external noopener">a</a>'
        "</p>\n"
    )


def test_a_picture_elsewhere_is_a_link_but_not_inside_a_link() -> None:
    html = rendered("![a](https://e.com/a.png) [![b](https://e.com/b.png)](c)")
    assert "<img" not in html
    assert 'rel="external noopener">a</a>' in html
    assert '<a href="c">b</a>' in html


def test_addresses_are_encoded_as_urls_are() -> None:
    assert 'href="caf%C3%A9%20au%20lait.md"' in rendered("[a](<café au lait.md>)")
    assert 'href="caf%C3%A9.md"' in rendered("[a](caf%C3%A9.md)")


def test_headings_inside_get_the_ids_that_are_given_and_no_others() -> None:
    body = "### A {#own}\n\n- #### B\n\n[^1]\n\n[^1]: ## C\n"
    source = SectionSource(body=body, anchors=("a", "b"))
    html = render_section(source)
    assert '<h3 id="a">A <a class="permalink" href="#a" aria-label="Link to A">#</a></h3>' in html
    assert '<h4 id="b">B ' in html
    assert "<h2>C</h2>" in html


def test_a_first_level_heading_inside_leaves_the_page_its_own() -> None:
    assert rendered("> # A") == "<blockquote><h2>A</h2>\n</blockquote>\n"


def test_ids_of_two_sections_differ_by_their_prefix() -> None:
    body = '[^1]\n\n=== "T"\n    x\n\n[^1]: n\n'
    one, two = (render_section(SectionSource(body=body, prefix=prefix)) for prefix in ("a", "b"))
    for name in ("Note-1", "Ref-1", "Tabs-1-1"):
        assert f'id="a-{name}"' in one
    assert 'id="a-' not in two


def test_forged_marks_stay_without_effect() -> None:
    forged = f'<wbr data-p="{"0" * 32}:0"><h2 data-i="{"0" * 32}:main">a</h2>'
    html = rendered(f"```\ncode\n```\n\n{forged}")
    assert html.count("<figure") == 1
    assert ' id="' not in html


def test_the_first_tab_of_each_group_is_chosen() -> None:
    html = rendered('=== "a"\n    x\n=== "b"\n    y\n\ntext\n\n=== "c"\n    z\n')
    assert html.count(" checked>") == 2
    assert '<label for="p-Tabs-1-2">b</label>' in html


def test_text_is_escaped_wherever_an_author_can_put_it() -> None:
    sign = "\"'<script>&"
    html = rendered(
        f'=== "{sign}"\n    x\n\n!!! note "{sign}"\n    y\n\n```{sign}\nz\n```\n\n'
        f"```js title='<script>'\nz\n```\n\n| {sign} |\n|---|\n| a |\n\n"
        f"![{sign}](a.png '<script>')\n"
    )
    assert "<script" not in html


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        pytest.param("", FenceInfo(), id="nothing"),
        pytest.param("JS", FenceInfo("js"), id="a language"),
        pytest.param("c++", FenceInfo("c++"), id="signs in a language"),
        pytest.param(' py title="a b.py"', FenceInfo("py", "a b.py"), id="a title"),
        pytest.param("js [a.js]", FenceInfo("js", "a.js"), id="a label"),
        pytest.param("js {1,3-5}", FenceInfo("js", "", frozenset({1, 3, 4, 5})), id="lines"),
        pytest.param("js{2}", FenceInfo("js", "", frozenset({2})), id="lines without a blank"),
        pytest.param(
            'py hl_lines="2 4-5"', FenceInfo("py", "", frozenset({2, 4, 5})), id="hl_lines"
        ),
        pytest.param('{.py title="a"}', FenceInfo("py", "a"), id="attributes in braces"),
        pytest.param("{code-block} python", FenceInfo("python"), id="a directive"),
        pytest.param("{note}", FenceInfo("note"), id="another directive"),
        pytest.param("ts:line-numbers {1}", FenceInfo("ts", "", frozenset({1})), id="line numbers"),
        pytest.param("js {9-1}", FenceInfo("js"), id="lines backwards"),
        pytest.param("js twoslash", FenceInfo("js"), id="words that are not known"),
    ],
)
def test_an_info_string_is_read(info: str, expected: FenceInfo) -> None:
    assert fence_info(info) == expected


@pytest.mark.parametrize(
    "language", ["python", "js", "ts", "console", "diff", "html", "yaml", "sh"]
)
def test_highlighting_loses_no_character(language: str) -> None:
    code = "$ a\n- b: <c> 'd' \"e\"\n\n\n+ if (f) { return 1 } // g\n# h  \n\tz"
    html = highlight(code, language=language)
    assert _text(html) == code
    assert _text(highlight(code, language=language, marked={1, 3, 7, 99})) == code


def test_highlighting_uses_the_classes_that_the_site_colours() -> None:
    html = highlight("@d\ndef f(a):\n    return 'b' + str(1)  # c", language="py", marked={1})
    used = {part.partition('"')[0] for part in html.split('class="')[1:]}
    assert used == {"c", "hll", "k", "m", "nb", "nd", "nf", "s"}
    assert used <= CLASSES


def test_the_code_version_is_the_same_in_another_process() -> None:
    code = "from doctrove_builder.markdown import code_version; print(code_version())"
    other = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    assert other.stdout.strip() == code_version()


def _text(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))
