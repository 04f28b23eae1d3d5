"""What autodoc directives stand for: objects of a package's source, links to them, or names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.prose.tree import Code, Described, Lines, Paragraph, Reference

if TYPE_CHECKING:
    from doctrove_builder.importing.prose.tree import Blocks
    from doctrove_builder.importing.python.names import Names
    from doctrove_builder.importing.python.objects import Package
    from doctrove_builder.importing.restructured.marks import AutoDescribed
    from doctrove_builder.importing.sphinx.configuration import Configuration

Found = Callable[[str, "AutoDescribed"], "Blocks"]
"""Returns what stands for an object by its dotted name; nothing when it is not known."""


class Automatic:
    """Replaces autodoc directives, and counts and notes what it could not."""

    def __init__(self, find: Found, *, lack: str) -> None:
        """Take what finds objects, and what notes say of those that it does not find."""
        self._find = find
        self._lack = lack
        self.file = ""
        self.counts: Counter[str] = Counter()
        self.notes: list[Note] = []

    def __call__(self, node: AutoDescribed, own: Blocks) -> Blocks:
        """Return the blocks of a directive; `own` is the text written below it."""
        name, module = node["name"], node["module"]
        for dotted in dict.fromkeys((name, f"{module}.{name}" if module else name)):
            if found := self._find(dotted, node):
                self.counts["autodoc objects resolved"] += 1
                return _with_text(found, own)
        file, line = node["place"]
        self.counts["autodoc objects without source"] += 1
        message = f"`auto{node['kind']}` of {name}: {self._lack}"
        self.notes.append(Note(kind="autodoc-unresolved", place=f"{file}:{line}", message=message))
        return (Paragraph((Code(name),)), *own)


def linked_objects(names: Names, canonical: Callable[[str], str]) -> Found:
    """Return a finder of links to sections that are already there.

    `canonical` gives the dotted name under which an object is defined.
    """

    def find(dotted: str, node: AutoDescribed) -> Blocks:
        known = dotted if dotted in names else canonical(dotted)
        if known not in names:
            return ()
        return (Paragraph((Reference(f"py:{node['kind']}", known, (Code(dotted),)),)),)

    return find


def rendered_objects(package: Package, configuration: Configuration) -> Found:
    """Return a finder of whole descriptions; members as the directive and conf.py ask for them."""
    from doctrove_builder.importing.python.objects import object_blocks  # noqa: PLC0415 - a kind of its own

    defaults = configuration.values.get("autodoc_default_options")
    pairs = defaults.items() if isinstance(defaults, dict) else ()
    by_default = {key: "" if value is True else str(value or "") for key, value in pairs}

    def find(dotted: str, node: AutoDescribed) -> Blocks:
        given = {**by_default, **node["given"]}
        if node["kind"] == "module" and "members" not in given:
            return object_blocks(package, dotted, members=False) or _silent(package, dotted)
        blocks = object_blocks(package, dotted, members="members" in given)
        return _chosen(blocks, given)

    return find


def _silent(package: Package, dotted: str) -> Blocks:
    """Return an empty block for a module that is known and says nothing."""
    return (Lines(()),) if package.loaded.find(dotted) is not None else ()


def _chosen(blocks: Blocks, given: dict[str, str]) -> Blocks:
    """Keep the members that the options name."""
    wanted = {name.strip() for name in given.get("members", "").split(",") if name.strip()}
    unwanted = {name.strip() for name in given.get("exclude-members", "").split(",")}
    undocumented = "undoc-members" in given

    def keeps(member: object) -> bool:
        if not isinstance(member, Described):
            return True
        name = member.name.rpartition(".")[2]
        if name in unwanted or (wanted and name not in wanted):
            return False
        return bool(member.inside) or undocumented or name in wanted

    if len(blocks) == 1 and isinstance(blocks[0], Described):
        one = blocks[0]
        inside = tuple(member for member in one.inside if keeps(member))
        return (_replaced(one, inside),)
    return tuple(block for block in blocks if keeps(block))


def _with_text(found: Blocks, own: Blocks) -> Blocks:
    if own and len(found) == 1 and isinstance(found[0], Described):
        one = found[0]
        return (_replaced(one, (*one.inside, *own)),)
    return (*found, *own)


def _replaced(one: Described, inside: Blocks) -> Described:
    return Described(
        name=one.name,
        anchors=one.anchors,
        signatures=one.signatures,
        language=one.language,
        symbols=one.symbols,
        inside=inside,
        place=one.place,
    )
