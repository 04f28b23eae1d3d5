"""What one rendering carries along: links, anchors, and the marks that its own HTML is known by."""

from __future__ import annotations

import re
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from doctrove_builder.markdown.addresses import encoded, is_external, is_safe
from doctrove_builder.markdown.limits import ADDRESSES_LIMIT
from doctrove_builder.markdown.sanitise import MARK_ID, MARK_PIECE, MARK_SOURCE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.site import SectionSource

_SIZED = re.compile(r"(.+) (\d{1,5})x(\d{1,5})")
_MARKED = re.compile(
    rf'<(?:figure|wbr) {MARK_PIECE}="(?P<piece_by>[0-9a-f]{{32}}):(?P<piece>\d+)">(?:</figure>)?'
    rf'| (?P<name>{MARK_ID}|{MARK_SOURCE})="(?P<value_by>[0-9a-f]{{32}}):(?P<value>[^"]*)"'
)


class Rendering:
    """The state of one rendering; made for a body, used once."""

    def __init__(self, source: SectionSource) -> None:
        self.prefix = source.prefix
        self.in_link = False
        self.in_footnote = False
        self.tab_groups = 0
        self.open_tabs: list[tuple[int, int]] = []
        """Group and number of the last tab in it, the innermost group last."""

        self._anchors = iter(source.anchors)
        self._targets = frozenset(source.targets)
        self._links: Mapping[str, str] = dict(source.links)
        self._left = ADDRESSES_LIMIT
        self._pieces: list[str] = []
        # No author can write the hash of a text into that text: what bears it is ours.
        self._secret = sha256(source.body.encode()).hexdigest()[:32]

    def next_anchor(self) -> str:
        """Return the anchor of the next heading; empty when there is none."""
        return "" if self.in_footnote else next(self._anchors, "")

    def name(self, kind: str, *numbers: int) -> str:
        """Return an id that is unique in the page: `kind` has a capital, no slug has one."""
        return "-".join(filter(None, (self.prefix, kind, *map(str, numbers))))

    def id(self, anchor: str) -> str:
        """Return the id attribute of an element of ours; `restored` writes it."""
        return f' {MARK_ID}="{self._secret}:{escape(anchor)}"' if anchor else ""

    def target(self, name: str) -> str:
        """Return the id attribute for a place that an author named, if it was accepted."""
        return self.id(name) if name in self._targets else ""

    def block(self, html: str) -> str:
        """Set finished HTML of a block aside; `restored` puts it in."""
        self._pieces.append(html)
        return f'<figure {MARK_PIECE}="{self._secret}:{len(self._pieces) - 1}"></figure>\n'

    def inline(self, html: str) -> str:
        """Set finished HTML of phrasing content aside; `restored` puts it in."""
        self._pieces.append(html)
        return f'<wbr {MARK_PIECE}="{self._secret}:{len(self._pieces) - 1}">'

    def address(self, written: str) -> str:
        """Return the address to write for one that an author wrote; empty when it is no link."""
        address = self._links.get(written, written)
        self._left -= len(address)
        return address if address and self._left >= 0 and is_safe(address) else ""

    def link(self, written: str, *, title: str = "", target: str = "") -> str:
        """Return the opening tag of a link; empty when it is shown as text."""
        address = self.address(written)
        if not address and not target:
            return ""
        if written in self._links and (sized := _SIZED.fullmatch(address)):
            address = sized[1]
        href = f' href="{escape(encoded(address))}"' if address else ""
        away = ' class="external" rel="external noopener"' if is_external(address) else ""
        return f"<a{href}{away}{_titled(title)}{target}>"

    def picture(self, written: str, *, alt: str, title: str = "") -> str:
        """Return a picture; one on another site is a link, or its text where no link can stand."""
        address = self.address(written)
        if not address:
            return escape(alt, quote=False)
        if is_external(address):
            shown = escape(alt or address, quote=False)
            return shown if self.in_link else f"{self.link(written, title=title)}{shown}</a>"
        sized = _SIZED.fullmatch(address)
        size = f' width="{sized[2]}" height="{sized[3]}"' if sized else ""
        source = escape(encoded(sized[1] if sized else address))
        return (
            f'<img {MARK_SOURCE}="{self._secret}:{source}" alt="{escape(alt)}"'
            f'{_titled(title)}{size} loading="lazy" decoding="async">'
        )

    def restored(self, html: str) -> str:
        """Return sanitised HTML with what was set aside put in, each id once."""
        seen: set[str] = set()

        def restore(found: re.Match[str]) -> str:
            if (found["piece_by"] or found["value_by"]) != self._secret:
                return found[0]
            if found["piece"]:
                return self._pieces[int(found["piece"])]
            if found["name"] == MARK_SOURCE:
                return f' src="{found["value"]}"'
            if found["value"] in seen:
                return ""
            seen.add(found["value"])
            return f' id="{found["value"]}"'

        return _MARKED.sub(restore, html)


def _titled(title: str) -> str:
    return f' title="{escape(title)}"' if title else ""
