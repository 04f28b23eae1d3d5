"""Laws of reading and rendering, for any text."""

from __future__ import annotations

import pickle
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from doctrove_builder.markdown import parse_page, render_section
from doctrove_builder.markdown.sanitise import TAGS
from doctrove_builder.model import Document, PageSource
from doctrove_builder.site import SectionSource

LINKS = st.sampled_from(
    [
        "[a](x.md)",
        "![p](y.png)",
        "<https://e.com/>",
        "[r][ref]",
        "[ref]",
        "*[b](z.md)*",
        "`[no](x)`",
    ]
)
WORDS = st.sampled_from(["word", "中文", "עברית", "é", "a  b", "\\|", "&amp;", "**bold**", "x_y_z"])
LINE = st.lists(WORDS | LINKS, min_size=1, max_size=5).map(" ".join)
BLOCK = st.one_of(
    st.lists(LINE, min_size=1, max_size=3).map("\n".join),
    LINE.map(lambda line: f"## {line}"),
    LINE.map(lambda line: f"> {line}\n> - {line}\n>   {line}"),
    LINE.map(
        lambda line: (
            f"1. {line}\n\n   {line}\n   | h | {line} |\n   |---|---|\n   | {line} | {line} |"
        )
    ),
    LINE.map(lambda line: f"!!! note\n    {line}\n\n    - {line}"),
    LINE.map(lambda line: f"::: tip\n{line}\n:::"),
    LINE.map(lambda line: f'=== "t"\n\n    {line}'),
    LINE.map(lambda line: f"term\n: {line}"),
    LINE.map(lambda line: f"{line} [^n]"),
    st.just("```\n[no](x.md)\n```"),
)
DEFINITIONS = "\n\n[ref]: ref.md\n\n[^n]: See [n](note.md).\n"
PAGES = st.lists(BLOCK, min_size=1, max_size=6).map(
    lambda blocks: "\n\n".join(blocks) + DEFINITIONS
)

MARKUP = st.lists(
    st.sampled_from(
        [
            *"#*_`~[](){}<>!|-:=\"'\\\n\t $^&;/",
            "\n\n", "    ", "```", ":::tip\n", "!!! note\n    ", '=== "t"\n    ', "> ", "- [ ] ",
            "<script>", "</script>", "<a href=javascript:x onclick=x id=x>", "<svg/onload=x>",
            "<img src=x onerror=y>", "<style>", "<div id=main class=tabs style=x>", "</div>",
            "<table>",
            "<p data-i=", "<wbr data-p=", "javascript:", "data:text/html,", "&#106;", "[^1]",
            "[^1]: ",
            "[x](javascript:y)", "word", "# h", "{#id}", "![a](//e.com/x.png)", "<!--", "-->",
        ]
    ),
    max_size=40,
).map("".join)  # fmt: skip


def read(text: str) -> PageSource:
    return parse_page(Document(path="a.md", text=text), path="a", split_level=2)[0]


@settings(deadline=None)
@given(PAGES)
def test_every_link_stands_where_it_is_said_to(text: str) -> None:
    lines = text.split("\n")
    for passage in read(text).passages:
        for link in passage.links:
            begins = lines[link.line - 1][link.column - 1 :]
            assert begins.startswith(("![p]" if link.image else "[", "<https"))
            if link.href in {"x.md", "z.md", "note.md"}:
                assert begins[2:].startswith(f"]({link.href})")


@settings(deadline=None)
@given(PAGES)
def test_a_body_read_alone_links_to_the_same(text: str) -> None:
    for passage in read(text).passages:
        in_heading = passage.heading.line if passage.heading.anchor else 0
        links = [link.href for link in passage.links if link.line != in_heading]
        alone = read(passage.body).passages if passage.body else ()
        again = [link.href for part in alone for link in part.links]
        assert sorted(again) == sorted(links)


@settings(deadline=None)
@given(PAGES)
def test_a_body_is_a_slice_of_its_page(text: str) -> None:
    lines = text.split("\n")
    for passage in read(text).passages:
        first, last = passage.lines
        own = passage.body.split("\n\n[ref]: ")[0].split("\n\n[^n]: ")[0]
        assert "\n".join(lines[first - 1 : last]).endswith(own)


@settings(deadline=None)
@given(PAGES)
def test_anchors_are_unique_in_a_page(text: str) -> None:
    passages = read(text).passages
    anchors = [one.heading.anchor for one in passages] + [
        inner.anchor for one in passages for inner in one.inner
    ]
    assert len(anchors) == len(set(anchors))


@settings(deadline=None)
@given(MARKUP)
def test_any_text_is_read_without_an_exception_and_the_result_can_be_sent(text: str) -> None:
    document = Document(path="a.md", text=text)
    page, problems = parse_page(document, path="a", split_level=6)
    assert pickle.loads(pickle.dumps((page, problems))) == (page, problems)
    assert all(1 <= problem.line <= text.count("\n") + 1 for problem in problems if problem.line)


@settings(deadline=None)
@given(MARKUP)
def test_any_text_gives_safe_html(text: str) -> None:
    source = SectionSource(body=text, anchors=("one", "two"), prefix="p", targets=("kept",))
    html = render_section(source)
    assert html == render_section(source)
    seen = Seen()
    seen.feed(html)
    seen.close()
    assert seen.tags <= {*TAGS, "input", "label"}
    assert len(seen.ids) == len(set(seen.ids))
    assert all(one in {"one", "two", "kept"} or one.startswith("p-") for one in seen.ids)


class Seen(HTMLParser):
    """Collects tags and ids, and refuses attributes that act or load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            assert name not in {"style", "srcset", "action", "formaction", "background", "ping"}
            if name == "id":
                self.ids.append(value or "")
            if name == "src":
                assert not (value or "").startswith(("http", "//", "data:"))
            if name == "href":
                scheme = (value or "").partition(":")[0].lower()
                assert scheme not in {"javascript", "data", "vbscript", "file"}


def _headed(before: str, heading: str, name: str, after: str) -> str:
    pad = "> " if before.startswith(">") else "   "
    return before + heading.replace("ID", name).replace("PAD", pad) + after


HEADINGS = st.builds(
    _headed,
    st.sampled_from(["", "> ", "- ", "> - ", "1. "]),
    st.sampled_from(
        ["### T ID", "#### T ID ##", "### ID", "T ID\nPAD---", "T\nPADID\nPAD---", "T ID"]
    ),
    st.sampled_from(["{#a}", "{ #b .c }", "{: #d}", "`{#e}`", "\\{#f}", ""]),
    st.sampled_from(["", "\n\nText."]),
)


@given(st.lists(HEADINGS, min_size=1, max_size=5).map("\n\n".join))
@settings(deadline=None)
def test_a_body_without_ids_has_the_same_headings(text: str) -> None:
    page = read(f"## S\n\n{text}")
    for passage in page.passages:
        again = read(f"## S\n\n{passage.body}")
        inner = [heading for one in again.passages for heading in one.inner]
        assert [(h.level, h.text) for h in inner] == [(h.level, h.text) for h in passage.inner]
