"""Lists and mappings while they are read, and what an alias to a finished one costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from yaml import events

from doctrove_builder.authoring.marked import Entry, Marked, MarkedList, MarkedMapping, Scalar

if TYPE_CHECKING:
    from doctrove_builder.authoring.marked import Place


class Weight(NamedTuple):
    """What an anchored value costs each time that an alias names it."""

    value: Marked
    nodes: int
    expanded: int
    height: int


class Frame:
    """A list or mapping that is being read."""

    def __init__(
        self, event: events.SequenceStartEvent | events.MappingStartEvent, at: Place
    ) -> None:
        self.at = at
        self.flow = bool(event.flow_style)
        self.anchor = event.anchor
        self.items: list[Marked] = []
        self.entries: dict[str, Entry] = {}
        self.is_mapping = isinstance(event, events.MappingStartEvent)
        self.expects_key = self.is_mapping
        self.key: tuple[str, Place] | None = None
        self.height = 1
        self.nodes_before = 0
        self.expanded_before = 0
        self.end_line = at[0]

    def add(self, value: Marked, *, height: int) -> None:
        """Put a value in; in a mapping it is that of the last key."""
        self.height = max(self.height, height + 1)
        self.end_line = max(self.end_line, value.end_line)
        if not self.is_mapping:
            self.items.append(value)
            return
        self.expects_key = True
        if self.key:
            key, key_at = self.key
            self.entries[key] = Entry(key=key, key_at=key_at, value=value)

    def begin(self, key: tuple[str, Place] | None) -> None:
        """Go on to the value of a key; the value of None is dropped."""
        self.expects_key, self.key = False, key

    def finish(self, end_line: int) -> Marked:
        """Return the whole; `end_line` is that of its closing bracket, where it has one."""
        end = max(self.end_line, end_line) if self.flow else self.end_line
        if self.is_mapping:
            return MarkedMapping(entries=self.entries, at=self.at, end_line=end)
        return MarkedList(items=tuple(self.items), at=self.at, end_line=end)


def moved(value: Marked, at: Place) -> Marked:
    """Return a value as if it stood where its alias stands; what is inside keeps its place."""
    match value:
        case Scalar():
            return Scalar(
                text=value.text,
                value=value.value,
                read_as=value.read_as,
                settled=value.settled,
                at=at,
                end_line=at[0],
            )
        case MarkedList():
            return MarkedList(items=value.items, at=at, end_line=at[0])
        case MarkedMapping():
            return MarkedMapping(entries=value.entries, at=at, end_line=at[0])
