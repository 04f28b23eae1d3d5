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
    hits = _contract_hits(volume, words(focus))
    relevance = _relevance(volume, focus)
    return tuple(sorted(hits, key=lambda h: (-h.score, -relevance.get(h.section, 0.0), h.section)))


def fused(volume: PreparedVolume, focus: str, /) -> tuple[SectionHit, ...]:
    """Rank by the mean of the seed's score and BM25F, the latter as a share of its best."""
    contract = {hit.section: hit for hit in _contract_hits(volume, words(focus))}
    relevance = _relevance(volume, focus)
    best = max(relevance.values(), default=0.0) or 1.0
    hits: list[SectionHit] = []
    for section in contract.keys() | relevance.keys():
        hit = contract.get(section)
        share = relevance.get(section, 0.0) / best
        score = four_places(min(1.0, ((hit.score if hit else 0.0) + share) / 2))
        matches = (*(hit.matches if hit else ()), f"text relevance: {share:.2f}")
        hits.append(SectionHit(section=section, score=score, matches=matches))
    return tuple(sorted(hits, key=lambda h: (-h.score, h.section)))


PROFILES: Mapping[ProfileName, Profile] = {"tiered": tiered, "fused": fused}


def _contract_hits(volume: PreparedVolume, focus: tuple[str, ...]) -> list[SectionHit]:
    """Return the sections with a word of the focus (seed: "Doc snippet ranking")."""
    in_heading: dict[int, int] = defaultdict(int)
    in_body: dict[int, int] = defaultdict(int)
    for word in focus:
        heading = volume.headings.get(word, ())
        for section in heading:
            in_heading[section] += 1
        counted = frozenset(heading)
        for section in volume.bodies.get(word, ()):
            if section not in counted:
                in_body[section] += 1
    return [
        SectionHit(
            section=section,
            score=four_places(
                min(1.0, (2 * in_heading[section] + in_body[section]) / (2 * len(focus)))
            ),
            matches=(
                *_hits("heading", in_heading[section]),
                *_hits("body", in_body[section]),
            ),
        )
        for section in sorted(in_heading.keys() | in_body.keys())
    ]


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
