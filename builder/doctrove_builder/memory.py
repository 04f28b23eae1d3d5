"""How pure functions are applied: each time anew, or from memory where the arguments are the same.

A build that runs once applies everything anew. A process that builds again and again keeps a
`Memory`: since every stage makes frozen values from frozen values, a stage whose arguments are the
very objects of the last time has the result of the last time. Applied to a class it makes equal
parts one object, so that what is made from them is known again too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, Protocol, TypeVar, cast

from doctrove_builder.model import Options, Project, Repository

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")

_BY_VALUE = frozenset([str, float, bytes, type(None), Options, Project, Repository])
"""Small values that are compared as such; all others are told apart as objects."""


class Apply(Protocol):
    """Applies pure functions."""

    def __call__(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what the function gives for these arguments."""
        ...

    def each(
        self, name: str, function: Callable[[Sequence[A]], Iterable[T]], things: Iterable[A]
    ) -> list[T]:
        """Return what a function of many things gives for each; `name` stands for the function."""
        ...

    def settle(self, name: str, value: T) -> T:
        """Return the value that this name had before, if the new one is equal to it."""
        ...


class Anew:
    """Keeps nothing."""

    def __call__(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call the function."""
        return function(*args, **kwargs)

    def each(
        self, name: str, function: Callable[[Sequence[A]], Iterable[T]], things: Iterable[A]
    ) -> list[T]:
        """Call the function with all things."""
        del name
        return list(function(list(things)))

    def settle(self, name: str, value: T) -> T:
        """Return the new value."""
        del name
        return value


ANEW = Anew()


class _Kept(NamedTuple):
    arguments: object
    result: Any
    parts: list[Hashable]
    """Keys of the results that this one was made from."""


class Memory:
    """Keeps a result until a whole generation asks neither for it nor for one that is made of it.

    Arguments are kept with the results, so that an object's identity stays its own. For one thread.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._now: dict[Hashable, _Kept] = {}
        self._before: dict[Hashable, _Kept] = {}
        self._settled: dict[str, Any] = {}
        self._parts: list[Hashable] = []

    def turn(self) -> None:
        """Begin a new generation, and forget what the one that ends did not ask for."""
        self._before, self._now, self._parts = self._now, {}, []

    def __call__(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the kept result, or call the function."""
        key = (function, _sign(args), _sign(tuple(kwargs.items())))
        kept = self._recall(key)
        if kept is None:
            outer, self._parts = self._parts, []
            try:
                result = function(*args, **kwargs)
                kept = self._now[key] = _Kept((args, kwargs), result, self._parts)
            finally:
                self._parts = outer
        self._parts.append(key)
        known: T = kept.result
        return known

    def each(
        self, name: str, function: Callable[[Sequence[A]], Iterable[T]], things: Iterable[A]
    ) -> list[T]:
        """Call the function with those things alone that are new."""
        listed = list(things)
        keys = [(name, _sign(thing)) for thing in listed]
        new = {k: thing for k, thing in zip(keys, listed, strict=True) if self._recall(k) is None}
        if new:
            results = function(list(new.values()))
            for key, result in zip(new, results, strict=True):
                self._now[key] = _Kept(new[key], result, [])
        self._parts += keys
        return [self._now[key].result for key in keys]

    def settle(self, name: str, value: T) -> T:
        """Keep the value under its name, and give the old one back where they are equal."""
        if name not in self._settled or self._settled[name] != value:
            self._settled[name] = value
        settled: T = self._settled[name]
        return settled

    def _recall(self, key: Hashable) -> _Kept | None:
        kept = self._now.get(key)
        if kept is None and (kept := self._before.get(key)) is not None:
            self._now[key] = kept
            for part in kept.parts:
                self._recall(part)
        return kept


def _sign(value: object) -> Hashable:
    """Return what stands for an argument in a key."""
    kind = type(value)
    if kind in _BY_VALUE:
        return value
    if kind is tuple:
        return tuple(map(_sign, cast("tuple[object, ...]", value)))
    if isinstance(value, int):
        return ("int", value)
    return id(value)
