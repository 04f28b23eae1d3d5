"""Sizes of pictures, from headers made by hand and from files that a browser made."""

from __future__ import annotations

import base64
import re
import struct
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_builder.assemble.pictures import picture_size
from doctrove_builder.cli.build import main

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x06"


def jpeg(width: int, height: int, *, orientation: int = 0, order: str = ">") -> bytes:
    exif = b""
    if orientation:
        mark = b"MM" if order == ">" else b"II"
        tiff = mark + struct.pack(f"{order}HIH", 42, 8, 1)
        tiff += struct.pack(f"{order}HHIHH", 0x0112, 3, 1, orientation, 0)
        exif = b"\xff\xe1" + struct.pack(">H", len(tiff) + 8) + b"Exif\0\0" + tiff
    table = b"\xff\xc4" + struct.pack(">H", 5) + b"abc"
    frame = b"\xff\xff\xc2" + struct.pack(">HBHH", 17, 8, height, width)
    return b"\xff\xd8" + exif + table + frame


def webp(kind: bytes, data: bytes) -> bytes:
    return b"RIFF\0\0\0\0WEBP" + kind + b"\0\0\0\0" + data


def avif(*sizes: tuple[int, int], more: bytes = b"") -> bytes:
    boxes = (b"\0\0\0\x14ispe\0\0\0\0" + struct.pack(">II", *size) for size in sizes)
    return b"\0\0\0\x1cftypavif" + more + b"".join(boxes)


CASES = {
    "png": (png(640, 480), (640, 480)),
    "png without its first chunk": (png(640, 480)[:20], None),
    "png of nothing": (png(0, 480), None),
    "png larger than any": (png(1 << 31, 1), None),
    "gif": (b"GIF89a" + struct.pack("<HH", 32, 16), (32, 16)),
    "gif that ends": (b"GIF87a\x20", None),
    "jpeg": (jpeg(800, 600), (800, 600)),
    "jpeg that stands": (jpeg(800, 600, orientation=3), (800, 600)),
    "jpeg that lies": (jpeg(800, 600, orientation=6), (600, 800)),
    "jpeg that lies, little endian": (jpeg(800, 600, orientation=8, order="<"), (600, 800)),
    "jpeg that ends": (jpeg(800, 600)[:-6], None),
    "jpeg of something else": (b"\xff\xd8\xff\xe0\0\x04ab..", None),
    "webp, lossy": (
        webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 4096 | 300, 200)),
        ((4096 | 300), 200),
    ),
    "webp, lossless": (webp(b"VP8L", b"\x2f" + struct.pack("<I", 299 | 199 << 14)), (300, 200)),
    "webp, extended": (webp(b"VP8X", b"\0\0\0\0\x2b\x01\0\xc7\0\0"), (300, 200)),
    "webp of a kind nobody knows": (webp(b"VP9 ", b"\0" * 20), None),
    "avif": (avif((300, 200)), (300, 200)),
    "avif with a smaller picture in it": (avif((300, 200), (150, 100)), None),
    "avif that is turned": (avif((300, 200), more=b"irot"), None),
    "svg": (b'<svg width="24px" height="12.6" viewBox="0 0 1 1">', (24, 13)),
    "svg with a view box alone": (b"<svg xmlns='x' viewBox='0,0 48 24'>", (48, 24)),
    "svg behind much": (
        b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <svg width='1' height='1'> -->"
        b"<!DOCTYPE svg>\n<svg\nwidth='3'\nheight='4'>",
        (3, 4),
    ),
    "svg as wide as there is room": (b'<svg width="100%" height="20">', None),
    "svg with one side": (b'<svg width="20" viewBox="0 0 2 2">', None),
    "svg without a size": (b"<svg >", None),
    "a stroke is no width": (b'<svg stroke-width="2" viewBox="0 0 5 6">', (5, 6)),
    "html": (b"<html><svg width='1' height='1'>", None),
    "nothing": (b"", None),
}


@pytest.mark.parametrize(("head", "size"), CASES.values(), ids=CASES)
def test_the_size_is_read_from_the_head(head: bytes, size: tuple[int, int] | None) -> None:
    assert picture_size(head) == size


STARTS = [head for head, _ in CASES.values()]


@given(st.sampled_from(STARTS), st.binary(max_size=60), st.integers(0, 60))
def test_nothing_that_a_file_holds_stops_a_build(start: bytes, more: bytes, cut: int) -> None:
    size = picture_size(start[:cut] + more)
    assert size is None or (0 < size[0] < 1 << 16 and 0 < size[1] < 1 << 16)


@pytest.mark.parametrize(
    "head",
    [
        b"<" + b"<!-- -->" * 8_000,
        b" " * 65_000 + b"<",
        b"\xff\xd8" + b"\xff" * 65_000,
        b"<svg " * 9,
    ],
    ids=["comments", "blanks", "fill bytes", "tags"],
)
def test_a_hostile_head_has_no_size(head: bytes) -> None:
    assert picture_size(head) is None


PICTURE = """([kind, quality]) => new Promise((done) => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [123, 45];
  canvas.getContext("2d").fillRect(3, 3, 50, 20);
  const reader = new FileReader();
  reader.onload = () => done(reader.result.split(",")[1]);
  canvas.toBlob((blob) => reader.readAsDataURL(blob), kind, quality);
})"""


@pytest.mark.parametrize(
    ("kind", "quality"), [("png", 1), ("jpeg", 0.8), ("webp", 0.8), ("webp", 1)]
)
def test_the_size_of_what_a_browser_draws_is_read(
    kind: str, quality: float, browser: Browser
) -> None:
    page = browser.new_page()
    encoded = page.evaluate(PICTURE, [f"image/{kind}", quality])
    page.close()
    assert picture_size(base64.b64decode(encoded)) == (123, 45)


def test_pages_give_pictures_their_size_and_links_to_them_none(tmp_path: Path) -> None:
    folder = tmp_path / "authoring/kit/1.0.0"
    folder.mkdir(parents=True)
    (tmp_path / "authoring/kit/library.yaml").write_text("name: Kit\n", "utf-8")
    (folder / "a.png").write_bytes(png(640, 480))
    (folder / "b.png").write_bytes(b"no picture at all")
    text = "# Page\n\n![A](a.png) ![B](b.png)\n\n[the same](a.png)\n"
    (folder / "page.md").write_text(text, "utf-8")
    options = [f"--cache={tmp_path / 'cache'}", "--quiet"]
    assert main([str(tmp_path / "authoring"), str(tmp_path / "dist"), *options]) == 0
    html = (tmp_path / "dist/kit/1.0.0/page/index.html").read_text("utf-8")
    assert re.search(r'<img src="[^" ]+\.png"[^>]* alt="A"[^>]* width="640" height="480"', html)
    assert not re.search(r'alt="B"[^>]*width', html)
    assert re.search(r'<a href="[^" %]+\.png">the same</a>', html)
