"""Round scores as the seed's implementation does (ECMA-262, Number.prototype.toFixed)."""

from __future__ import annotations


def four_places(score: float) -> float:
    """Round to four decimal places, the exact half upwards: 0.03125 gives 0.0313."""
    numerator, denominator = score.as_integer_ratio()
    return (2 * numerator * 10_000 + denominator) // (2 * denominator) / 10_000
