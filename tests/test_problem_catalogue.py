"""Every rule stands in the catalogue of its package, and every entry of a catalogue is a rule."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import Counter

import pytest

import doctrove_builder
import doctrove_schema
from doctrove_builder.reporting.explanations import explanation, read_catalogue
from doctrove_schema.problem import Rule

_CODE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def _rule_classes() -> list[type[Rule]]:
    for package in (doctrove_schema, doctrove_builder):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.endswith(".rules"):
                importlib.import_module(module.name)
    return sorted(Rule.__subclasses__(), key=lambda rules: rules.__name__)


RULES = _rule_classes()


def test_there_are_rules() -> None:
    assert "BuildRule" in [rules.__name__ for rules in RULES]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.__name__)
def test_the_catalogue_of_a_package_holds_its_rules_in_order(rules: type[Rule]) -> None:
    catalogue = read_catalogue(rules.__module__.rpartition(".")[0])
    assert list(catalogue) == sorted(rule.value for rule in rules)


@pytest.mark.parametrize(
    "rule", [rule for rules in RULES for rule in rules], ids=lambda rule: rule.value
)
def test_a_rule_has_a_sentence_an_example_a_reason_and_a_repair(rule: Rule) -> None:
    text = explanation(rule)
    first = text.split("\n\n")[0]
    assert first.endswith(".")
    assert re.search(r"^    \S|^```", text, re.MULTILINE), "an example"
    assert "Why: " in text
    assert re.search(r"Repair: ", text)
    assert _CODE.fullmatch(rule.value)


def test_no_two_rules_have_the_same_code() -> None:
    counted = Counter(rule.value for rules in RULES for rule in rules)
    assert [code for code, number in counted.items() if number > 1] == []
