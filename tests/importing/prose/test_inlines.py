"""Plain text and code come out of Markdown as they went in."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from doctrove_builder.importing.prose.inlines import (
    code_span,
    plain_text,
    write_heading,
    write_inlines,
)
from doctrove_builder.importing.prose.tree import (
    Break,
    Code,
    Image,
    Inlines,
    Link,
    Mark,
    Reference,
    Styled,
    Text,
)
from doctrove_builder.markdown.headings import plain_text as parsed_text
from doctrove_builder.markdown.parser import body_parser, page_parser

CASES: dict[str, tuple[Inlines, str]] = {
    "names with underscores stay": ((Text("a snake_case name"),), "a snake_case name"),
    "names of special methods are escaped": ((Text("__init__"),), r"\_\_init\_\_"),
    "stars of arguments are escaped": ((Text("*args and **kw"),), r"\*args and \*\*kw"),
    "a star between spaces stays": ((Text("2 * 3"),), "2 * 3"),
    "a less-than sign before a letter is no tag": ((Text("a <b> c"),), r"a \<b> c"),
    "a less-than sign before a space stays": ((Text("1 < 2"),), "1 < 2"),
    "text that looks like a link is none": ((Text("[a](b)"),), r"\[a](b)"),
    "an index stays": ((Text("rows[0]"),), "rows[0]"),
    "a text over two pieces is seen whole": ((Text("[a]"), Text("(b)")), r"\[a](b)"),
    "an entity is escaped": ((Text("&amp; x"),), r"\&amp; x"),
    "a number that would begin a list": ((Text("1. not a list"),), r"1\. not a list"),
    "a dash that would begin a list": ((Text("- not a list"),), r"\- not a list"),
    "each line is looked at": ((Text("one\n# two\n> three"),), "one\n\\# two\n\\> three"),
    "code with a backtick": ((Code("a`b"),), "``a`b``"),
    "two code spans side by side are one": ((Code("a"), Code("b")), "`ab`"),
    "space moves out of a style": ((Styled("**", (Text("bold "),)), Text("x")), "**bold** x"),
    "an empty style is nothing": ((Styled("*", ()), Text("x")), "x"),
    "an address shown as itself": ((Link("https://a.example", (Text("https://a.example"),)),), "<https://a.example>"),
    "an address with spaces": ((Link("a b.md", (Text("x"),)),), "[x](<a%20b.md>)"),
    "an exclamation mark before a link": ((Text("see!"), Link("b", (Text("a"),))), r"see\![a](b)"),
    "a reference that nobody knows": ((Reference("ref", "there", ()),), "`there`"),
    "a picture": ((Image("a.png", "An *a*"),), r"![An \*a\*](a.png)"),
    "a footnote": ((Text("so"), Mark("1")), "so[^1]"),
    "a line end that is kept": ((Text("a"), Break(), Text("b")), "a\\\nb"),
}  # fmt: skip


@pytest.mark.parametrize(("inlines", "markdown"), CASES.values(), ids=CASES.keys())
def test_inlines_are_written(inlines: Inlines, markdown: str) -> None:
    assert write_inlines(inlines) == markdown


_TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn")),
    max_size=40,
)


@given(st.one_of(_TEXTS, st.text("ab`*_[]()<>!#&;:-+=|\\~{}^$1.\"' ", max_size=30)))
@example("*a*b_c_ `d` <e> [f](g) &lt; ~~h~~")
def test_plain_text_survives_markdown(text: str) -> None:
    shown = " ".join(text.replace("\u00a0", " ").split())
    if "$" in shown:
        return  # a formula between dollars is text to a reader all the same
    tokens = page_parser().parse(f"x {write_inlines((Text(shown),))} y")
    inline = next(token for token in tokens if token.type == "inline")
    assert parsed_text(inline) == f"x {shown} y".replace("  ", " ")


@given(
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")),
        min_size=1,
        max_size=30,
    )
)
def test_code_survives_markdown(code: str) -> None:
    span = code_span(code)
    if not span:
        assert not code.strip()
        return
    tokens = body_parser().parseInline(f"x {span} y")
    shown = [child.content for child in tokens[0].children or () if child.type == "code_inline"]
    assert shown == [code]


def test_a_heading_has_no_links_and_no_closing_marks() -> None:
    inlines = (Link("a", (Text("C"),)), Text(" language {#x}"))
    assert write_heading(inlines) == r"C language \{#x}"
    assert plain_text(inlines) == "C language {#x}"


def test_an_angle_bracket_before_a_link_without_address_makes_no_tag() -> None:
    parts = (Text("Option<"), Link("", (Text("Ordering"),)), Text(">"))
    assert write_inlines(parts) == "Option\\<Ordering>"
