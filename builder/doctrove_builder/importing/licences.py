"""The licence of a source: its text, and the SPDX expression where the text is a well-known one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from doctrove_builder.importing.errors import FileRefused

if TYPE_CHECKING:
    from doctrove_builder.importing.source_tree import SourceTree

MAX_BYTES = 256 * 1024
MAX_FILES = 8

_NAME = re.compile(
    r"(?:.+/)?(?:licen[cs]e|copying|notice|unlicense)(?:[-_.][\w.-]+)?", re.IGNORECASE
)
_KNOWN = (
    ("Apache-2.0", r"Apache License\s+Version 2\.0"),
    ("MPL-2.0", r"Mozilla Public License,? Version 2\.0"),
    ("AGPL-3.0-only", r"GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3"),
    ("LGPL-3.0-only", r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3"),
    ("GPL-3.0-only", r"GNU GENERAL PUBLIC LICENSE\s+Version 3"),
    ("GPL-2.0-only", r"GNU GENERAL PUBLIC LICENSE\s+Version 2"),
    ("MIT", r"Permission is hereby granted, free of charge, to any person obtaining a copy"),
    ("BSD-3-Clause", r"Redistribution and use in source and binary forms.*Neither the name"),
    ("BSD-2-Clause", r"Redistribution and use in source and binary forms"),
    ("ISC", r"Permission to use, copy, modify,? and/?o?r? ?distribute this software"),
    ("Unlicense", r"This is free and unencumbered software released into the public domain"),
    ("CC-BY-4.0", r"Creative Commons Attribution 4\.0"),
    ("CC0-1.0", r"CC0 1\.0 Universal"),
)


class Licences(NamedTuple):
    """The licence files at the top of a source."""

    texts: dict[str, str]
    """By file name."""

    expression: str
    """SPDX, of the first text that is known; empty when none is."""


def find_licences(tree: SourceTree) -> Licences:
    """Read the licence files at the top of a source, and those of a wheel's metadata."""
    texts: dict[str, str] = {}
    for path in tree.paths:
        folder, _, name = path.rpartition("/")
        at_top = not folder or ".dist-info" in folder or folder.upper() == "LICENSES"
        if not at_top or not _NAME.fullmatch(name) or len(texts) >= MAX_FILES:
            continue
        if name.lower().endswith((".py", ".js", ".ts", ".json", ".yml", ".yaml")):
            continue
        try:
            texts[path.replace("/", "-")] = tree.read_text(path, limit=MAX_BYTES)
        except FileRefused:
            continue
    known = (spdx_of(text) for text in texts.values())
    return Licences(texts, next((name for name in known if name), ""))


def licence_expression(text: str) -> str:
    """Return an SPDX expression as SPDX writes it; empty for another text."""
    try:
        return canonicalize_license_expression(text)
    except InvalidLicenseExpression:
        return ""


def spdx_of(text: str) -> str:
    """Return the SPDX identifier of a well-known licence's text; empty for another."""
    plain = " ".join(text.split())
    return next(
        (name for name, said in _KNOWN if re.search(said, plain, re.IGNORECASE | re.DOTALL)), ""
    )
