"""Link and footnote definitions that a section uses and that stand elsewhere in its page.

A section is read alone, so they are repeated below its text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from markdown_it.token import Token


class Definition(NamedTuple):
    """A link or footnote definition."""

    markdown: str
    line: int
    """First line, counted from 0."""

    is_note: bool = False
    uses: tuple[str, ...] = ()
    """Labels in a footnote's text."""

    tokens: tuple[int, int] = (0, 0)
    """The tokens of a footnote's text, end excluded."""


def find_definitions(tokens: Sequence[Token], lines: Sequence[str]) -> Mapping[str, Definition]:
    """Return a page's definitions by label (`^` before a footnote's); the first of one counts."""
    found: dict[str, Definition] = {}
    opened: list[int] = []
    for index, token in enumerate(tokens):
        start, end = token.map or (0, 0)
        if token.type == "definition":
            whole = "\n".join(lines[start:end]) if token.level == 0 else _written(token)
            found.setdefault(token.meta["id"], Definition(whole, start))
        elif token.type == "footnote_reference_open":
            opened.append(index)
        elif token.type == "footnote_reference_close":
            first = opened.pop()
            start, end = tokens[first].map or (0, 0)
            whole = "\n".join(lines[start:end]).strip("\n")
            uses = tuple(labels_used(tokens[first:index]))
            label = f"^{tokens[first].meta['label']}"
            found.setdefault(label, Definition(whole, start, True, uses, (first, index)))
    return found


def labels_used(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield the labels of the reference links, pictures and footnotes in the text of tokens."""
    for token in tokens:
        if token.type == "footnote_ref":
            yield f"^{token.meta['label']}"
        elif "label" in token.meta and token.type in {"link_open", "image"}:
            yield token.meta["label"]
        if token.children:
            yield from labels_used(token.children)


def missing_definitions(
    used: Iterable[str], known: Mapping[str, Definition], *, start: int, end: int
) -> tuple[Definition, ...]:
    """Return the definitions that lines `start` to `end` (excluded) need and do not hold.

    Those of links come first, each kind in the order of its use.
    """
    missing: list[Definition] = []
    seen: set[str] = set()
    waiting = list(used)[::-1]
    while waiting:
        label = waiting.pop()
        definition = known.get(label)
        if label in seen or definition is None:
            continue
        seen.add(label)
        waiting.extend(reversed(definition.uses))
        if not start <= definition.line < end:
            missing.append(definition)
    return tuple(sorted(missing, key=lambda one: one.is_note))


def completed(body: str, missing: Sequence[Definition]) -> str:
    """Return a body with the definitions that it misses below it."""
    links = "\n".join(one.markdown for one in missing if not one.is_note)
    notes = (one.markdown for one in missing if one.is_note)
    return "\n\n".join(filter(None, (body, links, *notes)))


def _written(token: Token) -> str:
    """Write a link definition out of a list or quote again."""
    title = str(token.meta["title"]).replace('"', '\\"')
    return f"[{token.meta['label']}]: <{token.meta['url']}>" + (f' "{title}"' if title else "")
