"""Block tokens to HTML, before it is sanitised."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from doctrove_builder.markdown.code import code_figure
from doctrove_builder.markdown.inline import reference_name, render_inline, text_of
from doctrove_builder.markdown.kinds import DETAILS, style_of
from doctrove_builder.markdown.raw import written_html

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from markdown_it.token import Token

    from doctrove_builder.markdown.rendering import Rendering

    Rule = Callable[[Sequence[Token], int, Rendering], str]

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]")
_LABEL_LIMIT = 100


def render_blocks(tokens: Sequence[Token], rendering: Rendering) -> str:
    """Return the HTML of block tokens."""
    parts: list[str] = []
    for index, token in enumerate(tokens):
        if token.type == "inline":
            parts.append(render_inline(token.children or (), rendering))
        elif rule := _RULES.get(token.type):
            parts.append(rule(tokens, index, rendering))
        elif not token.hidden:
            parts.append(f"</{token.tag}>\n" if token.nesting < 0 else f"<{token.tag}>")
    return "".join(parts)


def _direction(tokens: Sequence[Token], index: int) -> str:
    """Return the `dir` of an element whose text comes next; only right-to-left text needs one."""
    for token in tokens[index + 1 : index + 3]:
        if token.type == "inline":
            return ' dir="auto"' if _RIGHT_TO_LEFT.search(token.content) else ""
    return ""


def _directed(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    token = tokens[index]
    return "" if token.hidden else f"<{token.tag}{_direction(tokens, index)}>"


def _heading_open(tokens: Sequence[Token], index: int, rendering: Rendering) -> str:
    token = tokens[index]
    token.meta["anchor"] = rendering.next_anchor()
    anchor = rendering.id(token.meta["anchor"])
    return f"<{_heading_tag(token)}{anchor}{_direction(tokens, index)}>"


def _heading_close(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    tag, anchor = _heading_tag(tokens[index]), tokens[index - 2].meta["anchor"]
    if not anchor:
        return f"</{tag}>\n"
    label = escape(f"Link to {text_of(tokens[index - 1].children or ()).strip()}")
    href = escape(f"#{anchor}")
    return f' <a class="permalink" href="{href}" aria-label="{label}">#</a></{tag}>\n'


def _heading_tag(token: Token) -> str:
    """The page has the one `h1`."""
    return "h2" if token.tag == "h1" else token.tag


def _fence(tokens: Sequence[Token], index: int, rendering: Rendering) -> str:
    token = tokens[index]
    titled = token.meta.get("title", True)
    return rendering.block(code_figure(token.content, info=token.info, titled=titled))


def _html(tokens: Sequence[Token], index: int, rendering: Rendering) -> str:
    return written_html(tokens[index].content, rendering)


def _rule(_tokens: Sequence[Token], _index: int, _rendering: Rendering) -> str:
    return "<hr>\n"


def _math(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    return f'<p><span class="math">$${escape(tokens[index].content, quote=False)}$$</span></p>\n'


def _ordered_list_open(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    start = tokens[index].attrs.get("start", 1)
    return "<ol>\n" if start == 1 else f'<ol start="{start}">\n'


def _list_item_open(tokens: Sequence[Token], index: int, rendering: Rendering) -> str:
    tight = tokens[index + 1].hidden
    direction = _direction(tokens, index) if tight else ""
    checked = tokens[index].meta.get("checked")
    if checked is None:
        return f"<li{direction}>"
    state = ' checked aria-label="Done"' if checked else ' aria-label="Not done"'
    return f'<li class="task"{direction}>' + rendering.inline(
        f'<input type="checkbox" disabled{state}> '
    )


def _table_open(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    heads: list[str] = []
    for token in tokens[index + 1 :] if tokens[index + 1].type == "thead_open" else ():
        if token.type == "thead_close":
            break
        if token.type == "inline":
            heads.append(text_of(token.children or ()).strip())
    label = ", ".join(filter(None, heads))
    label = label if len(label) <= _LABEL_LIMIT else label[: _LABEL_LIMIT - 1] + "…"
    named = escape(f"Table: {label}" if label else "Table")
    return f'<div class="table" tabindex="0" role="group" aria-label="{named}"><table>\n'


def _table_close(_tokens: Sequence[Token], _index: int, _rendering: Rendering) -> str:
    return "</table></div>\n"


def _cell_open(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    align = str(tokens[index].attrs.get("style", "")).removeprefix("text-align:")
    aligned = f' class="align-{align}"' if align else ""
    return f"<{_cell_tag(tokens[index], tokens[index + 1])}{aligned}{_direction(tokens, index)}>"


def _cell_close(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    return f"</{_cell_tag(tokens[index], tokens[index - 1])}>\n"


def _cell_tag(token: Token, inline: Token) -> str:
    """A heading cell without text heads nothing."""
    return token.tag if inline.content else "td"


def _admonition_open(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    token = tokens[index]
    kind, fold = token.meta["kind"].lower(), token.meta.get("fold", "")
    style = "note" if kind == DETAILS else style_of(kind)
    if not fold:
        return f'<div class="admonition {style}" role="note">\n'
    opened = " open" if fold == "open" else ""
    return f'<details class="admonition {style}"{opened}>\n'


def _admonition_close(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    return "</details>\n" if tokens[index].meta.get("fold") else "</div>\n"


def _admonition_title_open(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    tag = "summary" if tokens[index].meta.get("fold") else "p"
    return f'<{tag} class="admonition-title"{_direction(tokens, index)}>'


def _admonition_title_close(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    return "</summary>\n" if tokens[index].meta.get("fold") else "</p>\n"


def _tabs_open(_tokens: Sequence[Token], _index: int, rendering: Rendering) -> str:
    rendering.tab_groups += 1
    rendering.open_tabs.append((rendering.tab_groups, 0))
    return '<div class="tabs">\n'


def _tabs_close(_tokens: Sequence[Token], _index: int, rendering: Rendering) -> str:
    rendering.open_tabs.pop()
    return "</div>\n"


def _tab_open(tokens: Sequence[Token], index: int, rendering: Rendering) -> str:
    group, last = rendering.open_tabs[-1]
    rendering.open_tabs[-1] = (group, last + 1)
    name = escape(rendering.name("Tabs", group))
    chosen = "" if last else " checked"
    label = escape(tokens[index].meta["title"], quote=False)
    button = (
        f'<input type="radio" name="{name}" id="{name}-{last + 1}"{chosen}>'
        f'<label for="{name}-{last + 1}">{label}</label>\n'
    )
    return rendering.inline(button) + '<div class="tab">\n'


def _tab_close(_tokens: Sequence[Token], _index: int, _rendering: Rendering) -> str:
    return "</div>\n"


def _footnotes_open(_tokens: Sequence[Token], _index: int, _rendering: Rendering) -> str:
    return '<div class="footnotes"><ol>\n'


def _footnotes_close(_tokens: Sequence[Token], _index: int, _rendering: Rendering) -> str:
    return "</ol></div>\n"


def _footnote_open(tokens: Sequence[Token], index: int, rendering: Rendering) -> str:
    rendering.in_footnote = True
    return f"<li{rendering.id(rendering.name('Note', tokens[index].meta['id'] + 1))}>"


def _footnote_close(_tokens: Sequence[Token], _index: int, rendering: Rendering) -> str:
    rendering.in_footnote = False
    return "</li>\n"


def _footnote_anchor(tokens: Sequence[Token], index: int, rendering: Rendering) -> str:
    place = escape(f"#{reference_name(tokens[index], rendering)}")
    return f' <a class="footnote-back" href="{place}" aria-label="Back to the text">↩</a>'


_RULES: Mapping[str, Rule] = {
    "admonition_close": _admonition_close,
    "admonition_open": _admonition_open,
    "admonition_title_close": _admonition_title_close,
    "admonition_title_open": _admonition_title_open,
    "alert_close": _admonition_close,
    "alert_open": _admonition_open,
    "alert_title_close": _admonition_title_close,
    "alert_title_open": _admonition_title_open,
    "code_block": _fence,
    "dt_open": _directed,
    "fence": _fence,
    "footnote_anchor": _footnote_anchor,
    "footnote_block_close": _footnotes_close,
    "footnote_block_open": _footnotes_open,
    "footnote_close": _footnote_close,
    "footnote_open": _footnote_open,
    "heading_close": _heading_close,
    "heading_open": _heading_open,
    "hr": _rule,
    "html_block": _html,
    "list_item_open": _list_item_open,
    "math_block": _math,
    "ordered_list_open": _ordered_list_open,
    "paragraph_open": _directed,
    "tab_close": _tab_close,
    "tab_open": _tab_open,
    "table_close": _table_close,
    "table_open": _table_open,
    "tabs_close": _tabs_close,
    "tabs_open": _tabs_open,
    "td_close": _cell_close,
    "td_open": _cell_open,
    "th_close": _cell_close,
    "th_open": _cell_open,
}
