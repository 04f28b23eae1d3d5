"""What `Annotated[...]` says beside the type: `Doc("...")` (PEP 727) and `deprecated("...")`."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass

import griffe

Expression = str | griffe.Expr | None

_DOC = frozenset({"Doc", "doc"})


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation taken apart."""

    type: str
    """As code; without `Annotated` where nothing else is left in it."""

    doc: str = ""
    deprecated: str = ""


def read_annotation(expression: Expression) -> Annotation:
    """Take an annotation apart; an empty type when there is none."""
    if expression is None:
        return Annotation("")
    parts = _annotated(expression)
    if parts is None:
        return Annotation(code_text(expression))
    kind, *extras = parts
    doc = deprecated = ""
    kept: list[str] = []
    for extra in extras:
        name = called(extra)
        text = first_text(extra) if name in _DOC or name == "deprecated" else ""
        if name in _DOC and text:
            doc = inspect.cleandoc(text)
        elif name == "deprecated":
            deprecated = text or "It is deprecated."
        else:
            kept.append(code_text(extra))
    inner = read_annotation(kind)
    shown = f"Annotated[{', '.join((inner.type, *kept))}]" if kept else inner.type
    return Annotation(shown, doc or inner.doc, deprecated or inner.deprecated)


def called(expression: Expression) -> str:
    """Return the last part of the name that an expression calls or is; empty for others."""
    if isinstance(expression, griffe.ExprCall):
        expression = expression.function
    text = (
        code_text(expression)
        if isinstance(expression, griffe.ExprName | griffe.ExprAttribute)
        else ""
    )
    return text.rpartition(".")[2]


def first_text(expression: Expression) -> str:
    """Return the first argument of a call where it is a text in the source."""
    if not isinstance(expression, griffe.ExprCall) or not expression.arguments:
        return ""
    first = expression.arguments[0]
    if isinstance(first, griffe.ExprKeyword):
        first = first.value
    return literal_text(first)


def literal_text(expression: Expression) -> str:
    """Return a text that is written as one; empty for anything else."""
    try:
        value = ast.literal_eval(code_text(expression).strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return ""
    return value if isinstance(value, str) else ""


def _annotated(expression: Expression) -> list[Expression] | None:
    if not isinstance(expression, griffe.ExprSubscript):
        return None
    if code_text(expression.left).rpartition(".")[2] != "Annotated":
        return None
    inside = expression.slice
    if not isinstance(inside, griffe.ExprTuple) or not inside.elements:
        return None
    return list(inside.elements)


def code_text(expression: Expression) -> str:
    """Return an expression as code; `...` for one that is nested too deep to be written."""
    try:
        return "" if expression is None else str(expression)
    except RecursionError:
        return "..."
