"""Author's text made harmless for terminals and logs: nothing moves a cursor or turns a line."""

from __future__ import annotations

import unicodedata

_JOINERS = {"\u200c", "\u200d"}
"""Part of words in many scripts, and of emoji; they change no direction and hide nothing."""

_ESCAPED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def visible(text: str) -> str:
    r"""Write controls, bidi marks, surrogates and line separators as `\x1b` or `\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(visible_character, text))


def visible_character(character: str) -> str:
    """Write one character so that it can be seen."""
    if character in _JOINERS or unicodedata.category(character) not in _ESCAPED:
        return character
    number = ord(character)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
