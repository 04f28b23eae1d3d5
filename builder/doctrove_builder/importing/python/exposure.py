"""Which objects of a package are public, and the one page on which each is documented.

`__all__` decides where there is one. Otherwise names without a leading underscore are public where
they are defined, and in an `__init__` also those that it imports from its own package. An object
that is reachable under several names is documented under the shortest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import griffe

from doctrove_builder.importing.python.loading import Loaded, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_MODULES_DEEP = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposed:
    """An object under the name by which it is documented."""

    name: str
    """In its module."""

    found: griffe.Object
    paths: tuple[str, ...]
    """Every public dotted name, the documented one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicModule:
    """A public module and what is documented on its page."""

    module: griffe.Module
    path: str
    objects: tuple[Exposed, ...]
    elsewhere: tuple[tuple[str, str], ...] = ()
    """Names in its `__all__` that other pages document, each with the name it has there."""


def public_modules(loaded: Loaded, *, prefer: str = "") -> tuple[PublicModule, ...]:
    """Return the public modules of all packages, each object in one of them.

    `prefer` is the package whose names win where two are equally short.
    """
    modules = [one for package in loaded.packages for one in _modules(package, 0)]
    tops = frozenset(package.path.partition(".")[0] for package in loaded.packages)
    places: dict[str, list[tuple[str, str]]] = {}
    exposed: dict[str, list[tuple[str, griffe.Object]]] = {}
    for module in modules:
        exposed[module.path] = list(_exposed(module, tops))
        for name, found in exposed[module.path]:
            places.setdefault(found.path, []).append((module.path, name))
    homes = {path: _ranked(path, where, prefer) for path, where in places.items()}
    return tuple(
        PublicModule(
            module=module,
            path=module.path,
            objects=tuple(_at_home(module.path, exposed[module.path], homes)),
            elsewhere=tuple(_elsewhere(module, exposed[module.path], homes)),
        )
        for module in modules
    )


def is_public(name: str) -> bool:
    """Say whether a name is public by its form."""
    return not name.startswith("_")


def _modules(module: griffe.Module, depth: int) -> Iterator[griffe.Module]:
    yield module
    if depth < MAX_MODULES_DEEP:
        for name in sorted(module.members):
            member = module.members[name]
            if isinstance(member, griffe.Module) and is_public(name):
                yield from _modules(member, depth + 1)


def _exposed(module: griffe.Module, tops: frozenset[str]) -> Iterator[tuple[str, griffe.Object]]:
    exports = [str(name) for name in module.exports or ()]
    for name in dict.fromkeys(exports) if exports else list(module.members):
        member = module.members.get(name)
        if member is None or not (exports or _is_offered(module, name, member, tops)):
            continue
        found = resolved(member)
        if found is not None and not isinstance(found, griffe.Module):
            yield name, found


def _is_offered(
    module: griffe.Module, name: str, member: griffe.Object | griffe.Alias, tops: frozenset[str]
) -> bool:
    """Say whether a module without `__all__` offers a member."""
    if not is_public(name):
        return False
    if isinstance(member, griffe.Object):
        return True
    inside = member.target_path.partition(".")[0] in tops
    return inside and (module.is_init_module or member.wildcard_imported)


def _ranked(path: str, places: list[tuple[str, str]], prefer: str) -> list[tuple[str, str]]:
    """Order the names of an object: short ones first, then the preferred package's."""

    def rank(place: tuple[str, str]) -> tuple[int, bool, bool, bool, str]:
        full = f"{place[0]}.{place[1]}"
        package = full.split(".", maxsplit=1)[0]
        return full.count("."), package != prefer, full != path, place[1].startswith("_"), full

    return sorted(dict.fromkeys(places), key=rank)


def _at_home(
    module: str,
    exposed: list[tuple[str, griffe.Object]],
    homes: Mapping[str, list[tuple[str, str]]],
) -> Iterator[Exposed]:
    for name, found in exposed:
        places = homes[found.path]
        if places[0] == (module, name):
            paths = tuple(f"{where}.{called}" for where, called in places)
            own = () if found.path in paths else (found.path,)
            public = tuple(one for one in own if all(map(is_public, one.split("."))))
            yield Exposed(name=name, found=found, paths=(*paths, *public))


def _elsewhere(
    module: griffe.Module,
    exposed: list[tuple[str, griffe.Object]],
    homes: Mapping[str, list[tuple[str, str]]],
) -> Iterator[tuple[str, str]]:
    for name, found in exposed if module.exports else ():
        home, called = homes[found.path][0]
        if home != module.path:
            yield name, f"{home}.{called}"
