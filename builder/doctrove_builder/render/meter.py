"""Bound what a project's templates can cost: steps, text, numbers.

A template cannot run for ever (there is no `while`), but nested loops, macros that call each other
and texts that double can take longer than anyone waits. So every loop, macro and block of a
project's template pays for what it does from an allowance that is made for one page; what it
writes, joins or adds is paid for too.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, cast

from jinja2 import nodes
from jinja2.exceptions import SecurityError, TemplateSyntaxError
from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ALLOWANCE = 1_000_000
"""What the templates of one page may spend, besides what its own text is worth: one for each
character that they write or join."""

STEP = 50
"""Price of one turn of a loop or one call of a macro."""

WORTH = 20
"""What a page may spend for each byte that there is to show."""

LARGEST_NUMBER = 10**12


class Purse:
    """What is left of one page's allowance."""

    def __init__(self, *, size: int) -> None:
        """Fill the purse for a page that has so many bytes to show."""
        self._left = ALLOWANCE + WORTH * size

    def pay(self, amount: int) -> None:
        """Take from the allowance; raises `SecurityError` when it is used up."""
        self._left -= amount
        if self._left < 0:
            raise SecurityError("the templates of this page write or repeat too much")


PURSE: ContextVar[Purse] = ContextVar("purse")
"""Of the page that is being rendered."""


def spend(amount: int) -> str:
    """Pay for work; writes nothing."""
    PURSE.get().pay(amount)
    return ""


def written(value: object) -> object:
    """Pay for an expression's text before it is written."""
    if isinstance(value, str):
        PURSE.get().pay(len(value) + 1)
    return value


def joined(*parts: object) -> str:
    """Join texts as `~` does, paying for the result."""
    texts = [part if isinstance(part, Markup) else str(part) for part in parts]
    spend(sum(map(len, texts)) + 1)
    if any(isinstance(text, Markup) for text in texts):
        return Markup("").join(texts)
    return "".join(texts)


def calculate(operator: str, left: object, right: object, apply: Callable[[], object]) -> object:
    """Apply an operator where the result stays small; raises `SecurityError` elsewhere."""
    if isinstance(left, str) and isinstance(right, str) and operator == "+":
        spend(len(left) + len(right))
    elif not (_is_small(left) and _is_small(right)) or operator == "**":
        raise SecurityError(f"the operator {operator!r} is for small numbers here")
    return apply()


def metered(template: nodes.Template) -> nodes.Template:
    """Make a parsed template pay for its loops, macros, blocks and joined texts.

    Raises `TemplateSyntaxError` where it turns escaping off.
    """
    for change in template.find_all(nodes.EvalContextModifier):
        raise TemplateSyntaxError("escaping stays on", change.lineno)
    for body in list(_bodies(template)):
        _charge(body)
    _charge(template.body)
    _replace_joins(template)
    return template


def _bodies(template: nodes.Template) -> Iterator[list[nodes.Node]]:
    yield from (node.body for node in template.find_all(nodes.For))
    yield from (node.body for node in template.find_all(nodes.Macro))
    yield from (node.body for node in template.find_all(nodes.CallBlock))
    yield from (node.body for node in template.find_all(nodes.Block))


def _charge(body: list[nodes.Node]) -> None:
    """Put the payment for a body's own text, and for one step, before it."""
    text = sum(
        len(data.data)
        for node in body
        for output in (node, *node.find_all(nodes.Output))
        if isinstance(output, nodes.Output)
        for data in output.nodes
        if isinstance(data, nodes.TemplateData)
    )
    line = body[0].lineno if body else 1
    payment = nodes.Call(
        nodes.EnvironmentAttribute("spend"), [nodes.Const(STEP + text)], [], None, None
    )
    body.insert(0, nodes.ExprStmt(payment).set_lineno(line))


def _replace_joins(node: nodes.Node) -> None:
    for field, value in node.iter_fields():
        if isinstance(value, list):
            items = cast("list[object]", value)
            items[:] = [_joined_call(item) for item in items]
        else:
            setattr(node, field, _joined_call(value))
    for child in node.iter_child_nodes():
        _replace_joins(child)


def _joined_call(item: object) -> object:
    if not isinstance(item, nodes.Concat):
        return item
    call = nodes.Call(nodes.EnvironmentAttribute("joined"), item.nodes, [], None, None)
    return call.set_lineno(item.lineno)


def _is_small(value: object) -> bool:
    return isinstance(value, int | float) and abs(value) < LARGEST_NUMBER
