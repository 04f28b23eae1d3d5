"""What a project's conf.py says as plain data; it is parsed, never executed."""

from __future__ import annotations

import ast
import posixpath
import re
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.restructured.session import Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.importing.source_tree import SourceTree

Plain: TypeAlias = "str | int | float | bool | list[Plain] | dict[str, Plain] | None"
"""A value that is written as data."""

MAX_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """The values of conf.py that are written as literals."""

    values: Mapping[str, Plain] = field(default_factory=dict[str, Plain])

    def text(self, name: str) -> str:
        """Return a text; empty when it is not given or is computed."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; the computed ones are left out."""
        value = self.values.get(name)
        if isinstance(value, dict):
            return tuple(value)
        if isinstance(value, list):
            return tuple(one for one in value if isinstance(one, str))
        return (value,) if isinstance(value, str) else ()

    def setting(self) -> Setting:
        """Return what the reading of reStructuredText needs of it."""
        prolog, epilog = self.text("rst_prolog"), self.text("rst_epilog")
        substitutions = "".join(
            f".. |{name}| replace:: {value}\n"
            for name in ("version", "release", "project")
            if (value := self.text(name)) and "\n" not in value
        )
        return Setting(
            default_role=self.text("default_role"),
            highlight=self.text("highlight_language") or "default",
            prolog=prolog,
            epilog="\n\n".join(("", epilog, substitutions)) if epilog or substitutions else "",
            links=self._links(),
        )

    def _links(self) -> dict[str, tuple[str, str]]:
        value = self.values.get("extlinks")
        found: dict[str, tuple[str, str]] = {}
        for name, link in value.items() if isinstance(value, dict) else ():
            parts = link if isinstance(link, list) and link else [link]
            address = parts[0]
            caption = parts[1] if len(parts) > 1 and isinstance(parts[1], str) else ""
            if isinstance(address, str) and "%s" in address:
                found[name.lower()] = (address, caption if "%s" in caption else "")
        return found


def read_configuration(tree: SourceTree, folder: str) -> Configuration:
    """Read the conf.py of a folder, or of the one above; empty where there is none."""
    for where in (folder, posixpath.join(folder, "source"), posixpath.dirname(folder)):
        path = posixpath.join(where, "conf.py")
        if path in tree:
            try:
                return Configuration(values=literals(tree.read_text(path, limit=MAX_BYTES)))
            except FileRefused:
                return Configuration()
    return Configuration()


def literals(code: str) -> dict[str, Plain]:
    """Return the names that a module assigns literals to at its top; the last assignment counts."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, Plain] = {}
    for statement in body:
        targets = statement.targets if isinstance(statement, ast.Assign) else ()
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if names and isinstance(statement, ast.Assign):
            value = _value(statement.value, found)
            found |= dict.fromkeys(names, value)
    return {name: value for name, value in found.items() if value is not None}


def _value(node: ast.expr, known: Mapping[str, Plain]) -> Plain:
    """Return a literal, or a text made of literals and names that are known; None for others."""
    if isinstance(node, ast.Dict):
        return {
            key.value: _value(value, known)
            for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(one, known) for one in node.elts]
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.JoinedStr):
        values = (one.value if isinstance(one, ast.FormattedValue) else one for one in node.values)
        texts = [text for one in values if isinstance(text := _value(one, known), str)]
        return "".join(texts) if len(texts) == len(node.values) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _value(node.left, known), _value(node.right, known)
        return left + right if isinstance(left, str) and isinstance(right, str) else None
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str | int | float) else None


def excluded(path: str, patterns: tuple[str, ...]) -> bool:
    """Say whether a document matches one of Sphinx's exclude patterns (`**` crosses folders)."""
    return any(_pattern(pattern).fullmatch(path) for pattern in patterns if len(pattern) < 200)


def _pattern(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/?|\*|\?)", pattern.strip("/"))
    made = "".join(
        {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}.get(part, re.escape(part))
        for part in parts
    )
    return re.compile(rf"{made}(?:/.*)?")
