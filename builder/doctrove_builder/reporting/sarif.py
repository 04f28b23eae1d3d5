"""Problems as SARIF 2.1.0 (OASIS), which code-scanning services read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from doctrove_builder.reporting.explanations import explanation
from doctrove_builder.reporting.paths import shown_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_schema.problem import Problem, Rule

Json: TypeAlias = "str | int | list[Json] | Mapping[str, Json]"

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(problems: Sequence[Problem], *, root: str) -> str:
    """Return one run with its results and the rules that they name, ASCII alone."""
    rules = list(dict.fromkeys(problem.rule for problem in problems))
    numbers = {rule: number for number, rule in enumerate(rules)}
    run: Json = {
        "tool": {
            "driver": {"name": "doctrove-build", "rules": [_rule(rule) for rule in rules]},
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(problem, numbers[problem.rule], root=root) for problem in problems],
    }
    log: Json = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _rule(rule: Rule) -> Json:
    text = explanation(rule)
    described: dict[str, Json] = {"id": rule.value}
    if text:
        first = " ".join(text.split("\n\n", 1)[0].split())
        described["shortDescription"] = {"text": first}
        described["help"] = {"text": text, "markdown": text}
    return described


def _result(problem: Problem, number: int, *, root: str) -> Json:
    path = shown_path(problem.source, root=root)
    place: dict[str, Json] = {"artifactLocation": {"uri": quote(path, safe="/.", errors="replace")}}
    # What concerns a whole file is shown at its first line: services drop what has no line.
    region: dict[str, Json] = {"startLine": problem.line or 1}
    if problem.column is not None:
        region["startColumn"] = problem.column
    place["region"] = region
    said = f"{problem.message}. {problem.hint}" if problem.hint else problem.message
    return {
        "ruleId": problem.rule.value,
        "ruleIndex": number,
        "level": problem.severity.value,
        "message": {"text": said},
        "locations": [{"physicalLocation": place}],
    }
