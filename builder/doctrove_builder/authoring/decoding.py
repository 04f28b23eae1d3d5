"""Bytes of a text file to a document: what is wrong is said and replaced, and reading goes on."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from doctrove_builder.authoring.fault import fault
from doctrove_builder.model import Document
from doctrove_builder.rules import BuildRule

if TYPE_CHECKING:
    from doctrove_schema.problem import Problem

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
"""Characters that no text may hold: controls but tab and line end, and other line ends."""

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def decode(data: bytes, *, path: str) -> tuple[Document, tuple[Problem, ...]]:
    """Read UTF-8: no BOM, line ends LF, Unicode form C, no controls but tab and line end."""
    problems: list[Problem] = []
    if data.startswith(_UTF16):
        text = data.decode("utf-16", errors="replace")
        problems.append(
            fault(
                BuildRule.NOT_UTF8,
                "the file is UTF-16",
                source=path,
                at=(1, 1),
                hint="save it as UTF-8",
            )
        )
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            text = data.decode("utf-8-sig", errors="replace")
            problems.append(_not_utf8(data, error, path=path))
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    if control := CONTROL.search(text):
        problems.append(_control(text, control.start(), path=path))
        text = CONTROL.sub("\ufffd", text)
    return Document(path=path, text=text), tuple(problems)


def _not_utf8(data: bytes, error: UnicodeDecodeError, *, path: str) -> Problem:
    # The codec strips a BOM before it counts.
    start = error.start + len(data) - len(error.object)
    before = data[:start].decode("utf-8-sig", errors="replace")
    before = before.replace("\r\n", "\n").replace("\r", "\n")
    byte = data[start]
    guess = bytes([byte]).decode("cp1252", errors="replace")
    meant = (
        f"; in Windows-1252 it is `{guess}`" if guess.isprintable() and guess != "\ufffd" else ""
    )
    return fault(
        BuildRule.NOT_UTF8,
        f"byte 0x{byte:02X} is not UTF-8",
        source=path,
        at=_place(before, len(before)),
        hint=f"save the file as UTF-8{meant}",
    )


def _control(text: str, index: int, *, path: str) -> Problem:
    more = len(CONTROL.findall(text)) - 1
    others = f", and {more} more of its kind in the file" if more else ""
    return fault(
        BuildRule.CONTROL_CHARACTER,
        f"the control character U+{ord(text[index]):04X} stands here{others}",
        source=path,
        at=_place(text, index),
        hint="remove it",
    )


def _place(text: str, index: int) -> tuple[int, int]:
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)
