"""Elements that Sphinx alone writes: described objects, field lists, old footnotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.html.parsing import classes, found, is_shown, tag, text_of
from doctrove_builder.importing.prose.inlines import plain_text
from doctrove_builder.importing.prose.tree import (
    Code,
    Described,
    Link,
    Listing,
    Note,
    Paragraph,
    Styled,
    Text,
)
from doctrove_builder.importing.restructured.fields import group_fields

if TYPE_CHECKING:
    from doctrove_builder.importing.html.parsing import Element
    from doctrove_builder.importing.html.reading import HtmlReader
    from doctrove_builder.importing.prose.tree import Block, Blocks, Inline, Inlines

_DOMAINS = {"py": "python", "c": "c", "cpp": "cpp", "js": "javascript", "rst": "rst"}
_TYPE_FIELDS = frozenset({"Return type", "Type", "Rtype"})
_NAMING_FIELDS = frozenset({"Parameters", "Keyword Arguments", "Variables", "Raises"})
_JOINT = re.compile(r"[\[\], |….]*(?:\[[\w., |]*\])?[\[\], |….]*")
_DASH = "\N{EN DASH}"
"""Stands between the head of a field's item and its text."""

_CLOSING = re.compile(r"[\]…]+")
_SIGNED = frozenset({"sig", "sig-object"})
_OLD_KINDS = frozenset(
    """
    class exception function method classmethod staticmethod attribute data property module
    describe option decorator envvar confval macro type member var struct enum enumerator
    """.split()  # noqa: SIM905 - words
)


def special(reader: HtmlReader, element: Element, depth: int) -> Blocks | None:
    """Read an element that Sphinx alone writes; None for any other."""
    if tag(element) != "dl":
        return None
    own = classes(element)
    if "field-list" in own:
        return _fields(reader, element, depth)
    if own & {"footnote", "citation"}:
        return _footnotes(reader, element, depth)
    if any(_SIGNED & classes(one) for one in element if tag(one) == "dt") or _is_old(element, own):
        return _described(reader, element, depth)
    return None


def _is_old(element: Element, own: frozenset[str]) -> bool:
    """Say whether it is an object as builds before Sphinx 4 wrote it."""
    names = (found(one, cls="descname") for one in element if tag(one) == "dt")
    return bool(own & _OLD_KINDS) and any(name is not None for name in names)


def _described(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    own = (element.get("class") or "").split()
    domain = own[0] if own and own[0] in {*_DOMAINS, "std"} else "py"
    kind = next((one for one in own if one in _OLD_KINDS), "")
    heads = [one for one in element if tag(one) == "dt"]
    anchors = tuple(name for head in heads for name in _ids(head))
    names = list(dict.fromkeys(filter(None, (_name(head) for head in heads))))
    signatures = tuple(filter(None, (_signature(head) for head in heads)))
    if not names or not signatures:
        return reader.blocks(element, depth + 1)
    inside: Blocks = ()
    for one in element:
        if tag(one) == "dd":
            inside = (*inside, *reader.blocks(one, depth + 1))
    owner = _owner(names[0], anchors) if domain in {"py", "js"} else ""
    shown = f"{owner}.{names[0]}" if owner and "." not in names[0] else names[0]
    symbols = (*(anchor for anchor in anchors if "." in anchor and domain == "py"), shown)
    language = _DOMAINS.get(domain, "console" if kind == "option" else "text")
    return (
        Described(
            name=shown,
            anchors=anchors or (shown,),
            signatures=signatures,
            language=language,
            symbols=tuple(dict.fromkeys(symbols)),
            inside=inside,
            place=None,
        ),
    )


def _owner(name: str, anchors: tuple[str, ...]) -> str:
    """Return the dotted name of the class or module that an object's id names before its own."""
    for anchor in anchors:
        if anchor.endswith(f".{name}"):
            return anchor.removesuffix(f".{name}")
    return ""


def _ids(head: Element) -> list[str]:
    ids = [head.get("id")] + [one.get("id") for one in head.iter() if tag(one) == "span"]
    return [one for one in dict.fromkeys(ids) if one]


def _name(head: Element) -> str:
    name = found(head, cls="sig-name")
    name = name if name is not None else found(head, cls="descname")
    if name is None:
        return ""
    before = found(head, cls="sig-prename")
    before = before if before is not None else found(head, cls="descclassname")
    prefix = "".join(text_of(before).split()) if before is not None else ""
    return prefix + " ".join(text_of(name).split())


def _signature(head: Element) -> str:
    """Return a signature on one line; one parameter a line where the build breaks it."""
    text = " ".join(text_of(head).replace("¶", "").split())
    text = re.sub(r"\s*\[source\]$", "", text)
    text = text.replace("→", "->")
    text = re.sub(r"\(\s+", "(", re.sub(r",?\s+\)", ")", text))
    return re.sub(r"\s+,", ",", text)


def _fields(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    """Return a field list of a description: groups that the build has already made."""
    fields: list[tuple[str, Blocks]] = []
    for one in element:
        if not is_shown(one):
            continue
        if tag(one) == "dt":
            fields.append((" ".join(text_of(one).split()).rstrip(":").strip(), ()))
        elif tag(one) == "dd" and fields:
            name, before = fields.pop()
            typed = _type if name in _TYPE_FIELDS else _typed
            fields.append((name, (*before, *map(typed, reader.blocks(one, depth + 1)))))
    return group_fields([(name, _listed(name, blocks)) for name, blocks in fields])


def _listed(name: str, blocks: Blocks) -> Blocks:
    """Return the only parameter or error of a field as the list that several are."""
    listed = not blocks or isinstance(blocks[0], Listing)
    return blocks if listed or name not in _NAMING_FIELDS else (Listing((blocks,)),)


def _type(block: Block) -> Block:
    """Return a paragraph that is a type and nothing else as code."""
    if not isinstance(block, Paragraph):
        return block
    text = plain_text(block.inside)
    only = block.inside[0] if len(block.inside) == 1 else None
    return Paragraph((Link(only.href, (Code(text),)) if isinstance(only, Link) else Code(text),))


def _typed(block: Block) -> Block:
    """Return a field's text with its types as code: a build writes each part of one in italics."""
    if isinstance(block, Listing):
        return Listing(tuple(tuple(map(_typed, item)) for item in block.items), block.start)
    if not isinstance(block, Paragraph):
        return block
    end = _head_end(block.inside)
    parts: list[Inline] = []
    run: list[Inline] = []

    def finish() -> None:
        if any(map(_is_type, run)):
            single = run[0] if len(run) == 1 else None
            text = plain_text(tuple(run))
            kept = Link(single.href, (Code(text),)) if isinstance(single, Link) else Code(text)
            parts.append(kept)
        else:
            parts.extend(run)
        run.clear()

    for at, one in enumerate(block.inside[:end]):
        if at == 0 and isinstance(one, Styled) and one.style == "**":
            parts.append(Code(plain_text(one.inside)))
        elif _is_type(one) or (run and isinstance(one, Text) and _JOINT.fullmatch(one.text)):
            run.append(one)
        else:
            if run and isinstance(one, Text) and (joint := _CLOSING.match(one.text)):
                run.append(Text(joint[0]))
                one = Text(one.text[joint.end() :])  # noqa: PLW2901 - its beginning is the type's
            finish()
            parts.append(one)
    finish()
    return Paragraph((*parts, *block.inside[end:]))


def _head_end(inlines: Inlines) -> int:
    """Return where the head of a field's item ends, its name and type: emphasis below is text."""
    first = inlines[0] if inlines else None
    named = isinstance(first, Styled) and first.style == "**"
    if not named and (first is None or not _is_type(first)):
        return 0
    for at, one in enumerate(inlines):
        if isinstance(one, Text) and _DASH in one.text:
            return at + 1
    texts = [one.text for one in inlines if isinstance(one, Text)]
    return len(inlines) if named or all(map(_JOINT.fullmatch, texts)) else 0


def _is_type(one: Inline) -> bool:
    inner = one.inside[0] if isinstance(one, Link) and len(one.inside) == 1 else one
    return isinstance(inner, Styled) and inner.style == "*"


def _footnotes(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    notes: list[Note] = []
    label = ""
    for one in element:
        if tag(one) == "dt":
            brackets = found(one, cls="brackets")
            label = re.sub(r"[\[\]\s]", "", text_of(one if brackets is None else brackets))
        elif tag(one) == "dd" and label:
            notes.append(Note(label, reader.blocks(one, depth + 1)))
            label = ""
    return tuple(notes)
