"""Single objects by their dotted name, for pages that place them: mkdocstrings and autodoc."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import griffe

from doctrove_builder.importing.prose.outline import DEEPEST, outline, write_parts
from doctrove_builder.importing.prose.tree import Described, Lines
from doctrove_builder.importing.python.exposure import Exposed, PublicModule, public_modules
from doctrove_builder.importing.python.loading import Loaded, load_packages, resolved
from doctrove_builder.importing.python.membership import Member, in_order
from doctrove_builder.importing.python.pages import (
    Writing,
    describe,
    describe_module,
    module_text,
    writing_of,
)
from doctrove_builder.importing.python.roots import find_roots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from doctrove_builder.importing.prose.tree import Block, Blocks
    from doctrove_builder.importing.python.selection import Selection
    from doctrove_builder.importing.source_tree import SourceTree


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A source whose objects can be asked for by name."""

    loaded: Loaded
    writing: Writing


def load_package(tree: SourceTree) -> Package:
    """Load the packages of a source."""
    loaded = load_packages(tree, find_roots(tree))
    return Package(loaded=loaded, writing=writing_of(loaded, public_modules(loaded), linked=False))


def object_resolver(tree: SourceTree) -> Callable[[str, int, Selection | None], str | None]:
    """Return a function that gives the Markdown of an object: see `render_object`."""
    package = load_package(tree)

    def resolve(dotted: str, level: int, selection: Selection | None) -> str | None:
        return render_object(package, dotted, level, selection=selection)

    return resolve


def render_object(
    package: Package, dotted: str, heading_level: int, *, selection: Selection | None = None
) -> str | None:
    """Return the Markdown of a module, class or function; None when there is no such object.

    Its heading has the level given, those of its members the next one; anchors are dotted names.
    `selection` says which members; None wants all that are public.
    """
    blocks = object_blocks(package, dotted, selection=selection)
    if not blocks:
        return None
    parts = outline(blocks, first_level=heading_level, objects_down_to=DEEPEST)
    return write_parts(parts).markdown


def object_blocks(
    package: Package,
    dotted: str,
    *,
    members: bool = True,
    selection: Selection | None = None,
    asked: bool = True,
) -> Blocks:
    """Return an object's description; the text and objects of a module; nothing if unknown.

    `asked` says whether it is described even if it is not documented.
    """
    found = package.loaded.find(dotted)
    if found is None:
        return ()
    if isinstance(found, griffe.Module):
        return _module_blocks(package, found, dotted, selection, members=members)
    module_path, _, name = dotted.rpartition(".")
    owner = package.loaded.find(module_path)
    if isinstance(owner, griffe.Class):
        name = f"{module_path.rpartition('.')[2]}.{name}"
        module_path = module_path.rpartition(".")[0]
    exposed = Exposed(name=name, found=found, paths=tuple(dict.fromkeys((dotted, found.path))))
    if isinstance(found, griffe.Attribute) and "property" not in found.labels:
        one = package.writing.describer.datum(found, name, exposed.paths)
    else:
        one = describe(package.writing, module_path, exposed, selection=selection, asked=asked)
    if one is None:
        return ()
    return (_fully_named(one, module_path, members=members),)


def _module_blocks(
    package: Package,
    found: griffe.Module,
    dotted: str,
    selection: Selection | None,
    *,
    members: bool,
) -> Blocks:
    """Return a module's text and its members, those too that the package shows elsewhere."""
    writing = package.writing
    known = {one.path: one for one in writing.modules}
    module = known.get(found.path) or PublicModule(module=found, path=found.path, objects=())
    if selection is not None:
        return _selected(package, module, dotted, selection)
    lead = describe_module(writing, module)
    if not members:
        return lead
    described = (describe(writing, module.path, one) for one in module.objects)
    shown = [_fully_named(one, module.path) for one in described if one is not None]
    names = {one.name for one in shown}
    further = (
        object_blocks(package, f"{dotted}.{name}")
        for name, one in found.members.items()
        if name not in names and _is_own(one) and one.is_public
    )
    return (*lead, *shown, *(block for blocks in further for block in blocks))


def _is_own(member: griffe.Object | griffe.Alias) -> bool:
    return not member.is_alias and (member.is_class or member.is_function)


def _selected(package: Package, module: PublicModule, dotted: str, selection: Selection) -> Blocks:
    """Return a module's text and the members that a page selects."""
    at_home = {one.name: one for one in module.objects}
    chosen = in_order(list(_wanted(module.module, selection)), selection)
    writing = package.writing
    lead = (*module_text(writing, module), *writing.describer.data_list(chosen))
    made: list[Block] = []
    for one in chosen:
        if isinstance(one.found, griffe.Attribute):
            continue
        if (exposed := at_home.get(one.name)) is None:
            path = f"{dotted}.{one.name}"
            made += object_blocks(package, path, selection=selection.below(), asked=one.asked)
            continue
        below = selection.below()
        described = describe(writing, module.path, exposed, selection=below, asked=one.asked)
        made += (_fully_named(described, module.path),) if described else ()
    return (*lead, *made) or (Lines(()),)


def _wanted(module: griffe.Module, selection: Selection) -> Iterator[Member]:
    """Yield what a page selects of a module: of what it imports, what it offers or is named."""
    for name, member in module.members.items():
        found = resolved(member)
        if found is None or isinstance(found, griffe.Module):
            continue
        offered = not member.is_alias or member.is_public or selection.members is not None
        if offered and selection.wants(name, public=member.is_public):
            yield Member(name, found, selection.wants_bare(name))


def _fully_named(one: Described, module: str, *, members: bool = True) -> Described:
    """Return a description whose anchors are full dotted names, as in other documentations."""
    inside = tuple(
        _fully_named(block, module) if isinstance(block, Described) else block
        for block in one.inside
        if members or not isinstance(block, Described)
    )
    return Described(
        name=one.name,
        anchors=(f"{module}.{one.name}" if module else one.name,),
        signatures=one.signatures,
        language=one.language,
        symbols=one.symbols,
        inside=inside,
        place=one.place,
    )
