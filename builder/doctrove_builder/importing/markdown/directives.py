"""Directives of MyST in a page, rewritten as the Markdown that authors of volumes write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown.eval_rst import split_rst
from doctrove_builder.importing.markdown.languages import titled
from doctrove_builder.markdown.kinds import STYLE_OF

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from doctrove_builder.importing.markdown.lines import Line

_OPTION = re.compile(r"[ \t]*:([\w-]+):(?:[ \t]+(.*)|[ \t]*)")
_CODE = frozenset(
    {"code", "code-block", "code-cell", "sourcecode", "prompt", "parsed-literal", "ipython"}
)
_TESTED = {"doctest": "pycon", "testcode": "python", "testoutput": ""}
"""Languages of the examples that Sphinx tests; their argument is a group of tests."""

_DIAGRAMS = frozenset({"mermaid", "graphviz", "plantuml"})
_MODULES = frozenset({"currentmodule", "module", "py:currentmodule", "py:module"})
_DROPPED = _MODULES | {
    *("bibliography", "button-link", "button-ref", "card-carousel", "contents", "default-role"),
    *("genindex", "highlight", "index", "only", "raw", "role", "sectionauthor"),
    *("tableofcontents", "tags", "testcleanup", "testsetup", "toctree"),
}
_CHANGES = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
    "deprecated-removed": "Deprecated since version",
}
_TITLED = frozenset(
    {"card", "dropdown", "grid-item", "grid-item-card", "group-tab", "rubric", "sidebar", "tab"}
    | {"tab-item", "topic"}
)
_BARE = frozenset(
    {"card", "container", "div", "epigraph", "grid", "list-table", "tab-set", "table", "tabs"}
)
"""Directives whose text alone says what they say."""


class Directive(NamedTuple):
    """One directive as it stands in a page."""

    name: str
    argument: str
    line: Line
    """Its first line."""

    indent: str
    body: Sequence[Line]
    depth: int
    """How many blocks are around it."""


class Directives:
    """Writes the directives of one page; `convert` rewrites the blocks in their bodies."""

    def __init__(self, page: str, convert: Callable[[Sequence[Line], int], list[Line]]) -> None:
        """Note what is dropped under the page's file."""
        self._page = page
        self._convert = convert
        self._module = ""
        self.notes: list[Note] = []

    def write(self, given: Directive) -> list[Line]:  # noqa: PLR0911 - one a sort of directive
        """Return the lines that a directive stands for."""
        options, body = _options(given.body)
        one = given._replace(argument=given.argument.strip(), body=body)
        name, argument, line, indent = one.name, one.argument, one.line, one.indent
        if name in _MODULES:
            self._module = argument
        if name in _DROPPED or (name in _TESTED and "hide" in options):
            return []
        if name in _CODE or name in _DIAGRAMS or name in _TESTED:
            return _fenced(one, titled(_language(name, argument), options.get("caption", "")))
        if name == "math":
            return [line.with_text(f"{indent}$$"), *body, line.with_text(f"{indent}$$")]
        if name in {"image", "figure"}:
            picture = f"{indent}![{options.get('alt', '')}]({argument})"
            return [line.with_text(picture), line.with_text(""), *self._inner(one)]
        if name in _CHANGES:
            return self._change(one)
        if name == "eval-rst":
            return self._restructured(one)
        if name.startswith(("auto", "py:auto")):
            return self._object(one, options)
        inner = self._inner(one)
        if name in STYLE_OF or name == "admonition":
            return _admonition(one, options, inner)
        if name in _TITLED and argument:
            return [line.with_text(f"{indent}**{argument}**"), line.with_text(""), *inner]
        if ":" in name and body:  # a project's own directive that shows code
            return _fenced(one, "python")
        if name not in _BARE:
            self._note("directive-unknown", line, f"the directive {name!r} is only its text")
        return inner

    def _inner(self, one: Directive) -> list[Line]:
        return self._convert(one.body, one.depth + 1)

    def _change(self, one: Directive) -> list[Line]:
        version, _, said = one.argument.partition(" ")
        words = f"{_CHANGES[one.name]} {version}".rstrip()
        first = one.line.with_text(f"{one.indent}*{words}.* {said}".rstrip())
        return [first, one.line.with_text(""), *self._inner(one)]

    def _object(self, one: Directive, options: Mapping[str, str]) -> list[Line]:
        """Write an API object as mkdocstrings does, to be resolved where the package is given."""
        name = one.argument
        if self._module and not f"{name}.".startswith(f"{self._module}."):
            name = f"{self._module}.{name}"
        made = ["", f"{one.indent}::: {name}"]
        if members := options.get("members", ""):
            made.append(f"{one.indent}    :members: {members.replace(',', ' ')}")
        return [one.line.with_text(text) for text in (*made, "")]

    def _restructured(self, one: Directive) -> list[Line]:
        """Convert reStructuredText; API objects and a project's own directives are kept apart."""
        made: list[Line] = []
        for part in split_rst(one.body, indent=one.indent, ours=_is_ours):
            if isinstance(part, tuple):
                name, argument, body = part
                inner = Directive(name, argument, body[0], one.indent, body[1:], one.depth + 1)
                made += [*self.write(inner), body[-1].with_text("")]
            else:
                made += self._read_rst(part, one)
        return made

    def _read_rst(self, lines: Sequence[Line], one: Directive) -> list[Line]:
        try:
            from doctrove_builder.importing.markdown.restructured import rst_markdown  # noqa: PLC0415 - an extra
        except ImportError:
            self._note("rst-unread", one.line, 'it needs pip install "doctrove[import]"')
            return [line.with_text(one.indent + line.text) for line in lines]
        text = "\n".join(line.text for line in lines)
        made, notes = rst_markdown(text, file=self._page)
        for kind, number, message in notes:
            self._note(kind, lines[0]._replace(number=lines[0].number + number - 1), message)
        return [lines[0].with_text(one.indent + text if text else "") for text in ["", *made, ""]]

    def _note(self, kind: str, line: Line, message: str) -> None:
        self.notes.append(Note(kind=kind, place=f"{self._page}:{line.number}", message=message))


def fence_depth(lines: Sequence[Line]) -> int:
    """Return by how much a fence of colons around these lines must be longer than three."""
    longest = max(
        (len(found[1]) for one in lines if (found := re.match(r"\s*(:{3,})", one.text))), default=2
    )
    return max(longest - 2, 0)


def _is_ours(name: str) -> bool:
    """Say whether a directive in reStructuredText is written here and not read by docutils."""
    domain, _, bare = name.rpartition(":")
    return (
        name in _DROPPED
        or bare.startswith("auto")
        or domain not in {"", "py", "c", "cpp", "js", "rst", "std"}
    )


def _admonition(one: Directive, options: Mapping[str, str], inner: list[Line]) -> list[Line]:
    words = (one.name, *options.get("class", "").lower().split())
    kind = next((word for word in words if word in STYLE_OF), "note")
    mark = ":" * (3 + fence_depth(inner))
    opening = f"{one.indent}{mark} {kind} {one.argument}".rstrip()
    return [one.line.with_text(opening), *inner, one.line.with_text(f"{one.indent}{mark}")]


def _language(name: str, argument: str) -> str:
    if name in _TESTED:
        return _TESTED[name]
    by_name = name if name in _DIAGRAMS else "python" if "python" in name else ""
    return argument or by_name


def _fenced(one: Directive, info: str) -> list[Line]:
    longest = max((len(m) for line in one.body for m in re.findall(r"`{3,}", line.text)), default=2)
    mark = f"{one.indent}{'`' * (longest + 1)}"
    inner = [
        line
        if not one.indent or line.text.startswith(one.indent)
        else line.with_text(one.indent + line.text if line.text.strip() else "")
        for line in one.body
    ]
    return [one.line.with_text(f"{mark}{info}"), *inner, one.line.with_text(mark)]


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
    at = 0
    while at < len(lines) and (found := _OPTION.fullmatch(lines[at].text)):
        options[found[1]] = (found[2] or "").strip()
        at += 1
        while at < len(lines) and _continues(lines[at].text):
            at += 1
    return options, _stripped(lines[at:])


def _continues(text: str) -> bool:
    """Say whether a line continues the value of the option above it."""
    return text.startswith("      ") and bool(text.strip()) and not _OPTION.fullmatch(text)


def _stripped(lines: Sequence[Line]) -> list[Line]:
    """Leave out blank lines at both ends."""
    start, end = 0, len(lines)
    while start < end and not lines[start].text.strip():
        start += 1
    while end > start and not lines[end - 1].text.strip():
        end -= 1
    return list(lines[start:end])
