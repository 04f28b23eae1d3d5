"""Sections get the summaries that a language model writes of them, as far as they pass the checks.

What a model answered comes from a folder, else from the model; the same answers give the same index
on any machine, since tokens are estimated by the rule that the index names.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from doctrove_schema.tokens import estimate_tokens
from doctrove_server.compression.abstractive import Question, judged, question
from doctrove_server.compression.completing import Limits
from doctrove_server.compression.counting import Counting
from doctrove_server.compression.shelf import Shelf
from doctrove_server.compression.summaries import SummaryFolder, answered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from doctrove_builder.cache import Cache
    from doctrove_builder.pipeline.progress import Progress
    from doctrove_schema.model import Entry, Index, Section
    from doctrove_server.compression.completing import Completer
    from doctrove_server.compression.summaries import Standing

RATIO = 0.2
"""Tokens of a summary against its section's, at most."""

LIMITS = Limits(
    seconds=120.0,
    concurrency=2,
    most_calls=5_000,
    most_tokens=20_000_000,
    failures=3,
    rest=float("inf"),
)
"""What one build asks of a model; after three failures in a row it does without."""

ROOM = "summary"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryMeans:
    """What summaries are made with."""

    folder: SummaryFolder
    completer: Completer | None
    """None: only what the folder holds is used."""

    model: str
    """Whose answers are used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryCount:
    """What became of the sections that are long enough for a summary; equal texts count once."""

    wanted: int
    used: int
    refused: int
    """Answers that did not pass the checks."""

    kept: int
    """Texts whose answers were there before this build."""

    asked: int
    """Questions that a model was asked in this build."""

    tokens: int
    """Of those questions and their answers."""

    failures: tuple[str, ...]
    """Why a model gave no answer, or it could not be kept."""


def with_summaries(
    index: Index,
    means: SummaryMeans,
    *,
    chosen: Callable[[str, str], bool],
    cache: Cache,
    progress: Progress,
) -> tuple[Index, SummaryCount]:
    """Return an index whose sections carry their summaries; `chosen` takes an id and a version."""
    places = dict(_bodies(index, chosen))
    questions = {body: one for body in places if (one := _question(body, means.model)) is not None}
    progress.step("sum up sections", len(questions))
    answers = answered(
        list(questions.values()),
        completer=means.completer,
        kept=means.folder,
        workers=LIMITS.concurrency,
        told=_Telling(progress, places),
    )
    verdicts = _verdicts(
        [(one, answers.texts[one.key]) for one in questions.values() if one.key in answers.texts],
        cache,
    )
    count = SummaryCount(
        wanted=len(questions),
        used=sum(bool(text) for text in verdicts.values()),
        refused=sum(not text for text in verdicts.values()),
        kept=answers.kept,
        asked=answers.asked,
        tokens=answers.tokens,
        failures=answers.failures,
    )
    entries = tuple(_entry(entry, verdicts, means.model, chosen) for entry in index.entries)
    return msgspec.structs.replace(index, entries=entries), count


class _Telling:
    """Says how far the asking is."""

    def __init__(self, progress: Progress, places: Mapping[str, str]) -> None:
        self._progress = progress
        self._places = places
        self._done = 0

    def __call__(self, standing: Standing) -> None:
        self._progress.note(standing_in_words(standing, self._places))
        self._progress.advance(standing.done - self._done)
        self._done = standing.done


def standing_in_words(standing: Standing, places: Mapping[str, str]) -> str:
    """Say how far the asking is; `places` are by the texts that are asked about."""
    parts = [f"{standing.done:,} of {standing.total:,}", f"{standing.kept:,} from the cache"]
    if standing.failed:
        parts.append(f"{standing.failed:,} failed")
    if standing.tokens:
        parts.append(f"{standing.tokens:,} tokens")
    if standing.begun is not None and standing.done < standing.total:
        parts.append(f"now {places[standing.begun.text]}")
    return ", ".join(parts)


def _bodies(index: Index, chosen: Callable[[str, str], bool]) -> Iterator[tuple[str, str]]:
    """Yield the texts of sections, each with a place where it stands."""
    for entry in index.entries:
        for version, volume in entry.volumes.items():
            if chosen(entry.id, version):
                for section in volume.sections:
                    yield section.body, f"{entry.id} {version} {section.id or section.heading}"


def _question(body: str, model: str) -> Question | None:
    tokens = estimate_tokens(body)
    return question(body, int(tokens * RATIO), tokens=tokens, model=model)


def _verdicts(answers: list[tuple[Question, str]], cache: Cache) -> dict[str, str]:
    """Return what of each answer is used, by the text that was asked about; empty for none of it.

    A verdict is kept by the hash of question, answer and the code that judges.
    """
    version = _code_version()
    keys = [sha256(f"{version}{one.key}{text}".encode()).hexdigest() for one, text in answers]
    known = cache.get(ROOM, keys)
    shelf = Shelf(Counting(estimate_tokens, exact=False))
    fresh: dict[str, bytes] = {}
    found: dict[str, str] = {}
    for key, (one, text) in zip(keys, answers, strict=True):
        content = known.get(key)
        if content is None:
            content = fresh[key] = judged(one, text, shelf=shelf).text.encode()
        found[one.text] = content.decode("utf-8", "replace")
    cache.put(ROOM, fresh)
    return found


def _entry(
    entry: Entry, summaries: Mapping[str, str], model: str, chosen: Callable[[str, str], bool]
) -> Entry:
    volumes = {
        version: msgspec.structs.replace(
            volume,
            sections=tuple(_section(section, summaries, model) for section in volume.sections),
        )
        if chosen(entry.id, version)
        else volume
        for version, volume in entry.volumes.items()
    }
    return msgspec.structs.replace(entry, volumes=volumes)


def _section(section: Section, summaries: Mapping[str, str], model: str) -> Section:
    summary = summaries.get(section.body)
    if not summary:
        return section
    return msgspec.structs.replace(section, summary=summary, summary_by=model)


def _code_version() -> str:
    """Return a hash of the code that judges."""
    digest = sha256()
    package = files("doctrove_server.compression")
    for module in sorted(package.iterdir(), key=lambda one: one.name):
        if module.name.endswith(".py"):
            digest.update(f"{module.name}\0".encode() + module.read_bytes() + b"\0")
    return digest.hexdigest()
