"""Single objects by their dotted name, for pages that place them: mkdocstrings and autodoc."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import griffe

from doctrove_builder.importing.prose.outline import DEEPEST, outline, write_parts
from doctrove_builder.importing.prose.tree import Described
from doctrove_builder.importing.python.exposure import Exposed, PublicModule, public_modules
from doctrove_builder.importing.python.loading import Loaded, load_packages
from doctrove_builder.importing.python.pages import Writing, describe, describe_module, writing_of
from doctrove_builder.importing.python.roots import find_roots

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from doctrove_builder.importing.prose.tree import Block, Blocks
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


def object_resolver(
    tree: SourceTree,
) -> Callable[[str, int, Collection[str] | None], str | None]:
    """Return a function that gives the Markdown of an object: see `render_object`."""
    package = load_package(tree)

    def resolve(dotted: str, level: int, members: Collection[str] | None) -> str | None:
        return render_object(package, dotted, level, members=members)

    return resolve


def render_object(
    package: Package, dotted: str, heading_level: int, *, members: Collection[str] | None = None
) -> str | None:
    """Return the Markdown of a module, class or function; None when there is no such object.

    Its heading has the level given, those of its members the next one; anchors are dotted names.
    `members` are the names of those that are wanted; None wants all.
    """
    found = package.loaded.find(dotted)
    blocks = object_blocks(package, dotted, members=members is None or bool(members))
    if isinstance(found, griffe.Module):
        blocks = _module_blocks(package, found, blocks, dotted, members)
    elif members and blocks and isinstance(first := blocks[0], Described):
        inside = (block for block in first.inside if _is_wanted(block, members))
        blocks = (replace(first, inside=tuple(inside)), *blocks[1:])
    if not blocks:
        return None
    parts = outline(blocks, first_level=heading_level, objects_down_to=DEEPEST)
    return write_parts(parts).markdown


def object_blocks(package: Package, dotted: str, *, members: bool = True) -> Blocks:
    """Return an object's description; the text and objects of a module; nothing if unknown."""
    found = package.loaded.find(dotted)
    if found is None:
        return ()
    if isinstance(found, griffe.Module):
        known = {one.path: one for one in package.writing.modules}
        module = known.get(found.path) or PublicModule(module=found, path=found.path, objects=())
        lead = describe_module(package.writing, module)
        if not members:
            return lead
        described = (describe(package.writing, module.path, one) for one in module.objects)
        return (*lead, *(_fully_named(one, module.path) for one in described if one is not None))
    module_path, _, name = dotted.rpartition(".")
    owner = package.loaded.find(module_path)
    if isinstance(owner, griffe.Class):
        name = f"{module_path.rpartition('.')[2]}.{name}"
        module_path = module_path.rpartition(".")[0]
    exposed = Exposed(name=name, found=found, paths=tuple(dict.fromkeys((dotted, found.path))))
    if isinstance(found, griffe.Attribute) and "property" not in found.labels:
        one = package.writing.describer.datum(found, name, exposed.paths)
    else:
        one = describe(package.writing, module_path, exposed)
    if one is None:
        return ()
    return (_fully_named(one, module_path, members=members),)


def _module_blocks(
    package: Package,
    module: griffe.Module,
    blocks: Blocks,
    dotted: str,
    members: Collection[str] | None,
) -> Blocks:
    """Return a module's text and its members, those too that the package shows elsewhere."""
    own = (
        name
        for name, one in module.members.items()
        if one.is_public and not one.is_alias and (one.is_class or one.is_function)
    )
    names = tuple(own if members is None else members)
    shown = {block.name.rpartition(".")[2] for block in blocks if isinstance(block, Described)}
    further = (object_blocks(package, f"{dotted}.{name}") for name in names if name not in shown)
    kept = (block for block in blocks if members is None or _is_wanted(block, members))
    return (*kept, *(block for found in further for block in found))


def _is_wanted(block: Block, members: Collection[str]) -> bool:
    return not isinstance(block, Described) or block.name.rpartition(".")[2] in members


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
