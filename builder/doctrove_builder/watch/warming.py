"""What a process does slowly the first time: load the parser, compile the templates."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from doctrove_builder.markdown import parse_page, render_section
from doctrove_builder.model import Document
from doctrove_builder.render import RenderError, render_view, section_keys
from doctrove_builder.site import SectionSource

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.render import Look, View

_PAGE = """\
# Title

Text with `code`, *stress*, a [link](other.md) and a note[^1].

- [ ] task

| a | b |
| - | - |
| 1 | 2 |

```python
answer = 42
```

[^1]: The note.
"""


def warm_up(views: Iterable[View], *, look: Look) -> None:
    """Parse and render a small page, and then these views without their text; nothing is kept."""
    parse_page(Document(path="page.md", text=_PAGE), path="page", split_level=2)
    render_section(SectionSource(body=_PAGE))
    for view in views:
        with contextlib.suppress(RenderError):
            render_view(view, dict.fromkeys(section_keys(view), ""), look=look)
