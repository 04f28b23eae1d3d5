"""Files that are copied as they are: hashed for their published names, and SVG made sure of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.assemble.pictures import HEAD, picture_size
from doctrove_builder.assemble.rules import AssembleRule
from doctrove_builder.authoring.quoting import shown
from doctrove_builder.layout import asset_file
from doctrove_builder.memory import ANEW
from doctrove_builder.writing import Artefact
from doctrove_builder.writing.files import digest_file, read_head
from doctrove_schema.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from doctrove_builder.memory import Apply
    from doctrove_builder.model import Asset, Tree

_PICTURES = (".avif", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp")
_ACTIVE = re.compile(
    rb"<\s*(script|foreignObject|iframe|embed|object|handler)\b|\bon[a-z]+\s*=|javascript\s*:"
    rb"|<!ENTITY|<\?xml-stylesheet|\b(xlink:)?href\s*=\s*[\"']?\s*(data|https?)\s*:",
    re.IGNORECASE,
)


def hash_assets(tree: Tree, *, digest: Callable[[str], str] = digest_file) -> dict[str, str]:
    """Return the published file of every asset by its path in the tree. Reads the files."""
    return {path: asset_file(path, digest(str(asset.file))) for path, asset in tree.assets.items()}


def measure_pictures(
    tree: Tree, published: Mapping[str, str], *, apply: Apply = ANEW
) -> dict[str, str]:
    """Return the sizes of pictures by their path in the tree, as `640x480`. Reads the files.

    With a memory a file is read again when its published name, which holds its hash, is another.
    """
    sizes = {
        path: apply(_size, str(asset.file), published[path])
        for path, asset in tree.assets.items()
        if path.lower().endswith(_PICTURES)
    }
    return {path: size for path, size in sizes.items() if size}


def _size(file: str, published: str) -> str:
    del published
    size = picture_size(read_head(file, HEAD))
    return f"{size[0]}x{size[1]}" if size else ""


def svg_problems(assets: Iterable[Asset]) -> Iterator[Problem]:
    """Yield a problem for each SVG that could run a script or load something. Reads the files."""
    for asset in assets:
        if not asset.path.lower().endswith((".svg", ".svgz")):
            continue
        content = asset.file.read_bytes()
        found = _ACTIVE.search(content)
        if found or asset.path.lower().endswith(".svgz"):
            what = found.group().decode("utf-8", "replace").strip() if found else "compressed data"
            line = content.count(b"\n", 0, found.start()) + 1 if found else None
            yield Problem(
                rule=AssembleRule.UNSAFE_SVG,
                source=asset.path,
                line=line,
                message=f"the picture holds {shown(what)}, which a browser may run or load",
                hint="export it as plain SVG without scripts and links, or use PNG",
            )


def asset_artefacts(
    tree: Tree, shown: Iterable[str], published: Mapping[str, str]
) -> Iterator[Artefact]:
    """Yield the files that pages show or link to; those of equal name and content are one."""
    files = {published[path]: tree.assets[path].file for path in sorted(shown)}
    for name, file in files.items():
        yield Artefact(path=name, content=file)
