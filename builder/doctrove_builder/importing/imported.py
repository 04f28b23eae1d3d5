"""What an importer gives: pages with their origins, files, licences, and what was left out.

    SourceTree --Kind.read--> Imported --materialise--> a volume's folder

A kind reads through its `SourceTree` alone, writes nothing and executes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn, TypeAlias

import msgspec

from doctrove_builder.importing.errors import OptionRefused
from doctrove_builder.importing.source_tree import SourceTree
from doctrove_schema.model import Origin

OptionValue: TypeAlias = str | int | bool | tuple[str, ...] | SourceTree
OriginSpan: TypeAlias = tuple[int, int, Origin]
"""First and last line of `ImportedPage.markdown`, counted from 1, and where they come from.

`Origin.sha256` may be empty: it is computed for a file of the source when the page is written.
"""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was dropped or not found, and why."""

    kind: str
    """Kebab-case code, the same for all of its sort: `include-missing`, `component-dropped`."""

    place: str
    """File of the source, with `:line` where it is known."""

    message: str
    """What is so, one sentence without a full stop."""


class ImportedPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page, in the Markdown that authors of volumes write."""

    path: str
    """Page path: `guide/routing`; `index` for the front page."""

    title: str
    description: str = ""
    order: int | None = None
    """None: pages stand in the order in which they are given."""

    markdown: str
    """The text below the title, headings from level 2 with explicit ids (`## Text {#id}`).

    Links between pages are relative to this page's file, `PATH.md` each (the front page too).
    """

    origins: tuple[OriginSpan, ...] = ()
    symbols: Mapping[str, tuple[str, ...]] = msgspec.field(
        default_factory=dict[str, tuple[str, ...]]
    )
    """By anchor; `` is the text before the first heading."""

    url: str = ""
    """Address of the page in the upstream documentation."""

    urls: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    """By anchor, for sections whose upstream address is not that of the page with their anchor."""


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """All that a kind read."""

    pages: tuple[ImportedPage, ...]
    """In reading order; two never have the same path."""

    assets: Mapping[str, bytes] = msgspec.field(default_factory=dict[str, bytes])
    """Pictures and other files by their path in the volume."""

    licenses: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    """Texts of licences by file name."""

    license: str = ""
    """SPDX expression as the source's own metadata says it."""

    name: str = ""
    """Of the library, as the source's own metadata says it."""

    summary: str = ""
    homepage: str = ""
    repository: str = ""
    version_scheme: str = ""
    """`semver`, `pep440` or `label`; empty when the kind does not know."""

    released: str = ""
    """ISO 8601 date, only when the source says it."""

    split_level: int = 2
    """Headings down to this level start a section."""

    counts: Mapping[str, int] = msgspec.field(default_factory=dict[str, int])
    """Figures of the kind for the report: `api objects with documentation`, `includes resolved`."""

    notes: tuple[Note, ...] = ()


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One option of a kind."""

    name: str
    """Kebab-case, as in `--option NAME=VALUE` and in doctrove.yaml."""

    type: str = "text"
    """`text`, `flag`, `number`, `list` (comma-separated), `choice` or `source` (opened for you)."""

    default: str | int | bool | tuple[str, ...] = ""
    least: int = 0
    most: int | None = None
    """Of a number."""

    choices: tuple[str, ...] = ()
    help: str
    """One sentence without a full stop."""


def split_level_option(default: int) -> Option:
    """Return the option `split-level` of the kinds that cut pages at their headings."""
    return Option(
        name="split-level",
        type="number",
        default=default,
        least=1,
        most=6,
        help="headings down to this level start a section",
    )


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a kind: the library, its version and the options, checked and complete."""

    library: str = ""
    version: str = ""
    base_url: str = ""
    """Where the documentation is published, as the user says."""

    license: str = ""
    """Of the documentation, as the user says."""

    repository: str = ""
    commit: str = ""
    values: Mapping[str, OptionValue] = msgspec.field(default_factory=dict[str, OptionValue])

    def text(self, name: str) -> str:
        """Return a text or a choice; empty when it is not given."""
        value = self.values.get(name, "")
        return value if isinstance(value, str) else self._refused(name, "a text")

    def flag(self, name: str) -> bool:
        """Return a flag; false when it is not given."""
        value = self.values.get(name, False)
        return value if isinstance(value, bool) else self._refused(name, "true or false")

    def number(self, name: str) -> int:
        """Return a whole number; 0 when it is not given."""
        value = self.values.get(name, 0)
        return value if isinstance(value, int) else self._refused(name, "a whole number")

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; empty when it is not given."""
        value = self.values.get(name, ())
        return value if isinstance(value, tuple) else self._refused(name, "a list")

    def source(self, name: str) -> SourceTree | None:
        """Return a second source; None when it is not given."""
        value = self.values.get(name)
        return value if isinstance(value, SourceTree) else None

    def _refused(self, name: str, what: str) -> NoReturn:
        raise OptionRefused(f"the option {name} is not {what}")


Reader: TypeAlias = Callable[[SourceTree, Options], Imported]


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of documentation that can be imported."""

    name: str
    summary: str
    """One sentence for `--list`."""

    sources: str
    """What SOURCE may be, for people: `a folder, a wheel, an sdist, or pypi:NAME==VERSION`."""

    options: tuple[Option, ...] = ()
    read: Reader
    """Raises `NothingImported` when the source holds nothing of this kind."""

    named: Callable[[SourceTree], tuple[str, str]] | None = None
    """Gives the id and version that a source has by itself, each empty where it says none."""

    versions: Callable[[SourceTree], tuple[str, ...]] | None = None
    """The versions that one source holds side by side, newest first; None: always one."""
