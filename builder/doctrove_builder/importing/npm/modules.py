"""What one module declares, imports and exports, before names are followed to other modules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from doctrove_builder.importing.npm.parsing import Parsed

DEFAULT = "default"
ASSIGNED = "export="
"""What `export =` names: the whole module is one value."""

DECLARATIONS = frozenset(
    {
        *("function_signature", "function_declaration", "generator_function_declaration"),
        *("class_declaration", "abstract_class_declaration", "class", "interface_declaration"),
        *("type_alias_declaration", "enum_declaration", "lexical_declaration"),
        *("variable_declaration", "internal_module", "module", "import_alias"),
    }
)
_LISTS = frozenset({"lexical_declaration", "variable_declaration"})
MAX_DEPTH = 12
"""Of namespaces in namespaces."""


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """One statement that declares a name; a name may have several."""

    name: str
    node: Node
    """The declaration itself, without `export` and `declare`."""

    outer: Node
    """The statement, which its comment stands before."""

    parsed: Parsed
    doc: str
    """Its comment as it stands."""

    keyword: str = ""
    """`const` and the like, of a variable."""

    inside: Scope | None = None
    """What a namespace declares."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A name that comes from another module; `name` is empty for the module as a whole."""

    module: str
    name: str


@dataclass(slots=True, eq=False)
class Scope:
    """The top of a module, or a namespace in one."""

    path: str
    outer: Scope | None = None
    declared: dict[str, list[Declaration]] = field(default_factory=dict[str, list[Declaration]])
    imports: dict[str, Imported] = field(default_factory=dict[str, Imported])
    exports: dict[str, str | Imported] = field(default_factory=dict[str, str | Imported])
    """By exported name: a name of this scope, dotted where it is in a namespace, or an import."""

    stars: list[str] = field(default_factory=list[str])
    """Modules all of whose names are exported."""

    ambient: dict[str, Scope] = field(default_factory=dict[str, "Scope"])
    """`declare module "name"` by name."""

    lead: str = ""
    """The comment on the module itself."""

    explicit: bool = False
    """Whether an export statement says what a namespace exports."""


def read_scope(parsed: Parsed) -> Scope:
    """Return what a file declares."""
    scope = Scope(path=parsed.path)
    first = next((n for n in parsed.root.named_children if n.type != "hash_bang_line"), None)
    if first is not None and first.type == "comment":
        text = parsed.text(first)
        tags = ("@module", "@packageDocumentation", "@fileoverview", "@file ")
        if text.startswith("/**") and any(tag in text for tag in tags):
            scope.lead = text
    _fill(scope, parsed.root, parsed, 0)
    return scope


def _fill(scope: Scope, body: Node, parsed: Parsed, depth: int) -> None:
    for node in body.named_children:
        if node.type == "import_statement":
            _import(scope, node, parsed)
        elif node.type == "export_statement":
            _export(scope, node, parsed, depth)
        elif node.type == "ambient_declaration" or node.type in DECLARATIONS:
            _declare(scope, node, node, parsed, depth)
        elif node.type == "expression_statement":
            _expression(scope, node, parsed, depth)


def _declare(scope: Scope, node: Node, outer: Node, parsed: Parsed, depth: int) -> list[str]:
    """Record what a statement declares and return the names."""
    if node.type == "ambient_declaration":
        inner = next((n for n in node.named_children if n.type in DECLARATIONS), None)
        if inner is not None:
            return _declare(scope, inner, outer, parsed, depth)
        _global(scope, node, parsed, depth)
        return []
    doc = parsed.doc_before(outer)
    doc = "" if doc == scope.lead else doc
    if node.type in _LISTS:
        return list(_variables(scope, node, outer, parsed, doc))
    name_node = node.child_by_field_name("name")
    if node.type == "import_alias":
        parts = node.named_children
        if len(parts) == 2:
            scope.exports.setdefault(parsed.text(parts[0]), parsed.text(parts[1]))
        return []
    name = parsed.text(name_node) if name_node is not None else DEFAULT
    if node.type in {"module", "internal_module"}:
        return _namespace(scope, node, outer, parsed, depth)
    _record(scope, Declaration(name=name, node=node, outer=outer, parsed=parsed, doc=doc))
    return [name]


def _variables(scope: Scope, node: Node, outer: Node, parsed: Parsed, doc: str) -> Iterator[str]:
    keyword = parsed.text(node.children[0]) if node.children else "const"
    for one in node.named_children:
        name = one.child_by_field_name("name")
        if one.type == "variable_declarator" and name is not None and name.type == "identifier":
            made = Declaration(
                name=parsed.text(name),
                node=one,
                outer=outer,
                parsed=parsed,
                doc=doc,
                keyword=keyword,
            )
            _record(scope, made)
            yield made.name


def _namespace(scope: Scope, node: Node, outer: Node, parsed: Parsed, depth: int) -> list[str]:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None or depth > MAX_DEPTH:
        return []
    if name_node.type == "string":
        inside = scope.ambient.setdefault(_quoted(parsed.text(name_node)), Scope(path=scope.path))
        if body is not None:
            _fill(inside, body, parsed, depth + 1)
        return []
    first, *rest = parsed.text(name_node).split(".")
    earlier = (one.inside for one in scope.declared.get(first, ()) if one.inside is not None)
    inside = next(earlier, None) or Scope(path=scope.path, outer=scope)
    made = Declaration(
        name=first,
        node=node,
        outer=outer,
        parsed=parsed,
        doc=parsed.doc_before(outer),
        inside=inside,
    )
    _record(scope, made)
    for name in rest:
        deeper = Scope(path=scope.path, outer=inside)
        below = Declaration(name=name, node=node, outer=outer, parsed=parsed, doc="", inside=deeper)
        _record(inside, below)
        inside.exports[name] = name
        inside = deeper
    if body is not None:
        _fill(inside, body, parsed, depth + 1)
    if not inside.explicit:  # all of an ambient namespace is exported unless it says what
        for name in inside.declared:
            inside.exports.setdefault(name, name)
    return [first]


def _global(scope: Scope, node: Node, parsed: Parsed, depth: int) -> None:
    """Read `declare global`, whose names belong to no module."""
    body = next((n for n in node.named_children if n.type == "statement_block"), None)
    if body is not None and depth == 0:
        inside = scope.ambient.setdefault("global", Scope(path=scope.path, outer=scope))
        _fill(inside, body, parsed, depth + 1)


def _import(scope: Scope, node: Node, parsed: Parsed) -> None:
    required = next((n for n in node.named_children if n.type == "import_require_clause"), None)
    source = (required or node).child_by_field_name("source")
    if source is None:
        return
    module = _quoted(parsed.text(source))
    if required is not None:
        scope.imports[parsed.text(required.named_children[0])] = Imported(module, "")
        return
    clause = next((n for n in node.named_children if n.type == "import_clause"), None)
    for part in clause.named_children if clause is not None else ():
        if part.type == "identifier":
            scope.imports[parsed.text(part)] = Imported(module, DEFAULT)
        elif part.type == "namespace_import":
            scope.imports[parsed.text(part.named_children[0])] = Imported(module, "")
        else:
            for name, alias in _specifiers(part, parsed):
                scope.imports[alias] = Imported(module, name)


def _export(scope: Scope, node: Node, parsed: Parsed, depth: int) -> None:
    source = node.child_by_field_name("source")
    module = _quoted(parsed.text(source)) if source is not None else ""
    declaration = node.child_by_field_name("declaration")
    value = node.child_by_field_name("value")
    is_default = any(child.type == "default" for child in node.children)
    if outer_is_namespace := scope.outer is not None:
        scope.explicit = scope.explicit or declaration is None
    if declaration is not None or (value is not None and value.type in DECLARATIONS):
        inner = declaration or value
        for name in _declare(scope, inner, node, parsed, depth) if inner is not None else ():
            scope.exports[DEFAULT if is_default else name] = name
        return
    if value is not None:
        if outer_is_namespace or value.type in {"identifier", "member_expression"}:
            scope.exports[DEFAULT] = parsed.text(value)
        return
    for part in node.named_children:
        if part.type == "export_clause":
            for name, alias in _specifiers(part, parsed):
                scope.exports[alias] = Imported(module, name) if module else name
        elif part.type == "namespace_export":
            scope.exports[_quoted(parsed.text(part.named_children[0]))] = Imported(module, "")
    if module and any(child.type == "*" for child in node.children):
        scope.stars.append(module)
    if any(child.type == "=" for child in node.children) and node.named_children:
        scope.exports[ASSIGNED] = parsed.text(node.named_children[-1])


def _expression(scope: Scope, node: Node, parsed: Parsed, depth: int) -> None:
    """Read what the grammar takes for an expression: namespaces, nameless default functions."""
    first = node.named_children[0] if node.named_children else None
    if first is not None and first.type == "internal_module":
        _declare(scope, first, node, parsed, depth)
    elif parsed.text(node)[:30].split()[:2] == ["export", "default"]:
        doc = parsed.doc_before(node)
        made = Declaration(name=DEFAULT, node=node, outer=node, parsed=parsed, doc=doc)
        _record(scope, made)
        scope.exports[DEFAULT] = DEFAULT


def _specifiers(clause: Node, parsed: Parsed) -> Iterator[tuple[str, str]]:
    for one in clause.named_children:
        name = one.child_by_field_name("name")
        if name is not None:
            alias = one.child_by_field_name("alias") or name
            yield _quoted(parsed.text(name)), _quoted(parsed.text(alias))


def _record(scope: Scope, declaration: Declaration) -> None:
    scope.declared.setdefault(declaration.name, []).append(declaration)


def _quoted(text: str) -> str:
    return text.strip("\"'`")
