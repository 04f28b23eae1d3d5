"""library.yaml of an imported library: written once, then kept fitting for further versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.authoring import parse_mapping
from doctrove_builder.importing.materialise import library_yaml, quoted
from doctrove_schema.versions import Scheme, is_version, ordered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_OF_VERSIONS = ("version_scheme", "versions")


def scheme_of(versions: Sequence[str], known: str = "") -> str:
    """Return the scheme that all versions follow; `known` wins where they do."""
    schemes = [Scheme.SEMVER, Scheme.PEP440]
    if known in {"semver", "pep440"}:
        schemes.insert(0, Scheme(known))
    fitting = (s.value for s in schemes if all(is_version(v, s) for v in versions))
    return next(fitting, Scheme.LABEL.value)


def new_library_yaml(library: str, versions: Sequence[str], known: Mapping[str, str]) -> str:
    """Return the library.yaml of a library that has none; `known` is what the source knows.

    `versions` are all that it has, newest first.
    """
    keys = dict(known)
    scheme = scheme_of(versions, keys.pop("version_scheme", ""))
    return _written(library_yaml(library, keys), scheme, versions)


def with_version(text: str, version: str, present: Sequence[str]) -> str:
    """Return a library.yaml that takes a further version; one that a person wrote as it is.

    `present` are the versions that have a folder. A version that the scheme cannot order is listed
    first: it was imported last.
    """
    settings, _ = parse_mapping(text, source="library.yaml", schema="library")
    if settings is None:
        return text
    listed = [label for label, _ in settings.texts("versions")]
    scheme = settings.text("version_scheme") or Scheme.SEMVER.value
    if scheme not in {one.value for one in Scheme} or version in listed:
        return text
    if scheme != Scheme.LABEL.value and is_version(version, Scheme(scheme)):
        return text
    keys = {name: settings.text(name) for name in settings.entries if name not in _OF_VERSIONS}
    head = "".join(f"{key}: {quoted(value)}\n" for key, value in keys.items())
    if text != _written(head, scheme, listed):
        return text
    others = listed or ordered([one for one in present if one != version], Scheme(scheme))
    versions = [version, *others]
    is_label = scheme == Scheme.LABEL.value
    return _written(head, scheme if is_label else scheme_of(versions, scheme), versions)


def _written(head: str, scheme: str, versions: Sequence[str]) -> str:
    if scheme == Scheme.SEMVER.value:
        return head
    listed = ""
    if scheme == Scheme.LABEL.value:
        listed = "versions:\n" + "".join(f"  - {quoted(version)}\n" for version in versions)
    return f"{head}version_scheme: {scheme}\n{listed}"
