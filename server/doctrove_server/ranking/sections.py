"""Which sections of a volume answer a focus, best first: one interface, two profiles.

`tiered` is the seed's ranking: its score decides and BM25 orders equals. `fused` weighs the score
and BM25F alike, and also finds sections that share a word's stem or an identifier's part alone.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from doctrove_server.ranking.places import four_places
from doctrove_server.ranking.words import ranking_terms, raw_words, words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_server.ranking.volume import PreparedVolume

ProfileName = Literal["tiered", "fused"]

_SATURATION = 1.2
"""BM25's k1 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework")."""


class SectionHit(msgspec.Struct, frozen=True):
    """One section that a focus found."""

    section: int
    """Its place in the volume."""

    score: float
    """0 to 1, four decimal places."""

    matches: tuple[str, ...]


class Profile(Protocol):
    """Ranks a volume's sections for a focus; sections that it does not find are left out."""

    def __call__(self, volume: PreparedVolume, focus: str, /) -> tuple[SectionHit, ...]:
        """Return the sections found, best first."""
        ...


def tiered(volume: PreparedVolume, focus: str, /) -> tuple[SectionHit, ...]:
    """Rank by the seed's score, equal scores by BM25F, equals of both by their order."""
    grades = _grades(volume, words(focus))
    relevance = _relevance(volume, focus)
    order = sorted(
        (-g.score, -relevance.get(section, 0.0), section) for section, g in grades.items()
    )
    return tuple(
        SectionHit(section=section, score=-negated, matches=grades[section].matches)
        for negated, _, section in order
    )


def fused(volume: PreparedVolume, focus: str, /) -> tuple[SectionHit, ...]:
    """Rank by the mean of the seed's score and BM25F, the latter as a share of its best."""
    grades = _grades(volume, words(focus))
    relevance = _relevance(volume, focus)
    best = max(relevance.values(), default=0.0) or 1.0
    hits: list[SectionHit] = []
    for section in grades.keys() | relevance.keys():
        grade = grades.get(section, _NO_GRADE)
        share = relevance.get(section, 0.0) / best
        score = four_places(min(1.0, (grade.score + share) / 2))
        matches = (*grade.matches, f"text relevance: {share:.2f}")
        hits.append(SectionHit(section=section, score=score, matches=matches))
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.section)))


PROFILES: Mapping[ProfileName, Profile] = {"tiered": tiered, "fused": fused}


class _Grade(msgspec.Struct, frozen=True):
    """The seed's score of a section, and the words for it."""

    score: float
    matches: tuple[str, ...]


_NO_GRADE = _Grade(0.0, ())


def _grades(volume: PreparedVolume, focus: tuple[str, ...]) -> dict[int, _Grade]:
    """Return the grade of each section with a word of the focus (seed: "Doc snippet ranking")."""
    counts: dict[int, tuple[int, int]] = {}
    for word in focus:
        in_heading = volume.headings.get(word, ())
        for section in in_heading:
            heading, body = counts.get(section, (0, 0))
            counts[section] = heading + 1, body
        counted = frozenset(in_heading)
        for section in volume.bodies.get(word, ()):
            if section not in counted:
                heading, body = counts.get(section, (0, 0))
                counts[section] = heading, body + 1
    # Many sections share few pairs of counts: each pair is graded once.
    graded = {pair: _grade(*pair, of=len(focus)) for pair in set(counts.values())}
    return {section: graded[pair] for section, pair in counts.items()}


def _grade(heading: int, body: int, *, of: int) -> _Grade:
    score = four_places(min(1.0, (2 * heading + body) / (2 * of)))
    return _Grade(score, (*_hits("heading", heading), *_hits("body", body)))


def _hits(where: str, count: int) -> tuple[str, ...]:
    if not count:
        return ()
    return (f"{where} hit: {count} {'word' if count == 1 else 'words'}",)


def _relevance(volume: PreparedVolume, focus: str) -> dict[int, float]:
    """Return the BM25F weight of every section with a ranking term of the focus."""
    weights: dict[int, float] = defaultdict(float)
    terms = dict.fromkeys(term for word in raw_words(focus) for term in ranking_terms(word))
    for term in terms:
        found = volume.terms.get(term, ())
        rarity = math.log(1 + (volume.size - len(found) + 0.5) / (len(found) + 0.5))
        for section, weight in found:
            weights[section] += rarity * weight / (_SATURATION + weight)
    return weights
