"""One import: a source is opened, read by its kind and made into the files of a volume."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.about import GENERATOR
from doctrove_builder.importing.errors import NothingImported, OptionRefused
from doctrove_builder.importing.fingerprint import importing_version
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.kinds import load_kind
from doctrove_builder.importing.licences import licence_expression
from doctrove_builder.importing.lock import Pin
from doctrove_builder.importing.materialise import Given, VolumeFiles, is_address, materialise
from doctrove_builder.importing.option_values import Written, check_options, make_options
from doctrove_builder.importing.reach import Opened
from doctrove_builder.importing.sources import open_source
from doctrove_builder.markdown import code_version

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import Imported, Kind
    from doctrove_builder.importing.reach import Reach
    from doctrove_builder.importing.source_tree import SourceTree


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """One import that is asked for, on the command line or in doctrove.yaml."""

    kind: str
    source: str
    library: str
    version: str
    options: Mapping[str, Written] = msgspec.field(default_factory=dict[str, Written])
    license: str = ""
    repository: str = ""
    commit: str = ""
    base_url: str = ""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """An import that was carried out."""

    order: Order
    volume: VolumeFiles
    pins: tuple[Pin, ...]
    """Of the downloads it needed."""


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """An import whose sources are open; nothing is read but their hashes."""

    order: Order
    opened: Opened
    others: Mapping[str, Opened]
    """Sources that options name."""

    key: str
    """Changes with everything that decides the volume's bytes."""

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The downloads that were opened."""
        found = (self.opened, *self.others.values())
        return tuple(opened.pin for opened in found if opened.pin is not None)


def prepare(order: Order, reach: Reach, *, opened: Opened | None = None) -> Prepared:
    """Open the sources of an import, unless its own is `opened`; raises an `ImportingError`."""
    kind = load_kind(order.kind)
    check_order(order, kind)
    opened = opened or open_source(order.source, reach)
    others = {source: open_source(source, reach) for source in named_sources(order)[1:]}
    digests = [opened.digest(), *(other.digest() for other in others.values())]
    parts = (GENERATOR, code_version(), importing_version(), msgspec.to_builtins(order), digests)
    key = hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()
    return Prepared(order=order, opened=opened, others=others, key=key)


def check_order(order: Order, kind: Kind) -> None:
    """Raise `OptionRefused` for what can be seen to be wrong before anything is read."""
    check_options(kind, order.options)
    for what, text in (("base URL", order.base_url), ("repository", order.repository)):
        if text and not is_address(text):
            raise OptionRefused(
                f"the {what} {text[:200]!r} is not an http or https address",
                hint="write it as in a browser: https://docs.example.org/",
            )
    if order.license and not licence_expression(order.license):
        raise OptionRefused(
            f"the licence {order.license[:200]!r} is not an SPDX expression",
            hint="write MIT, or MIT OR Apache-2.0; one without such a name is LicenseRef-NAME",
        )


def named_sources(order: Order) -> tuple[str, ...]:
    """Return the source of an import, and those that its options name; raises `OptionRefused`."""
    options = (option.name for option in load_kind(order.kind).options if option.type == "source")
    others = (str(order.options[name]) for name in options if order.options.get(name))
    return (order.source, *others)


def carry_out(prepared: Prepared) -> Done:
    """Read the source and make the volume; raises an `ImportingError`."""
    order, tree = prepared.order, prepared.opened.tree
    kind = load_kind(order.kind)

    def open_tree(source: str) -> SourceTree:
        return prepared.others[source].tree

    options = make_options(
        kind, order.options, library=order.library, version=order.version, open_tree=open_tree
    )
    options = msgspec.structs.replace(
        options,
        base_url=order.base_url,
        license=order.license,
        repository=order.repository,
        commit=order.commit,
    )
    imported = kind.read(tree, options)
    if not imported.pages:
        raise NothingImported(f"{order.source} holds nothing that the kind {kind.name} can read")
    pin = prepared.opened.pin
    given = Given(
        library=order.library,
        version=order.version,
        kind=order.kind,
        source=order.source,
        sha256=prepared.opened.digest(),
        license=order.license or imported.license or (pin.license if pin else ""),
        repository=order.repository,
        commit=order.commit,
        base_url=order.base_url,
    )
    volume = materialise(_with_skipped(imported, tree), given, tree)
    return Done(order=order, volume=volume, pins=prepared.pins)


def _with_skipped(imported: Imported, tree: SourceTree) -> Imported:
    skipped = tuple(
        Note(kind="entry-skipped", place=path, message=reason) for path, reason in tree.skipped
    )
    return msgspec.structs.replace(imported, notes=(*imported.notes, *skipped))
