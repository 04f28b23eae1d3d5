"""The JSON Schemas (2020-12) of everything that authors write, as text; validates nothing."""

from __future__ import annotations

from importlib.resources import files

NAMES = tuple(
    sorted(
        entry.name.removesuffix(".schema.json")
        for entry in files(__name__).iterdir()
        if entry.name.endswith(".schema.json")
    )
)
"""Names that `schema_text` knows, for instance `library`."""


def schema_text(name: str) -> str:
    """Return the text of one schema; raises `KeyError` for a name that is not in `NAMES`."""
    if name not in NAMES:
        raise KeyError(name)
    return files(__name__).joinpath(f"{name}.schema.json").read_text("utf-8")
