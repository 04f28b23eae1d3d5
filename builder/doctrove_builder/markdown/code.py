"""A code block as a figure: what language it is in, its title, and the code."""

from __future__ import annotations

from html import escape

from doctrove_builder.markdown.fences import fence_info
from doctrove_builder.markdown.highlight import highlight, is_known, language_name


def code_figure(code: str, *, info: str, titled: bool = True) -> str:
    """Return the HTML of a code block; all of it is ours or escaped."""
    known = fence_info(info)
    language = language_name(known.language)
    caption = f'<span class="lang">{escape(language)}</span>' if language else ""
    if known.title and titled:
        caption += f'<span class="title">{escape(known.title)}</span>'
    named = f' class="language-{known.language}"' if is_known(known.language) else ""
    html = highlight(code.removesuffix("\n"), language=known.language, marked=known.marked)
    return (
        '<figure class="code">'
        + (f"<figcaption>{caption}</figcaption>" if caption else "")
        + f'<pre tabindex="0" dir="ltr"><code{named}>{html}</code></pre></figure>\n'
    )
