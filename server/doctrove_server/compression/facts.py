"""Key-value facts, found by patterns on units: no model, nothing that is not written there.

A fact is atomic: one subject, one attribute, one value. Keys are consistent: the subject as the
documentation writes it, the attribute in lower case out of a small set or the head of its column.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.sentences import CODE_SPAN
from doctrove_server.compression.subjects import TYPED, declared, subject_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from doctrove_server.compression.units import Unit

LONGEST_VALUE = 160


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that the documentation states of a subject."""

    subject: str
    attribute: str
    value: str
    unit: int
    """Place of the unit that states it."""

    @property
    def key(self) -> str:
        """The subject and the attribute; two facts with the same key and value are one."""
        return f"{self.subject} {self.attribute}".strip()

    @property
    def text(self) -> str:
        """The fact as one line of Markdown."""
        return f"{self.key}: {self.value}"


_ATTRIBUTES = {
    "type": "type",
    "types": "type",
    "default": "default",
    "defaults": "default",
    "default value": "default",
    "required": "required",
    "since": "since",
    "added": "since",
    "new in version": "since",
    "version added": "since",
    "deprecated": "deprecated",
    "removed": "removed",
    "returns": "returns",
    "return type": "returns",
    "return": "returns",
    "raises": "raises",
    "throws": "raises",
    "parameters": "parameters",
    "arguments": "parameters",
    "example": "example",
    "env": "environment variable",
    "environment variable": "environment variable",
    "cli": "option",
    "experimental": "experimental",
    "related": "related",
    "kind": "kind",
    "scope": "scope",
    "alias": "alias",
    "aliases": "alias",
}
_LABELLED = re.compile(r"([A-Z][A-Za-z ]{2,22}):\s+(\S.*)", re.DOTALL)
_DEFINED = re.compile(
    r"(`[^`]{1,80}`(?:\s*(?:,|/|or|and)\s*`[^`]{1,80}`){0,4})"
    r"(?:\s*\(([^()]{1,80})\))?\s*(?::|\s[-\u2013\u2014]{1,2}\s|\u2014)\s*(\S.*)",
    re.DOTALL,
)
_VALUE = (
    r"(`[^`\n]{1,80}`|\"[^\"\n]{1,60}\"|\u201c[^\u201d\n]{1,60}\u201d"
    r"|-?\d[\w.]*(?:\s(?:ms|seconds?|minutes?|hours?|days?|bytes?|MB|KB|kB|GB))?"
    r"|[Tt]rue|[Ff]alse|[Nn]one|null|undefined)"
)
_DEFAULT = re.compile(
    r"(?:defaults?\s+(?:to|is|of|value(?:\s+(?:is|of|for)(?:\s`[^`]+`\sis)?)?)|default:"
    rf"|by default(?:,)?(?:\s+\w+){{0,4}})\s+(?:the\s+|a\s+|an\s+)?{_VALUE}"
    rf"|{_VALUE}\s+(?:is\s+(?:used\s+)?(?:by|the)\s+default|by default|\(default\))",
    re.IGNORECASE,
)
_RAISES = re.compile(
    r"(?:raises?|throws?|raising|throwing)\s+(?:an?\s+|the\s+)?"
    r"(`[^`\n]{1,80}`|[A-Z]\w+(?:Error|Exception|Warning))"
)
_RETURNS = re.compile(
    r"\breturns?\s+(?:an?\s+|the\s+)?(`[^`\n]{1,80}`(?:\s(?:or|and)\s`[^`\n]{1,80}`)?)"
)
_CHANGED = re.compile(
    r"\b(added|new|introduced|available|deprecated|removed|renamed|changed|supported|since|until)"
    r"(?:\s+(?:in|since|as of|from|with))?\s+(?:the\s+)?(?:version\s+|release\s+)?"
    r"(`?(?:[A-Z][a-zA-Z]+\s)?v?\d+(?:\.\d+){0,3}(?:\.x)?`?)",
    re.IGNORECASE,
)
_CHANGES = {
    "deprecated": "deprecated",
    "removed": "removed",
    "renamed": "changed",
    "changed": "changed",
    "until": "removed",
}
_LIMIT = re.compile(
    r"\b((?:at (?:most|least)|no more than|up to|maximum(?: of)?|minimum(?: of)?|must be"
    r"|greater than|less than|between)\s+`?\d[\w.,]*`?(?:\sand\s`?\d[\w.,]*`?)?"
    r"(?:\s(?:characters?|bytes?|seconds?|minutes?|items?|elements?|digits?|times|ms|[KMG]B))?)"
)
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_ENVIRONMENT = re.compile(r"\benv(?:ironment)?\b|process\.env|os\.environ", re.IGNORECASE)


def facts(units: Sequence[Unit]) -> tuple[Fact, ...]:
    """Return what the units state, in their order, each key and value once."""
    found: dict[tuple[str, str], Fact] = {}
    for place, unit in enumerate(units):
        heading = units[unit.heading].text.lstrip("# ") if unit.heading >= 0 else ""
        for subject, attribute, value in _stated(unit, heading):
            fact = Fact(
                subject=declared(subject.strip(" :"), TYPED),
                attribute=attribute,
                value=_short(value),
                unit=place,
            )
            if fact.value and fact.subject and _is_stated(fact):
                found.setdefault((fact.key.lower(), fact.value), fact)
    return tuple(found.values())


_NO_VALUE = re.compile(
    r"(?:[*_]*)(?:(?:come|comes|accept|accepts|use|uses|is|are|was|has|have|can|will|must|may|and|or"
    r"|which|that|but)\b)",
    re.IGNORECASE,
)


def _is_stated(fact: Fact) -> bool:
    """Tell whether a fact is a name with a value, and neither is half of a sentence."""
    if fact.attribute or fact.value.startswith("`"):
        return fact.value.count("`") % 2 == 0
    return fact.value.count("`") % 2 == 0 and not _NO_VALUE.match(fact.value)


def _stated(unit: Unit, heading: str) -> Iterator[tuple[str, str, str]]:
    match unit.kind:
        case "row":
            yield from _of_row(unit)
        case "signature":
            yield from _of_signature(unit, heading)
        case "item" | "sentence" | "html":
            yield from _of_prose(unit, heading)
        case _:
            pass


def _of_row(unit: Unit) -> Iterator[tuple[str, str, str]]:
    """A cell means something under its column's head alone."""
    heads = _cells(unit.opener.split("\n", 1)[0])
    cells = _cells(unit.text)
    if not cells or not cells[0]:
        return
    for head, cell in zip(heads[1:], cells[1:], strict=False):
        if cell and cell not in ("-", "\u2014", "n/a"):
            name = head.lower()
            yield cells[0], _ATTRIBUTES.get(name, name), cell


def _cells(row: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def _of_signature(unit: Unit, heading: str) -> Iterator[tuple[str, str, str]]:
    line = " ".join(unit.text.split())
    name = re.search(r"([\w.$]+)\s*[(<:=]|(?:class|interface|type|enum)\s+(\w+)", line)
    subject = (name[1] or name[2]) if name else heading
    yield subject, "signature", f"`{line}`" if "`" not in line else line


def _of_prose(unit: Unit, heading: str) -> Iterator[tuple[str, str, str]]:
    text = unit.text
    labelled = _LABELLED.match(text)
    if labelled and (attribute := _ATTRIBUTES.get(labelled[1].strip().lower())):
        yield heading, attribute, labelled[2]
        return
    defined = _DEFINED.match(text)
    if defined and unit.kind == "item":
        if defined[2]:
            yield defined[1], "type", defined[2]
        yield defined[1], "", defined[3]
    yield from _patterns(unit, heading, defined[1] if defined else unit.subject.strip(" :"))


def _patterns(unit: Unit, heading: str, defined: str) -> Iterator[tuple[str, str, str]]:
    text = unit.text
    for found in _affirmed(_DEFAULT, text) if "efault" in text else ():
        value = found[1] or found[2]
        if value.startswith("`="):
            continue
        yield defined or subject_of(text, found.start(), value, heading), "default", value
    for found in _affirmed(_RAISES, text) if "rais" in text or "throw" in text else ():
        yield defined or subject_of(text, found.start(), found[1], heading), "raises", found[1]
    for found in _affirmed(_RETURNS, text) if "return" in text else ():
        yield defined or subject_of(text, found.start(), found[1], heading), "returns", found[1]
    for found in _affirmed(_CHANGED, text):
        attribute = _CHANGES.get(found[1].lower(), "since")
        yield defined or subject_of(text, found.start(), "", heading), attribute, found[2]
    for found in _affirmed(_LIMIT, text):
        yield defined or subject_of(text, found.start(), "", heading), "limit", found[1]
    if unit.label in ("Deprecated", "Removed", "Added", "Changed"):
        yield heading, "since" if unit.label == "Added" else unit.label.lower(), text
    if _ENVIRONMENT.search(text):
        for variable in dict.fromkeys(_VARIABLE.findall(text)):
            yield variable, "environment variable", text


def _affirmed(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what a pattern finds, but for what the words before it deny or call another thing."""
    for found in pattern.finditer(text):
        before = _BREAK.split(CODE_SPAN.sub("x", text[: found.start()]))[-1]
        if not any(map(_NOT.fullmatch, before.split()[-_NEAR:])):
            yield found


_NEAR = 4
"""Words before a statement that may deny it."""

_BREAK = re.compile(r"[,;.!?:]\s|\n|\s(?:and|but|or)\s")
_NOT = re.compile(
    r"[*_]*(?:\w+n['\u2019]t|not|never|no|cannot|without|neither|nor|unless|instead|rather|unlike"
    r"|avoids?|avoiding|prevents?|preventing|stops?|stopped)[*_]*",
    re.IGNORECASE,
)


def _short(value: str) -> str:
    value = " ".join(value.split()).strip(" |")
    if len(value) <= LONGEST_VALUE:
        return value
    cut = value[:LONGEST_VALUE].rsplit(" ", 1)[0]
    return f"{cut.rstrip('`') if cut.count('`') % 2 else cut}\u2026"
