"""Directives of Sphinx and its usual extensions that hold text: notes, versions, tabs, cards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.statemachine import StringList

from doctrove_builder.importing.restructured.code_directives import from_document
from doctrove_builder.importing.restructured.directive import Own, code_block
from doctrove_builder.importing.restructured.marks import Alternative, Alternatives, Boxed

if TYPE_CHECKING:
    from docutils.parsers.rst import Directive

_VERSIONS = {
    "versionadded": "Added in version {}",
    "version-added": "Added in version {}",
    "versionchanged": "Changed in version {}",
    "version-changed": "Changed in version {}",
    "deprecated": "Deprecated since version {}",
    "version-deprecated": "Deprecated since version {}",
    "versionremoved": "Removed in version {}",
    "version-removed": "Removed in version {}",
}
_TAGS = frozenset({"html", "builder_html", "format_html", "not latex", "not man", "not text"})
MAX_INCLUDES = 50
"""Of one document, nested ones included."""


class Version(Own):
    """What changed in which version."""

    def run(self) -> list[nodes.Node]:
        """Return a paragraph that says so, and the text."""
        version, rest = [*self.argument.split(None, 1), "", ""][:2]
        label = _VERSIONS[self.name].format(version)
        inline = self.inline(rest.strip()) if rest.strip() else []
        body = self.parsed()
        if not inline and body and isinstance(body[0], nodes.paragraph):
            inline = list(body.pop(0).children)
        head = nodes.paragraph("", "", nodes.strong("", f"{label}:" if inline else f"{label}."))
        if inline:
            head += [nodes.Text(" "), *inline]
        return [head, *body]


class Note(Own):
    """A note of some kind, with a title of its own or without."""

    def run(self) -> list[nodes.Node]:
        """Return the admonition."""
        box = Boxed()
        box["kind"] = "note" if self.name == "admonition" else self.name
        box["label"] = self.argument if self.name == "admonition" else ""
        inline = self.argument if self.name != "admonition" else ""
        if inline:
            box += nodes.paragraph("", "", *self.inline(inline))
        box += self.parsed()
        return [box]


class Kept(Own):
    """A container whose content alone matters."""

    def run(self) -> list[nodes.Node]:
        """Return the content."""
        return self.parsed()


class Titled(Own):
    """A container with a title: a card, a fold, a sidebar."""

    def run(self) -> list[nodes.Node]:
        """Return the title in bold and the content."""
        body = self.parsed()
        title = self.argument
        if not title:
            return body
        return [nodes.paragraph("", "", nodes.strong("", "", *self.inline(title))), *body]


class Heading(Own):
    """A heading that is not in the outline."""

    def run(self) -> list[nodes.Node]:
        """Return it in bold."""
        if not self.argument:
            return []
        bold = nodes.strong("", "", *self.inline(" ".join(self.argument.split())))
        return [nodes.paragraph("", "", bold), *self.parsed()]


class Tabs(Own):
    """A set of tabs."""

    def run(self) -> list[nodes.Node]:
        """Return the set."""
        holder = Alternatives()
        holder += self.parsed()
        return [holder]


class Tab(Own):
    """One tab; `code-tab` names the language first."""

    def run(self) -> list[nodes.Node]:
        """Return the tab."""
        tab = Alternative()
        label = " ".join(self.argument.split())
        if self.name == "code-tab":
            language, _, name = label.partition(" ")
            tab["label"] = name or language
            tab += code_block(self.text(), language)
        else:
            tab["label"] = label
            tab += self.parsed()
        return [tab]


class Only(Own):
    """Text for some outputs alone."""

    def run(self) -> list[nodes.Node]:
        """Return the content where it is for HTML."""
        wanted = {part.strip() for part in re.split(r"\bor\b", self.argument)}
        if wanted & _TAGS:
            return self.parsed()
        return self.dropped(f"it is for {self.argument} alone")


class Glossary(Own):
    """Terms and what they mean; several terms may share one meaning."""

    def run(self) -> list[nodes.Node]:
        """Return a definition list."""
        lines = StringList()
        for line, (source, number) in zip(self.content, self.content.items, strict=True):
            term = bool(line[:1].strip())
            if term and lines and lines[-1][:1].strip():
                lines[-1] = f"{lines[-1]}, {line}"
            else:
                lines.append(line, source, number)
        self.content = lines
        return self.parsed()


class Include(Own):
    """Another file of the source in place of the directive."""

    def run(self) -> list[nodes.Node]:
        """Insert the file's lines into the document."""
        session, (file, line) = self.session, self.place()
        path = from_document(self.argument, file)
        text = session.read_file(path) if path else None
        if path is None or text is None:
            session.note("include-missing", line, f"{self.argument} is not in the source")
            return []
        around = session.within.get(file, frozenset({file}))
        if path in around and "literal" not in self.options and "code" not in self.options:
            session.note("include-circle", line, f"{self.argument} includes itself")
            return []
        session.within[path] = around | {path}
        session.inserted.append(path)
        if len(session.inserted) > MAX_INCLUDES:
            if len(session.inserted) == MAX_INCLUDES + 1:
                message = f"more than {MAX_INCLUDES} files are included; the others are left out"
                session.note("include-dropped", line, message)
            return []
        lines = [one.expandtabs(8).rstrip() for one in text.split("\n")]
        first, last = self._range(lines)
        chosen = lines[first:last]
        if "literal" in self.options or "code" in self.options:
            return [code_block("\n".join(chosen).strip("\n"), self.option("code"))]
        if path.endswith((".md", ".txt")) and self.option("parser"):
            return self.dropped(f"{path} is not reStructuredText")
        items = [(path, first + at) for at in range(len(chosen))]
        inserted = StringList(initlist=chosen, items=items)
        self.state_machine.insert_input(inserted, path)
        return []

    def _range(self, lines: list[str]) -> tuple[int, int]:
        first, last = 0, len(lines)
        if number := _number(self.option("start-line")):
            first = number if number >= 0 else len(lines) + number
        if number := _number(self.option("end-line")):
            last = number if number >= 0 else len(lines) + number
        text = self.option("start-after")
        if text:
            first = next((at + 1 for at, one in enumerate(lines) if text in one), first)
        text = self.option("end-before")
        if text:
            last = next((at for at in range(first, len(lines)) if text in lines[at]), last)
        return max(0, first), max(0, last)


class Silent(Own):
    """What shows nothing in a text."""

    def run(self) -> list[nodes.Node]:
        """Return nothing."""
        return []


class Dropped(Own):
    """What would have to be run or drawn."""

    def run(self) -> list[nodes.Node]:
        """Return nothing and say so."""
        return self.dropped("it is drawn or computed by a build")


class CustomRole(Own):
    """`.. role:: name(base)`: the name becomes known, its text is kept."""

    def run(self) -> list[nodes.Node]:
        """Remember the name."""
        name = re.match(r"[\w.+-]+", self.argument)
        if name:
            self.session.custom_roles.add(name[0].lower())
        return []


class Unknown(Own):
    """A directive that nobody here knows: its text is kept."""

    def run(self) -> list[nodes.Node]:
        """Return the content and say so."""
        kept = "its text is kept" if self.content else "it has no text"
        message = f"the directive `{self.name}` is not known; {kept}"
        self.session.note("directive-unknown", self.place()[1], message)
        return self.parsed()


class TocTree(Own):
    """The order of the documents."""

    def run(self) -> list[nodes.Node]:
        """Remember the entries; the list itself is navigation."""
        for line in self.content:
            entry = line.strip()
            if not entry or entry.startswith(":"):
                continue
            if found := re.fullmatch(r".*<([^<>]+)>", entry):
                entry = found[1].strip()
            if entry != "self" and "://" not in entry:
                self.session.entries.append(entry)
        return []


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 8 else 0


def _named(cls: type[Directive], names: str) -> dict[str, type[Directive]]:
    return dict.fromkeys(names.split(), cls)


TEXT: dict[str, type[Directive]] = {
    **dict.fromkeys(_VERSIONS, Version),
    **_named(
        Note,
        "admonition attention caution danger error hint important note seealso tip warning",
    ),
    **_named(
        Kept,
        "grid container compound hlist grid-item card-carousel div highlights epigraph "
        "cssclass rst-class class table-container margin aside hint-block",
    ),
    **_named(
        Titled,
        "grid-item-card card dropdown sidebar topic details collapse toggle panels",
    ),
    **_named(Heading, "rubric centered"),
    **_named(Tabs, "tabs tab-set tab-set-code content-tabs md-tab-set"),
    **_named(Tab, "tab tab-item group-tab code-tab md-tab-item"),
    **_named(
        Silent,
        "index todo todolist sectnum contents meta title tabularcolumns default-role acks-list "
        "sectionauthor moduleauthor codeauthor raw date header footer target-notes button-link "
        "button-ref ifconfig testsetup testcleanup no-search local-toc template",
    ),
    **_named(
        Dropped,
        "graphviz digraph graph mermaid uml plantuml inheritance-diagram program-output exec "
        "jinja bokeh-plot altair-plot youtube video vimeo gallery mini-gallery minigallery "
        "bibliography argparse sphinx_argparse_cli autoprogram automethod-summary",
    ),
    "glossary": Glossary,
    "include": Include,
    "only": Only,
    "role": CustomRole,
    "toctree": TocTree,
}  # fmt: skip
