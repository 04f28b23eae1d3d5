"""The size of a picture in pixels, read from the beginning of its file; nothing is decoded.

PNG, JPEG, GIF, WebP, SVG and AVIF. What is not plain to see is not guessed: then a page gives the
picture no size.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = 1 << 16
"""So many bytes of a file are looked at."""

MOST = 65_535
"""Pixels on a side; what claims more has no size."""

Size = tuple[int, int]
"""Width and height."""

_LYING = range(5, 9)
"""Orientations of EXIF that exchange width and height (EXIF 2.32, tag 0x0112)."""

_PIXELS = re.compile(r"\s*(\d{1,5}(?:\.\d{0,9})?)(?:px)?\s*")
_SVG = re.compile(r"(?>(?:<\?xml.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*>|\s)*)<svg(\s[^>]*)>", re.DOTALL)
_ATTRIBUTE = re.compile(r"\s(width|height|viewBox)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


def picture_size(head: bytes) -> Size | None:
    """Return the size of a picture from the first `HEAD` bytes of its file, where it is known."""
    for signature, read in _READERS.items():
        if re.match(signature, head, re.DOTALL):
            try:
                size = read(head[:HEAD])
            except (struct.error, IndexError):  # It ends too early.
                return None
            return size if size and all(0 < side <= MOST for side in size) else None
    return None


def _png(head: bytes) -> Size:
    """PNG (third edition), 11.2.1: the first chunk is IHDR, which begins with the size."""
    return struct.unpack_from(">II", head, 16)


def _gif(head: bytes) -> Size:
    """GIF89a, section 18: the logical screen follows the signature."""
    return struct.unpack_from("<HH", head, 6)


def _jpeg(head: bytes) -> Size | None:
    """ITU-T T.81, B.2.2: the first frame header (SOF) has the size; EXIF may turn the picture."""
    at, lies = 2, False
    while head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        (length,) = struct.unpack_from(">H", head, at + 2)
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack_from(">HH", head, at + 5)
            return (height, width) if lies else (width, height)
        if marker == 0xE1 and head.startswith(b"Exif\0\0", at + 4):
            lies = _orientation(head[at + 10 : at + 2 + length]) in _LYING
        at += 2 + length
    return None


def _orientation(tiff: bytes) -> int:
    """TIFF 6.0, section 2: the entry of tag 0x0112 in the first directory, else 1."""
    order = "<" if tiff.startswith(b"II") else ">"
    (start,) = struct.unpack_from(f"{order}I", tiff, 4)
    (count,) = struct.unpack_from(f"{order}H", tiff, start)
    for number in range(min(count, 200)):
        tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, start + 2 + 12 * number)
        if tag == 0x0112:
            return int(value)
    return 1


def _webp(head: bytes) -> Size | None:
    """RFC 9649, sections 2.5 to 2.7, by the first chunk: lossy, lossless, extended."""
    kind = head[12:16]
    if kind == b"VP8 " and head[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", head, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L" and head[20] == 0x2F:
        (bits,) = struct.unpack_from("<I", head, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        low_width, high_width, low_height, high_height = struct.unpack_from("<HBHB", head, 24)
        return (high_width << 16 | low_width) + 1, (high_height << 16 | low_height) + 1
    return None


def _avif(head: bytes) -> Size | None:
    """ISO/IEC 23008-12, 6.5.3 (`ispe`): where there is one size, and nothing is turned or cut."""
    sizes = {struct.unpack_from(">II", head, at.end() + 4) for at in re.finditer(b"ispe", head)}
    if len(sizes) != 1 or b"irot" in head or b"clap" in head:
        return None
    return sizes.pop()


def _svg(head: bytes) -> Size | None:
    """SVG 2, section 8.2: width and height in pixels, or neither of them and a view box."""
    root = _SVG.match(head.decode("utf-8", "replace").removeprefix("\ufeff"))
    found = {name: one or other for name, one, other in _ATTRIBUTE.findall(root[1] if root else "")}
    if "width" in found or "height" in found:
        sides = [found.get("width", ""), found.get("height", "")]
    else:
        sides = re.split(r"[\s,]+", found.get("viewBox", "").strip())[2:]
    read = [_PIXELS.fullmatch(side) for side in sides]
    if len(read) != 2 or not read[0] or not read[1]:
        return None
    return round(float(read[0][1])), round(float(read[1][1]))


_READERS: dict[bytes, Callable[[bytes], Size | None]] = {
    rb"\x89PNG\r\n\x1a\n.{4}IHDR": _png,
    rb"GIF8[79]a": _gif,
    rb"\xff\xd8\xff": _jpeg,
    rb"RIFF.{4}WEBP": _webp,
    rb".{4}ftypavi[fs]": _avif,
    rb"(?:\xef\xbb\xbf)?\s*<": _svg,
}
"""By how a file begins."""
