"""The pages of a package's API: one for each public module, its objects in sections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import griffe

from doctrove_builder.importing.imported import ImportedPage
from doctrove_builder.importing.prose.inlines import code_span
from doctrove_builder.importing.prose.outline import outline, write_parts
from doctrove_builder.importing.prose.tree import Described, Lines, Place
from doctrove_builder.importing.python.describing import Describer, Tally
from doctrove_builder.importing.python.docstrings import Docstrings
from doctrove_builder.importing.python.exposure import PublicModule, is_public
from doctrove_builder.importing.python.loading import resolved, source_file
from doctrove_builder.importing.python.markup import common_markup
from doctrove_builder.importing.python.names import NameFinder, Names
from doctrove_builder.importing.python.texts import DEEPEST_SPLIT
from doctrove_schema.model import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from doctrove_builder.importing.imported import OriginSpan
    from doctrove_builder.importing.prose.outline import Part, Written
    from doctrove_builder.importing.prose.tree import Blocks
    from doctrove_builder.importing.python.exposure import Exposed
    from doctrove_builder.importing.python.loading import Loaded
    from doctrove_builder.importing.python.markup import Markup, Style
    from doctrove_builder.importing.python.selection import Selection

FOLDER = "api"
PAGE_LINES = 6_000
"""Source lines of a module's objects: beyond, each of its large classes has a page of its own."""

CLASS_LINES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What is needed to write objects of a source."""

    modules: tuple[PublicModule, ...]
    finder: NameFinder
    describer: Describer
    names: Names

    @property
    def tally(self) -> Tally:
        """Counts of what was described."""
        return self.describer.tally


def writing_of(  # noqa: PLR0913 - options by name
    loaded: Loaded,
    modules: tuple[PublicModule, ...],
    *,
    markup: Markup | None = None,
    style: Style | None = None,
    undocumented: bool = True,
    linked: bool = True,
) -> Writing:
    """Make ready what writes the objects of the public modules; `linked` to each other."""
    names: Names = {}
    for module in modules if linked else ():
        names.setdefault(module.path, (page_of(module.path), ""))
        for page, objects in _pages_of(module).items():
            for exposed in objects:
                _record(names, page, exposed.name, exposed.paths, exposed.found)
    finder = NameFinder(names)
    common = markup or common_markup(_docstrings(loaded))
    docstrings = Docstrings(common, style=style, find=finder.address)
    documented = frozenset(exposed.found.path for one in modules for exposed in one.objects)
    describer = Describer(docstrings, documented=documented, undocumented=undocumented)
    return Writing(modules=modules, finder=finder, describer=describer, names=names)


def page_of(module: str) -> str:
    """Return the page path of a module."""
    return "/".join((FOLDER, *module.split(".")))


def api_pages(writing: Writing) -> Iterator[ImportedPage]:
    """Yield a page for each module that documents something, and for its large classes."""
    for module in writing.modules:
        for page, objects in _pages_of(module).items():
            writing.finder.page = page
            own = page == page_of(module.path)
            lead = (*describe_module(writing, module), *_elsewhere(writing, module)) if own else ()
            described = (describe(writing, module.path, exposed) for exposed in objects)
            blocks = (*lead, *(one for one in described if one is not None))
            if blocks:
                title = module.path if own else f"{module.path}.{objects[0].name}"
                yield _page(module, blocks, path=page, title=title)


def _elsewhere(writing: Writing, module: PublicModule) -> Blocks:
    """Return links to what the module offers and other pages document."""
    linked = ((name, writing.finder.address(home)) for name, home in module.elsewhere)
    items = [f"- [{code_span(name)}]({address})" for name, address in linked if address]
    return (Lines(("**On other pages**", "", *items)),) if items else ()


def _pages_of(module: PublicModule) -> dict[str, tuple[Exposed, ...]]:
    """Return the objects of a module by page."""
    page = page_of(module.path)
    if sum(_lines(exposed) for exposed in module.objects) <= PAGE_LINES:
        return {page: module.objects}
    large = {
        exposed.name
        for exposed in module.objects
        if isinstance(exposed.found, griffe.Class) and _lines(exposed) > CLASS_LINES
    }
    pages = {page: tuple(one for one in module.objects if one.name not in large)}
    # a dot, since a module's page may have the class's name in other letters
    return pages | {f"{page}.{one.name}": (one,) for one in module.objects if one.name in large}


def _lines(exposed: Exposed) -> int:
    found = exposed.found
    return (found.endlineno or 0) - (found.lineno or 0) + 1


def describe_module(writing: Writing, module: PublicModule) -> Blocks:
    """Return a module's own text and data; nothing where it has none."""
    writing.finder.scopes = (module.path, *_above(module.path))
    data = [(exposed.name, exposed.found) for exposed in module.objects]
    return _filled(writing.describer.module(module.module, data))


def module_text(writing: Writing, module: PublicModule) -> Blocks:
    """Return a module's own text; nothing where it has none."""
    writing.finder.scopes = (module.path, *_above(module.path))
    return _filled(writing.describer.module_text(module.module))


def _filled(blocks: Blocks) -> Blocks:
    return tuple(block for block in blocks if getattr(block, "lines", ()))


def describe(
    writing: Writing,
    module: str,
    exposed: Exposed,
    *,
    selection: Selection | None = None,
    asked: bool = True,
) -> Described | None:
    """Return the description of one object with its members, those that a page selects."""
    own = exposed.found.path
    writing.finder.scopes = (exposed.paths[0], own, module, *_above(own), *_above(module))
    return writing.describer.described(
        exposed.found, exposed.name, exposed.paths, selection=selection, asked=asked
    )


def origins_of(parts: Sequence[Part], written: Written) -> Iterator[OriginSpan]:
    """Yield the origin of each part whose place is known."""
    for part, (first, last) in zip(parts, written.lines, strict=True):
        if (place := part.place) is not None:
            yield first, last, origin_of(place)


def origin_of(place: Place) -> Origin:
    """Return the origin of a place."""
    return Origin(file=place.file, lines=(place.line, max(place.line, place.last)))


def symbols_of(parts: Sequence[Part]) -> dict[str, tuple[str, ...]]:
    """Return the symbols of the parts that describe objects, by anchor."""
    return {part.anchor: part.head.symbols for part in parts if isinstance(part.head, Described)}


def _page(module: PublicModule, blocks: Blocks, *, path: str, title: str) -> ImportedPage:
    parts = outline(blocks, objects_down_to=DEEPEST_SPLIT)
    written = write_parts(parts)
    spans = list(origins_of(parts, written))
    file = source_file(module.module)
    if file and parts[0].blocks:
        docstring = module.module.docstring
        last = docstring.endlineno if docstring and docstring.endlineno else 1
        first = docstring.lineno if docstring and docstring.lineno else 1
        spans.insert(0, (*written.lines[0], Origin(file=file, lines=(first, last))))
    return ImportedPage(
        path=path,
        title=title,
        markdown=written.markdown,
        origins=tuple(spans),
        symbols={"": (title,), **symbols_of(parts)},
    )


def _record(
    names: Names, page: str, name: str, paths: tuple[str, ...], found: griffe.Object
) -> None:
    own = not isinstance(found, griffe.Attribute | griffe.TypeAlias) or "property" in found.labels
    for path in (*paths, found.path):
        names.setdefault(path, (page, name if own else ""))
    if not isinstance(found, griffe.Class):
        return
    for member_name, member in found.members.items():
        inside = resolved(member) if is_public(member_name) else None
        if isinstance(inside, griffe.Function | griffe.Class) or (
            isinstance(inside, griffe.Attribute) and "property" in inside.labels
        ):
            below = tuple(f"{path}.{member_name}" for path in paths)
            _record(names, page, f"{name}.{member_name}", below, inside)


def _above(path: str) -> tuple[str, ...]:
    parts = path.split(".")
    return tuple(".".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))


def _docstrings(loaded: Loaded) -> Iterator[str]:
    """Yield the docstrings of the packages."""
    stack: list[griffe.Object] = list(loaded.packages)
    seen: set[int] = set()
    while stack:
        found = stack.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        if found.docstring is not None:
            yield found.docstring.value
        stack += [member for member in found.members.values() if isinstance(member, griffe.Object)]
