"""HTML, JSX and Vue components in a page to Markdown; what is decoration goes, its text stays."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown.components import CALLOUTS, component_heading, is_callout
from doctrove_builder.importing.markdown.lines import SOFT_BREAK, Line, blanked
from doctrove_builder.importing.markdown.tags import (
    VOID,
    Braces,
    Element,
    Tag,
    find_tags,
    page_mask,
    pair,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_words = str.split
KEPT = frozenset(
    _words("abbr bdi bdo cite del dfn ins kbd mark q rp rt ruby s samp sub sup var wbr")
)
RAW = frozenset(_words("table thead tbody tfoot tr td th caption dl dt dd ul ol li summary"))
"""Kept with all that is in them as HTML: no Markdown is read between such tags."""

KEPT_BLOCKS = RAW | {"details"}
UNWRAPPED = frozenset(
    _words(
        "address article aside base big body center div dir fieldset figcaption figure font footer"
        " header head hgroup html label legend link main meta nav nobr noscript object p param"
        " picture section slot small source span template tt title track u"
    )
)
DROPPED = frozenset(
    _words(
        "audio button canvas embed form iframe input math map progress script select style svg"
        " textarea video"
    )
)
FLOWING = frozenset(_words("font label legend nobr small span title tt u"))
BLOCKS = frozenset(_words("address article aside center div figure footer header main p section"))
INLINE = frozenset(_words("a b code em i img strong br"))
_ATTRIBUTES = frozenset(_words("title colspan rowspan start open reversed href id name alt src"))
MAX_DEDENTED = 200_000
"""Lines that are moved to the left, counted for each element around them."""

_HEADING = re.compile(r"h[1-6]\Z")
_BREAKS = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:language|lang|highlight-source|brush:)-?\s*([\w+#-]+)")
_VUE_LOGIC = ("v-for", "v-if", "v-else", "v-else-if", ":key")
_JINJA_BLOCK = re.compile(r"\{%-?\s*(for|if|raw|macro|set|import|from)\b[^%]*%\}", re.IGNORECASE)
_SIMPLE_EXPRESSION = re.compile(r"""\{\s*(?:"([^"{}]*)"|'([^'{}]*)'|`([^`{}$]*)`)\s*\}""")


class Markup:
    """The conversion of one page."""

    def __init__(self, lines: Sequence[Line], *, page: str, mdx: bool, vue: bool) -> None:
        """`mdx` reads JSX and expressions, `vue` Vue's templates; HTML is read in every page."""
        self._lines = lines
        self._page = page
        self._mdx = mdx
        self._vue = vue
        self._text = "\n".join(line.text for line in lines)
        self._mask = page_mask(lines, indented=not mdx)
        self._edits: list[tuple[int, int, str]] = []
        self._taken: list[tuple[int, int]] = []
        self._dedents: list[tuple[int, int, int, bool]] = []
        self._dedented = 0
        self.notes: list[Note] = []
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line.text) + 1)
        self._starts = starts

    def convert(self) -> list[Line]:
        """Return the page's lines without the tags that are not Markdown."""
        if not self._lines:
            return []
        if "<" in self._mask:
            elements = pair(find_tags(self._text, self._mask))
            self._heights = _heights(elements)
            for number, element in enumerate(elements):
                if not self._is_taken(element.opening.start):
                    self._element(elements, number)
        if self._mdx:
            self._expressions()
        elif self._vue:
            self._interpolations()
        return self._applied()

    def _element(self, elements: Sequence[Element], number: int) -> None:
        element = elements[number]
        tag = element.opening
        name = tag.name.lower() if tag.name.lower() == tag.name else tag.name
        lowered = tag.name.lower()
        in_raw = self._inside(elements, number, RAW)
        if lowered in DROPPED and name == lowered:
            self._drop(element, "html-dropped", f"<{lowered}> is left out")
        elif self._vue and any(key in tag.attributes for key in _VUE_LOGIC):
            self._drop(element, "component-dropped", f"<{tag.name}> is made by a template")
        elif not tag.name:
            self._unwrap(element)
        elif (
            (in_raw and name == lowered and (lowered in INLINE or lowered in KEPT))
            or lowered in KEPT
            or (lowered in KEPT_BLOCKS and name == lowered)
        ):
            self._clean(element)
        elif _HEADING.match(lowered):
            self._heading(element)
        elif lowered in INLINE and name == lowered:
            self._inline(element)
        elif lowered == "pre":
            self._preformatted(element)
        elif lowered == "blockquote":
            self._quote(element)
        elif lowered == "hr":
            self._edit(tag, "***" if self._own_line(tag) else f"{SOFT_BREAK}***{SOFT_BREAK}")
        elif lowered in UNWRAPPED and name == lowered:
            self._unwrap(element)
        else:
            self._component(elements, number)

    def _component(self, elements: Sequence[Element], number: int) -> None:
        element = elements[number]
        tag = element.opening
        is_component = tag.name[0].isupper() or "." in tag.name or "-" in tag.name
        framed = element.closing is not None or tag.alone
        glued = tag.start > 0 and (
            self._text[tag.start - 1].isalnum() or self._text[tag.start - 1] in "_>`"
        )
        if (
            not is_component
            or (not framed and not (self._mdx and self._starts_line(tag)))
            or (glued and not self._mdx)
        ):
            if tag.closing and is_component and (self._mdx or self._own_line(tag)):
                self._edit(tag, "")
            else:
                self._edits.append((tag.start, tag.start + 1, "\\<"))
            return
        if tag.alone or element.closing is None:
            self._edit(tag, self._alone(tag))
            if tag.alone:
                self._note("component-dropped", tag, f"<{tag.name}> holds no text")
            return
        kind = is_callout(tag)
        if kind and self._starts_line(tag):
            self._callout(element, kind, self._heights[number])
            return
        items = self._tab_titles(elements, number)
        heading = component_heading(tag, items=items) if self._starts_line(tag) else ""
        rest = self._rest_of_line(tag.end)
        if heading:
            heading += SOFT_BREAK + (SOFT_BREAK + self._indent(tag) if rest.strip() else "")
        self._edit(tag, heading)
        self._edit(element.closing, "")
        self._dedent(element)

    def _alone(self, tag: Tag) -> str:
        """Return what a component without content says; badges in headings say nothing lasting."""
        line = self._text[self._line_start(tag.start) : tag.start]
        if tag.name.endswith("Badge"):
            return "" if line.lstrip().startswith("#") else tag.text("text")
        return component_heading(tag, items=()) if not line.strip() else ""

    def _callout(self, element: Element, kind: str, height: int) -> None:
        tag, closing = element.opening, element.closing
        if closing is None:
            return
        mark = ":" * (2 + height)
        title = tag.text("title", "heading", "label")
        opening = f"{mark} {kind}{f' {title}' if title else ''}"
        indent = self._indent(tag)
        if self._rest_of_line(tag.end).strip():
            opening += SOFT_BREAK + indent
        before = self._text[self._line_start(closing.start) : closing.start]
        ending = f"{SOFT_BREAK}{indent}{mark}" if before.strip() else mark
        if self._rest_of_line(closing.end).strip():
            ending += SOFT_BREAK + indent
        self._edit(tag, opening)
        self._edit(closing, ending)
        self._dedent(element)

    def _tab_titles(self, elements: Sequence[Element], number: int) -> tuple[str, ...]:
        """Return the title that the tabs around give to this one by its place."""
        parent = elements[number].parent
        if parent < 0:
            return ()
        items = elements[parent].opening.attributes.get("items", "")
        titles = [a or b for a, b in re.findall(r"\"([^\"]*)\"|'([^']*)'", items)]
        if not titles:
            return ()
        before = sum(
            1
            for other in elements[parent + 1 : number]
            if other.parent == parent and not other.opening.closing
        )
        return (titles[before],) if before < len(titles) else ()

    def _heading(self, element: Element) -> None:
        tag, closing = element.opening, element.closing
        if tag.closing or closing is None or not self._starts_line(tag):
            self._edit(tag, "")
            if closing:
                self._edit(closing, "")
            return
        level = "#" * int(tag.name[1])
        anchor = tag.text("id")
        explicit = f" {{#{anchor}}}" if re.fullmatch(r"[\w.-]+", anchor) else ""
        inner = self._text[tag.end : closing.start]
        if "\n" in inner:
            plain = " ".join(re.sub(r"<[^<>]*>", "", inner).split())
            lines = blanked(self._text[tag.start : closing.end])
            self._replace(tag.start, closing.end, f"{level} {plain}{explicit}{lines}")
            return
        self._replace_indent(tag, f"{level} ")
        self._edit(
            closing, explicit + (SOFT_BREAK if self._rest_of_line(closing.end).strip() else "")
        )

    def _inline(self, element: Element) -> None:
        tag, closing = element.opening, element.closing
        name = tag.name.lower()
        if name == "br":
            before = _BREAKS.sub("", self._text[self._line_start(tag.start) : tag.start]).strip()
            rest = _BREAKS.sub("", self._rest_of_line(tag.end)).strip()
            self._edit(tag, "<br>" if before and rest else "")
        elif name == "img":
            self._edit(tag, _picture(tag))
        elif closing is None:
            self._anchor(tag)
        elif name == "a":
            self._link(tag, closing)
        elif name == "code":
            self._code_span(tag, closing)
        else:
            mark = "**" if name in {"b", "strong"} else "*"
            inner = self._text[tag.end : closing.start]
            if not inner.strip() or inner != inner.strip() or "\n\n" in inner:
                mark = ""
            self._edit(tag, mark)
            self._edit(closing, mark)

    def _anchor(self, tag: Tag) -> None:
        named = tag.text("id", "name")
        self._edit(tag, f'<a id="{html.escape(named)}"></a>' if named and not tag.closing else "")

    def _link(self, tag: Tag, closing: Tag) -> None:
        address = tag.text("href", "to")
        inner = self._text[tag.end : closing.start]
        if not inner.strip() or not address or "\n\n" in inner:
            named = tag.text("id", "name")
            self._edit(tag, f'<a id="{html.escape(named)}"></a>' if named else "")
            self._edit(closing, "")
        else:
            self._edit(tag, "[")
            target = f"<{address}>" if re.search(r"[\s()<>]", address) else address
            self._edit(closing, f"]({target})")

    def _code_span(self, tag: Tag, closing: Tag) -> None:
        inner = self._text[tag.end : closing.start]
        if "<" in inner or "\n\n" in inner or not inner.strip():
            self._edit(tag, "")
            self._edit(closing, "")
            return
        plain = html.unescape(inner)
        mark = "``" if "`" in plain else "`"
        pad = " " if "`" in plain else ""
        self._replace(tag.start, closing.end, f"{mark}{pad}{plain}{pad}{mark}")

    def _preformatted(self, element: Element) -> None:
        tag, closing = element.opening, element.closing
        if closing is None:
            self._edit(tag, "")
            return
        inner = self._text[tag.end : closing.start]
        if not self._starts_line(tag) or self._mdx:
            self._edit(tag, "")
            self._edit(closing, "")
            return
        found = re.match(r"\s*<code\b([^<>]*)>", inner)
        named = _LANGUAGE.search(found[1] if found else "") or _LANGUAGE.search(
            " ".join(tag.attributes.values())
        )
        plain = html.unescape(re.sub(r"<[^<>]*>", "", inner))
        start = "" if plain.startswith("\n") else SOFT_BREAK
        end = "" if plain.endswith("\n") else SOFT_BREAK
        fence = f"```{named[1] if named else ''}"
        self._replace(tag.start, closing.end, f"{fence}{start}{plain}{end}```")

    def _quote(self, element: Element) -> None:
        """Write a quote on one line as Markdown; of a longer one the text stays."""
        tag, closing = element.opening, element.closing
        if closing is None or "\n" in self._text[tag.end : closing.start]:
            self._unwrap(element)
            return
        after = SOFT_BREAK if self._following_line(closing.end).strip() else ""
        self._edit(tag, "> " if self._starts_line(tag) else "")
        self._edit(closing, after)

    def _following_line(self, at: int) -> str:
        end = self._text.find("\n", at)
        return self._rest_of_line(end + 1) if end >= 0 else ""

    def _clean(self, element: Element) -> None:
        """Keep a tag with the attributes that say something."""
        tag = element.opening
        if tag.closing:
            return
        if tag.name.lower() == "summary" and element.closing:
            # What follows is read as Markdown after a blank line alone.
            ends = not self._rest_of_line(element.closing.end).strip()
            if ends and self._following_line(element.closing.end).strip():
                self._edit(element.closing, f"</summary>{SOFT_BREAK}")
        kept = {
            key: value
            for key, value in tag.attributes.items()
            if key in _ATTRIBUTES and not value.startswith("{")
        }
        if kept == dict(tag.attributes) and not tag.alone:
            return
        written = "".join(f' {k}="{html.escape(v)}"' if v else f" {k}" for k, v in kept.items())
        self._edit(tag, f"<{tag.name}{written}>")

    def _unwrap(self, element: Element) -> None:
        tag = element.opening
        is_block = tag.name.lower() in BLOCKS
        before = self._text[self._line_start(tag.start) : tag.start].strip()
        apart = SOFT_BREAK * 2 if is_block and before and not tag.closing else ""
        named = tag.text("id") if not tag.closing and not self._mdx else ""
        self._edit(
            tag, apart + (f'<a id="{html.escape(named)}"></a>' if named and not is_block else "")
        )
        if element.closing:
            self._edit(element.closing, "")
            if tag.name.lower() not in FLOWING:
                self._dedent(element)

    def _drop(self, element: Element, kind: str, message: str) -> None:
        tag, closing = element.opening, element.closing
        end = closing.end if closing else tag.end
        self._replace(tag.start, end, blanked(self._text[tag.start : end]))
        if not tag.closing:
            self._note(kind, tag, message)

    def _expressions(self) -> None:
        """Take the JSX expressions out of an MDX page; texts in them stay."""
        braces = Braces(self._text)
        at = self._mask.find("{")
        while at >= 0:
            end = at + 1
            escaped = at > 0 and self._text[at - 1] == "\\"
            if not escaped and not self._is_taken(at) and not self._is_edited(at):
                closed = braces.end(at)
                is_id = self._text.startswith(("{#", "{ #"), at)
                if closed is not None and not is_id:
                    end = closed
                    inner = self._text[at:end]
                    simple = _SIMPLE_EXPRESSION.fullmatch(inner)
                    kept = (simple[1] or simple[2] or simple[3] or "") if simple else ""
                    self._replace(at, end, kept + blanked(inner)[kept.count("\n") :])
                    if not simple and not inner.startswith("{/*"):
                        self._note_at("expression-dropped", at, f"{inner[:60]!r} is code")
            at = self._mask.find("{", end)

    def _interpolations(self) -> None:
        """Take Vue's `{{ ... }}` out of a page."""
        for found in re.finditer(r"\{\{[^{}\n]*\}\}", self._mask):
            if not self._is_taken(found.start()) and "\0" not in found[0]:
                self._replace(found.start(), found.end(), "")
                self._note_at("expression-dropped", found.start(), f"{found[0][:60]!r} is code")

    def _applied(self) -> list[Line]:
        text = self._text
        parts: list[str] = []
        at = 0
        for start, end, new in sorted(self._edits):
            if start < at:
                continue
            missing = text.count("\n", start, end) - new.count("\n")
            parts += [text[at:start], new, "\n" * max(missing, 0)]
            at = end
        parts.append(text[at:])
        changed = "".join(parts).split("\n")
        if len(changed) != len(self._lines):
            raise ValueError("a change of text must keep its lines")
        for first, last, base, flat in reversed(self._dedents):  # the inner ones first
            _dedent(changed, first, last, base, flat=flat)
        made: list[Line] = []
        for line, one in zip(self._lines, changed, strict=True):
            if SOFT_BREAK in one:
                made += [line.with_text(part.rstrip()) for part in one.split(SOFT_BREAK)]
            else:
                made.append(line.with_text(one))
        return made

    def _edit(self, tag: Tag, new: str) -> None:
        self._edits.append((tag.start, tag.end, new))

    def _replace(self, start: int, end: int, new: str) -> None:
        self._edits.append((start, end, new))
        self._taken.append((start, end))

    def _replace_indent(self, tag: Tag, new: str) -> None:
        self._edits.append((self._line_start(tag.start), tag.end, new))

    def _is_taken(self, at: int) -> bool:
        return any(start <= at < end for start, end in self._taken[-50:])

    def _is_edited(self, at: int) -> bool:
        if not hasattr(self, "_spans"):
            self._spans = sorted((start, end) for start, end, _ in self._edits)
        import bisect  # noqa: PLC0415

        number = bisect.bisect_right(self._spans, (at, len(self._text) + 1)) - 1
        return number >= 0 and self._spans[number][0] <= at < self._spans[number][1]

    def _inside(self, elements: Sequence[Element], number: int, names: frozenset[str]) -> bool:
        parent = elements[number].parent
        for _ in range(40):
            if parent < 0:
                return False
            if elements[parent].opening.name.lower() in names and elements[parent].closing:
                return True
            parent = elements[parent].parent
        return False

    def _dedent(self, element: Element) -> None:
        """Take the further indentation off the lines between two tags of a block."""
        tag, closing = element.opening, element.closing
        if closing is None or not self._starts_line(tag):
            return
        first, last = self._line_number(tag.start) + 1, self._line_number(closing.start)
        if self._text[self._line_start(closing.start) : closing.start].strip():
            last += 1
        self._dedented += last - first
        if first < last and self._dedented < MAX_DEDENTED:
            inner = self._text[tag.end : closing.start]
            flat = tag.name.lower() in BLOCKS and not self._mdx and "\n\n" not in inner
            self._dedents.append((first, last, len(self._indent(tag)), flat))

    def _line_number(self, at: int) -> int:
        import bisect  # noqa: PLC0415

        return bisect.bisect_right(self._starts, at) - 1

    def _line_start(self, at: int) -> int:
        return self._text.rfind("\n", 0, at) + 1

    def _rest_of_line(self, at: int) -> str:
        end = self._text.find("\n", at)
        return self._text[at : end if end >= 0 else len(self._text)]

    def _indent(self, tag: Tag) -> str:
        start = self._line_start(tag.start)
        return self._text[start : tag.start] if self._starts_line(tag) else ""

    def _starts_line(self, tag: Tag) -> bool:
        return not self._text[self._line_start(tag.start) : tag.start].strip()

    def _own_line(self, tag: Tag) -> bool:
        return self._starts_line(tag) and not self._rest_of_line(tag.end).strip()

    def _note(self, kind: str, tag: Tag, message: str) -> None:
        self._note_at(kind, tag.start, message)

    def _note_at(self, kind: str, at: int, message: str) -> None:
        line = self._lines[self._line_number(at)].number
        self.notes.append(Note(kind=kind, place=f"{self._page}:{line}", message=message))


def _heights(elements: Sequence[Element]) -> list[int]:
    """Return how many callouts stand in each other below an element, itself included."""
    heights = [0] * len(elements)
    for number in range(len(elements) - 1, -1, -1):
        element = elements[number]
        own = element.closing is not None and bool(is_callout(element.opening))
        heights[number] += own
        if element.parent >= 0:
            heights[element.parent] = max(heights[element.parent], heights[number])
    return heights


def _dedent(lines: list[str], first: int, last: int, base: int, *, flat: bool) -> None:
    if flat:  # HTML without a blank line: its white space says nothing
        for number in range(first, min(last, len(lines))):
            bare = lines[number].lstrip(" \t")
            lines[number] = " " * min(base, len(lines[number]) - len(bare)) + bare
        return
    chosen = [line for line in lines[first:last] if line.strip(f" \t{SOFT_BREAK}")]
    shared = min((len(line) - len(line.lstrip(" \t")) for line in chosen), default=0)
    if shared > base:
        for number in range(first, min(last, len(lines))):
            if lines[number].strip():
                lines[number] = lines[number][shared - base :]


def _picture(tag: Tag) -> str:
    source = tag.text("src")
    alt = re.sub(r"[\[\]\\`<>]", "", tag.text("alt", "title"))
    if not source:
        return alt
    target = f"<{source}>" if re.search(r"[\s()<>]", source) else source
    return f"![{alt}]({target})"


__all__ = ["CALLOUTS", "VOID", "Markup"]
