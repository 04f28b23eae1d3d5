"""Blocks of other dialects, rewritten as those that authors of volumes write.

MyST directives in fences of backticks or colons; PyMdown blocks (`/// tab | Python`); containers of
VitePress and Docusaurus that only style; Hugo, Jekyll and GitBook tags in `{% %}` and `{{< >}}`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown.lines import Line, Role, closes, fence_of, roles
from doctrove_builder.markdown.kinds import CONTAINERS, STYLE_OF

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_DEPTH = 20
MAX_LOOKED = 300_000
"""Lines of a page that are looked at for the ends of its containers, again for each of them."""

_DIRECTIVE = re.compile(r"\{(?P<name>[\w:.+-]+)\}[ \t]*(?P<argument>.*)")
_COLON_DIRECTIVE = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>:{3,})[ \t]*\{(?P<name>[\w:.+-]+)\}[ \t]*(?P<argument>.*)"
)
_CONTAINER = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>:{3,})[ \t]*(?P<word>[A-Za-z][\w-]*)(?P<rest>.*)"
)
_SLASHES = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>/{3,})[ \t]*(?P<word>[A-Za-z][\w-]*)[ \t]*"
    r"(?:\|[ \t]*(?P<title>.*))?"
)
_OPTION = re.compile(r"[ \t]*:([\w-]+):(?:[ \t]+(.*)|[ \t]*)")
_YAML_OPTION = re.compile(r"(?: {4}|\t)([\w-]+):[ \t]*(.*)")
_CODE_DIRECTIVES = frozenset(
    {"code", "code-block", "code-cell", "sourcecode", "prompt", "parsed-literal", "ipython"}
)
_DROPPED = frozenset(
    {
        *("contents", "currentmodule", "default-role", "genindex", "highlight", "index", "only"),
        *(
            "raw",
            "role",
            "sectionauthor",
            "tableofcontents",
            "toctree",
            "module",
            "py:currentmodule",
        ),
        *("py:module", "tags", "card-carousel", "button-link", "button-ref", "bibliography"),
    }
)
_CHANGES = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
    "deprecated-removed": "Deprecated since version",
}
_TITLED = frozenset(
    {
        "tab-item",
        "group-tab",
        "tab",
        "card",
        "grid-item-card",
        "dropdown",
        "rubric",
        "topic",
        "sidebar",
        "grid-item",
    }
)
_DIAGRAMS = frozenset({"mermaid", "graphviz", "plantuml"})
_STYLE_ONLY = frozenset({"raw", "v-pre", "div", "html", "center", "grid", "cards", "steps", "tabs"})


class Blocks:
    """The conversion of one page's blocks."""

    def __init__(self, page: str, *, mdx: bool) -> None:
        """Note what is dropped under the page's file."""
        self._page = page
        self._mdx = mdx
        self._module = ""
        self._looked = 0
        self.notes: list[Note] = []

    def convert(self, lines: Sequence[Line], depth: int = 0) -> list[Line]:
        """Return the lines with every block that is known rewritten."""
        if depth > MAX_DEPTH:
            return list(lines)
        made: list[Line] = []
        kinds = roles(lines, indented=not self._mdx)
        at = 0
        while at < len(lines):
            taken, found = self._block(lines, kinds, at, depth)
            made += [lines[at]] if found is None else found
            at += taken
        return made

    def _block(
        self, lines: Sequence[Line], kinds: Sequence[Role], at: int, depth: int
    ) -> tuple[int, list[Line] | None]:
        line = lines[at]
        if kinds[at] is Role.OPEN:
            fence = fence_of(line.text)
            found = _DIRECTIVE.fullmatch(fence.info.strip()) if fence else None
            if fence is None or found is None or _is_attribute_list(fence.info):
                end = _role_end(kinds, at)
                return end - at, list(lines[at:end])
            end = next(
                (i for i in range(at + 1, len(lines)) if closes(lines[i].text, fence.mark)),
                len(lines),
            )
            body = lines[at + 1 : end]
            made = self._directive(
                found["name"], found["argument"], line, fence.prefix, body, depth
            )
            return min(end + 1, len(lines)) - at, made
        if kinds[at] is not Role.TEXT:
            return 1, None
        text = line.text
        if ":::" in text:
            return self._colons(lines, kinds, at, depth)
        if text.lstrip().startswith("///"):
            return self._slashes(lines, kinds, at, depth)
        return 1, None

    def _colons(
        self, lines: Sequence[Line], kinds: Sequence[Role], at: int, depth: int
    ) -> tuple[int, list[Line] | None]:
        line = lines[at]
        found = _COLON_DIRECTIVE.fullmatch(line.text)
        other = None if found else _CONTAINER.fullmatch(line.text)
        if found is None and other is None:
            return 1, None
        mark = found["mark"] if found else other["mark"] if other else ":::"
        end = self._closing(lines, kinds, at, mark)
        if end is None:
            return 1, None
        body = lines[at + 1 : end]
        if found is not None:
            made = self._directive(
                found["name"], found["argument"], line, found["indent"], body, depth
            )
            return end - at + 1, made
        assert other is not None  # one of the two matched
        if other["word"].lower() in CONTAINERS:
            inner = self.convert(body, depth + 1)
            longest = 2 + _inner_depth(inner)
            if len(mark) <= longest and longest > 2:
                mark = ":" * (longest + 1)
            opening = line.text.replace(other["mark"], mark, 1)
            closing = f"{other['indent']}{mark}"
            return end - at + 1, [line.with_text(opening), *inner, lines[end].with_text(closing)]
        title = _title_of(other["rest"])
        head = (
            [line.with_text(f"{other['indent']}**{title}**"), line.with_text("")] if title else []
        )
        self._note("container-dropped", line, f"the container {other['word']!r} is only its text")
        return end - at + 1, [*head, *self.convert(body, depth + 1)]

    def _slashes(
        self, lines: Sequence[Line], kinds: Sequence[Role], at: int, depth: int
    ) -> tuple[int, list[Line] | None]:
        line = lines[at]
        found = _SLASHES.fullmatch(line.text)
        if found is None:
            return 1, None
        end = self._closing(lines, kinds, at, found["mark"])
        if end is None:
            return 1, None
        body = list(lines[at + 1 : end])
        options: dict[str, str] = {}
        while body and (option := _YAML_OPTION.fullmatch(body[0].text)):
            options[option[1]] = option[2]
            body = body[1:]
        word, title = found["word"].lower(), (found["title"] or "").strip()
        indent = found["indent"]
        inner = self.convert(body, depth + 1)
        if word in {"tab", "caption", "figure-caption", "define", "html"}:
            head = (
                [line.with_text(f"{indent}**{title}**"), line.with_text("")]
                if title and word == "tab"
                else []
            )
            return end - at + 1, [*head, *inner]
        if word == "admonition":
            word = options.get("type", "note")
        kind = word if word in CONTAINERS else "note"
        name = title or ("" if kind == word else word.capitalize())
        opening = f"{indent}{found['mark']} {kind}{f' | {name}' if name else ''}"
        return end - at + 1, [
            line.with_text(opening),
            *inner,
            lines[end].with_text(f"{indent}{found['mark']}"),
        ]

    def _directive(  # noqa: PLR0911, PLR0913, PLR0917 - one a dialect
        self, name: str, argument: str, line: Line, indent: str, body: Sequence[Line], depth: int
    ) -> list[Line]:
        options, body = _options(body)
        argument = argument.strip()
        if name in {"currentmodule", "module", "py:currentmodule", "py:module"}:
            self._module = argument
        if name in _DROPPED:
            return []
        if name in _CODE_DIRECTIVES or name in _DIAGRAMS:
            language = argument or (
                name if name in _DIAGRAMS else "python" if "python" in name else ""
            )
            return _fenced(line, indent, language, _undented(body, indent))
        if name == "math":
            return [line.with_text(f"{indent}$$"), *body, line.with_text(f"{indent}$$")]
        if name in {"image", "figure"}:
            picture = f"![{options.get('alt', '')}]({argument})"
            return [
                line.with_text(f"{indent}{picture}"),
                line.with_text(""),
                *self.convert(body, depth + 1),
            ]
        if name in _CHANGES:
            return self._change(name, argument, line, indent, body, depth)
        if name == "eval-rst":
            return self._restructured(line, indent, body)
        if name.startswith(("auto", "py:auto")):
            return self._object(argument, options, line, indent)
        inner = self.convert(_undented(body, indent), depth + 1)
        if name in STYLE_OF or name == "admonition":
            kind = name if name in CONTAINERS else "note"
            mark = ":" * (3 + _inner_depth(inner))
            opening = f"{indent}{mark} {kind}{f' {argument}' if argument else ''}"
            return [line.with_text(opening), *inner, line.with_text(f"{indent}{mark}")]
        if name in _TITLED and argument:
            return [line.with_text(f"{indent}**{argument}**"), line.with_text(""), *inner]
        if ":" in name and body:  # a project's own directive that shows code
            return _fenced(line, indent, "python", body)
        if name not in {
            "tab-set",
            "tabs",
            "grid",
            "div",
            "container",
            "epigraph",
            "table",
            "list-table",
            "only",
            "card",
        }:
            self._note("directive-unknown", line, f"the directive {name!r} is only its text")
        return inner

    def _change(  # noqa: PLR0913, PLR0917 - the parts of one include
        self, name: str, argument: str, line: Line, indent: str, body: Sequence[Line], depth: int
    ) -> list[Line]:
        version, _, said = argument.partition(" ")
        text = (
            f"{indent}*{_CHANGES[name]} {version}.*" if version else f"{indent}*{_CHANGES[name]}.*"
        )
        first = line.with_text(f"{text} {said}".rstrip())
        return [first, line.with_text(""), *self.convert(body, depth + 1)]

    def _object(self, name: str, options: dict[str, str], line: Line, indent: str) -> list[Line]:
        """Write an API object as mkdocstrings does, to be resolved where the package is given."""
        members = options.get("members", "")
        if self._module and not f"{name}.".startswith(f"{self._module}."):
            name = f"{self._module}.{name}"
        made = [line.with_text(f"{indent}::: {name}")]
        if members:
            made.append(line.with_text(f"{indent}    :members: {members.replace(',', ' ')}"))
        return made

    def _restructured(self, line: Line, indent: str, body: Sequence[Line]) -> list[Line]:
        """Convert reStructuredText; API objects and a project's own directives are kept apart."""
        made: list[Line] = []
        waiting: list[Line] = []
        at = 0
        while at < len(body):
            text = body[at].text.removeprefix(indent)
            found = re.fullmatch(r"\.\. ([\w:.-]+)::[ \t]*(.*)", text)
            if found is None or not self._is_own(found[1]):
                waiting.append(body[at].with_text(text))
                at += 1
                continue
            made += self._read_rst(waiting, line, indent)
            waiting = []
            end = at + 1
            while end < len(body) and (
                not body[end].text.strip()
                or body[end].text.startswith((f"{indent} ", f"{indent}\t"))
            ):
                end += 1
            inner = [one.with_text(one.text.removeprefix(indent)) for one in body[at + 1 : end]]
            inner = _stripped(_undented(inner, "", shift=True))
            made += self._directive(found[1], found[2], body[at], indent, inner, 1)
            made.append(body[end - 1].with_text(""))
            at = end
        return made + self._read_rst(waiting, line, indent)

    def _is_own(self, name: str) -> bool:
        """Say whether a directive is read here and not by docutils."""
        domain, _, bare = name.rpartition(":")
        return (
            name in _DROPPED
            or bare.startswith("auto")
            or (domain not in {"", "py", "c", "cpp", "js", "rst", "std"})
        )

    def _read_rst(self, lines: Sequence[Line], line: Line, indent: str) -> list[Line]:
        text = "\n".join(one.text for one in _stripped(lines))
        if not text.strip():
            return []
        try:
            from doctrove_builder.importing.markdown.restructured import rst_markdown  # noqa: PLC0415 - an extra
        except ImportError:
            shown = [_rst_text(one.text) for one in lines]
            self._note("rst-unread", line, 'reStructuredText needs pip install "doctrove[import]"')
            return [
                one.with_text(f"{indent}{t}")
                for one, t in zip(lines, shown, strict=True)
                if t is not None
            ]
        first = next(one for one in lines if one.text.strip())
        made, notes = rst_markdown(text, file=self._page)
        for kind, number, message in notes:
            self._note(kind, first._replace(number=first.number + number - 1), message)
        return [first.with_text(f"{indent}{one}" if one else "") for one in ["", *made, ""]]

    def _closing(
        self, lines: Sequence[Line], kinds: Sequence[Role], at: int, mark: str
    ) -> int | None:
        """Return the line that closes a block of colons or slashes; None when none does."""
        depth = 0
        pattern = re.compile(rf"[ \t]*({re.escape(mark[0])}{{3,}})(.*)")
        for end in range(at + 1, len(lines)):
            self._looked += 1
            if self._looked > MAX_LOOKED:
                return None
            if kinds[end] is not Role.TEXT:
                continue
            found = pattern.fullmatch(lines[end].text)
            if found is None:
                continue
            if found[2].strip():
                depth += found[1] == mark and _opens(found[2])
            elif found[1] == mark:
                if depth == 0:
                    return end
                depth -= 1
            elif len(found[1]) > len(mark) and depth == 0:
                return end
        return None

    def _note(self, kind: str, line: Line, message: str) -> None:
        self.notes.append(Note(kind=kind, place=f"{self._page}:{line.number}", message=message))


def _rst_text(text: str) -> str | None:
    """Return a line of reStructuredText as Markdown; None for targets and comments."""
    if re.match(r"\.\. ", text):
        return None
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    text = re.sub(r"`([^`<>]+?)\s*<([^<>`]+)>`_+", r"[\1](\2)", text)
    return re.sub(r":[\w:]+:`~?([^`<]+?)(?:\s*<[^`>]*>)?`", r"`\1`", text)


def _is_attribute_list(info: str) -> bool:
    """Say whether braces after a fence hold attributes (`{.python title="x"}`) or lines."""
    return bool(re.match(r"\s*\{\s*(?:[.#]|[\d,\s-]+\}|\w+\s*=)", info))


def _role_end(kinds: Sequence[Role], at: int) -> int:
    """Return the end of the code block that opens here."""
    end = at + 1
    while end < len(kinds) and kinds[end] is Role.CODE:
        end += 1
    return end + 1 if end < len(kinds) and kinds[end] is Role.CLOSE else end


def _opens(rest: str) -> bool:
    """Say whether a line of colons with a word opens a container, and not an API object."""
    return re.match(r"\s*\{?[A-Za-z][\w-]*\}?(?![\w.])", rest) is not None


def _title_of(rest: str) -> str:
    title = rest.strip()
    if title.startswith("{"):
        return ""
    return title[1:-1] if title.startswith("[") and title.endswith("]") else title


def _options(body: Sequence[Line]) -> tuple[dict[str, str], list[Line]]:
    """Take the options off a directive's content: `:key: value` lines or a YAML block."""
    options: dict[str, str] = {}
    lines = list(body)
    if lines and lines[0].text.strip() == "---":
        end = next((i for i, one in enumerate(lines[1:], 1) if one.text.strip() == "---"), 0)
        for one in lines[1:end]:
            key, _, value = one.text.partition(":")
            options[key.strip()] = value.strip()
        lines = lines[end + 1 :] if end else lines
    while lines and (found := _OPTION.fullmatch(lines[0].text)):
        options[found[1]] = (found[2] or "").strip()
        lines = lines[1:]
        while (
            lines
            and lines[0].text.startswith("   ")
            and not _OPTION.fullmatch(lines[0].text)
            and lines[0].text.strip()
            and options
        ):
            if not lines[0].text.startswith("      "):
                break
            lines = lines[1:]
    return options, _stripped(lines)


def _stripped(lines: Sequence[Line]) -> list[Line]:
    """Leave out blank lines at both ends."""
    start, end = 0, len(lines)
    while start < end and not lines[start].text.strip():
        start += 1
    while end > start and not lines[end - 1].text.strip():
        end -= 1
    return list(lines[start:end])


def _undented(lines: Sequence[Line], indent: str, *, shift: bool = False) -> list[Line]:
    """Take the blanks off that all lines have beyond `indent`, for `shift` alone."""
    if not shift:
        return list(lines)
    shared = min(
        (len(one.text) - len(one.text.lstrip(" ")) for one in lines if one.text.strip()), default=0
    )
    return [one.with_text(indent + one.text[shared:] if one.text.strip() else "") for one in lines]


def _inner_depth(lines: Sequence[Line]) -> int:
    """Return by how much a fence of colons around these lines must be longer than three."""
    longest = max(
        (len(found[1]) for one in lines if (found := re.match(r"\s*(:{3,})", one.text))), default=2
    )
    return max(longest - 2, 0)


def _fenced(line: Line, indent: str, language: str, body: Sequence[Line]) -> list[Line]:
    longest = max((len(m) for one in body for m in re.findall(r"`{3,}", one.text)), default=2)
    mark = "`" * (longest + 1)
    inner = [
        one
        if not indent or one.text.startswith(indent)
        else one.with_text(indent + one.text if one.text.strip() else "")
        for one in body
    ]
    return [line.with_text(f"{indent}{mark}{language}"), *inner, line.with_text(f"{indent}{mark}")]
