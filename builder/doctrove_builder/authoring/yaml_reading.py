"""Strict YAML: text to marked values, refusing what two readers could take differently.

Works on parser events with a stack of its own, so that neither depth nor aliases can exhaust
anything: an alias shares its target's value and is counted as what it expands to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import yaml
from yaml import events

from doctrove_builder.authoring.decoding import CONTROL
from doctrove_builder.authoring.fault import fault
from doctrove_builder.authoring.marked import Marked, Place, Scalar
from doctrove_builder.authoring.quoting import shown, write_quoted
from doctrove_builder.authoring.resolve import resolve
from doctrove_builder.authoring.yaml_errors import syntax_problem
from doctrove_builder.authoring.yaml_frames import Frame, Weight, moved
from doctrove_builder.authoring.yaml_scalars import end_of, read_scalar, start_of, yaml_lines
from doctrove_builder.rules import BuildRule

if TYPE_CHECKING:
    from doctrove_schema.problem import Problem

MAX_DEPTH = 64
MAX_NODES = 100_000
"""Values in one file, aliases counted as what they stand for."""

MAX_EXPANDED = 16 * 1024 * 1024
"""Code points in one file, aliases counted as what they stand for."""


class Yaml(NamedTuple):
    """What was read; `root` is None when there is nothing, or when a fault stopped the reading."""

    root: Marked | None
    problems: tuple[Problem, ...]


def read_yaml(text: str, *, source: str, first_line: int = 1) -> Yaml:
    """Read one YAML document; `first_line` is the line of the file that the text begins at."""
    reader = _Reader(text, source=source, first_line=first_line)
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            reader.take(event)
    except yaml.YAMLError as error:
        reader.problems.append(
            syntax_problem(error, text=text, source=source, first_line=first_line)
        )
        reader.root = None
    except _Stop:
        pass  # a limit has cleared the root; a second document has left the first one
    return Yaml(reader.root, tuple(reader.problems))


class _Stop(Exception):
    """Raised when a limit is reached or a second document begins."""


class _Reader:
    """Takes events, builds values, collects problems."""

    def __init__(self, text: str, *, source: str, first_line: int) -> None:
        self.root: Marked | None = None
        self.problems: list[Problem] = []
        self._lines = yaml_lines(text)
        self._source = source
        self._first_line = first_line
        self._stack: list[Frame] = []
        self._anchors: dict[str, Weight | None] = {}
        self._documents = 0
        self._nodes = 0
        self._expanded = 0

    def take(self, event: events.Event) -> None:
        """Use one event; raises `_Stop` when there is nothing more to read."""
        match event:
            case events.ScalarEvent():
                self._scalar(event)
            case events.AliasEvent():
                self._alias(event)
            case events.SequenceStartEvent() | events.MappingStartEvent():
                self._open(event)
            case events.SequenceEndEvent() | events.MappingEndEvent():
                self._close(event)
            case events.DocumentStartEvent():
                self._document(event)
            case _:
                pass

    def _document(self, event: events.DocumentStartEvent) -> None:
        self._documents += 1
        if self._documents > 1:
            self._report(
                BuildRule.YAML_DOCUMENTS,
                self._place(event),
                "a second document begins here, and only the first one is read",
                "remove this line and move what follows into the first document or its own file",
            )
            raise _Stop

    def _scalar(self, event: events.ScalarEvent) -> None:
        at = self._place(event)
        self._refuse_tag(event.tag, at)
        self._refuse_control(event.value, at)
        plain = event.implicit[0] and not event.style
        if self._stack and self._stack[-1].expects_key:
            self._key(event, at, plain=plain)
            return
        scalar = read_scalar(event, self._lines, plain=plain, first_line=self._first_line)
        self._count(1, len(event.value), at)
        self._place_value(scalar, height=0)
        if event.anchor:
            self._anchors[event.anchor] = Weight(scalar, 1, len(event.value), 0)

    def _key(self, event: events.ScalarEvent, at: Place, *, plain: bool) -> None:
        frame = self._stack[-1]
        frame.begin(None)
        key = event.value
        self._count(1, len(key), at)
        if event.anchor:
            self._report(
                BuildRule.YAML_FEATURE,
                at,
                f"the key {shown(key)} carries an anchor",
                "put anchors on values",
            )
        if plain and key == "<<":
            self._report(
                BuildRule.YAML_FEATURE,
                at,
                "`<<` merges another mapping in, which YAML 1.2 does not know",
                "write the keys out",
            )
            return
        if plain and (resolved := resolve(key)).read_as:
            self._report(
                BuildRule.YAML_KEY,
                at,
                f"the key {shown(key)} is read as {resolved.read_as}"
                if key
                else "a key is missing",
                f"write {shown(write_quoted(key))}" if key else "write the key before the `:`",
            )
        if first := frame.entries.get(key):
            self._report(
                BuildRule.YAML_DUPLICATE_KEY,
                at,
                f"the key {shown(key)} stands here again; line {first.key_at[0]} has it",
                "remove one of them",
            )
            return
        frame.begin((key, at))

    def _alias(self, event: events.AliasEvent) -> None:
        at = self._place(event)
        name = event.anchor or ""
        weight = self._anchors.get(name)
        if self._stack and self._stack[-1].expects_key:
            self._report(
                BuildRule.YAML_KEY, at, f"the alias {shown('*' + name)} is a key", "write the key"
            )
            self._stack[-1].begin(None)
            return
        if weight is None:
            inside = name in self._anchors
            self._report(
                BuildRule.YAML_ALIAS,
                at,
                f"{shown('*' + name)} stands inside the value that it names"
                if inside
                else f"{shown('*' + name)} names no anchor above it",
                "write the value out",
            )
            text = f"*{name}"
            self._place_value(Scalar(text=text, value=text, at=at, end_line=at[0]), height=0)
            return
        self._count(weight.nodes, weight.expanded, at)
        if len(self._stack) + weight.height > MAX_DEPTH:
            self._too_deep(at)
        self._place_value(moved(weight.value, at), height=weight.height)

    def _open(self, event: events.SequenceStartEvent | events.MappingStartEvent) -> None:
        at = self._place(event)
        self._refuse_tag(event.tag, at)
        if len(self._stack) >= MAX_DEPTH:
            self._too_deep(at)
        frame = Frame(event, at)
        frame.nodes_before, frame.expanded_before = self._nodes, self._expanded
        self._count(1, 0, at)
        if event.anchor:
            self._anchors[event.anchor] = None
        self._stack.append(frame)

    def _close(self, event: events.SequenceEndEvent | events.MappingEndEvent) -> None:
        frame = self._stack.pop()
        value = frame.finish(end_of(event)[0] + self._first_line)
        if frame.anchor:
            self._anchors[frame.anchor] = Weight(
                value,
                self._nodes - frame.nodes_before,
                self._expanded - frame.expanded_before,
                frame.height,
            )
        if self._stack and self._stack[-1].expects_key:
            self._report(
                BuildRule.YAML_KEY, frame.at, "a list or mapping is used as a key", "write a text"
            )
            self._stack[-1].begin(None)
            return
        self._place_value(value, height=frame.height)

    def _place_value(self, value: Marked, *, height: int) -> None:
        if self._stack:
            self._stack[-1].add(value, height=height)
        else:
            self.root = value

    def _count(self, nodes: int, expanded: int, at: Place) -> None:
        self._nodes += nodes
        self._expanded += expanded
        if self._nodes > MAX_NODES or self._expanded > MAX_EXPANDED:
            limit = (
                f"{MAX_NODES:,} values" if self._nodes > MAX_NODES else f"{MAX_EXPANDED:,} letters"
            )
            self._report(
                BuildRule.YAML_TOO_LARGE,
                at,
                f"with its aliases written out the file holds more than {limit}",
                "split the file, or write a folder of Markdown pages",
            )
            self.root = None
            raise _Stop

    def _too_deep(self, at: Place) -> None:
        self._report(
            BuildRule.YAML_TOO_LARGE,
            at,
            f"values are nested more than {MAX_DEPTH} deep",
            "no key of the format needs that: write it flat",
        )
        self.root = None
        raise _Stop

    def _refuse_tag(self, tag: str | None, at: Place) -> None:
        if tag:
            name = tag.replace("tag:yaml.org,2002:", "!!", 1)
            self._report(
                BuildRule.YAML_FEATURE,
                at,
                f"the tag {shown(name)} stands before a value, and tags are not used here",
                "remove it; put a text in quotes instead",
            )

    def _refuse_control(self, text: str, at: Place) -> None:
        # The file holds none; an escape in double quotes can still make one.
        if control := CONTROL.search(text):
            self._report(
                BuildRule.CONTROL_CHARACTER,
                at,
                f"the value holds the control character U+{ord(control[0]):04X}",
                "remove its escape",
            )

    def _report(self, rule: BuildRule, at: Place, message: str, hint: str) -> None:
        self.problems.append(fault(rule, message, source=self._source, at=at, hint=hint))

    def _place(self, event: events.Event) -> Place:
        line, column = start_of(event)
        return line + self._first_line, column + 1
