"""Read an index: the rules of `doctrove-index@1` strictly, everything else tolerantly.

The rules here are the authority on what a valid index is; `schemas/index.schema.json` documents
them. A breach refuses the index as a whole. Beyond the rules an odd value is dropped with a
warning, so that one publisher's slip does not take the good sections down.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from doctrove_schema.errors import InvalidIndex
from doctrove_schema.fields import Fields, Notes, is_list, is_object, is_texts, kind, shown
from doctrove_schema.model import FORMAT, Entry, Include, Index, Origin, Section, Volume
from doctrove_schema.sections import complete_ids

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMES = ("semver", "pep440", "label")


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """An index and what was odd in it."""

    index: Index
    warnings: tuple[str, ...] = ()


def read_index(data: bytes, *, name: str) -> Reading:
    """Read JSON bytes (UTF-8, a BOM is skipped); `name` says in messages which index it is.

    Raises `InvalidIndex` with every fault and its place, for instance
    `entries[3].volumes["5.1.0"].sections[2] is not an object`.
    """
    notes = Notes()
    try:
        document: object = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidIndex(name, [f"it is not valid JSON: {error}"]) from None
    except RecursionError:
        raise InvalidIndex(name, ["it is nested too deeply"]) from None
    index = _index(document, notes)
    if notes.faults:
        raise InvalidIndex(name, notes.listed(notes.faults))
    return Reading(index=index, warnings=notes.listed(notes.warnings))


def _index(document: object, notes: Notes) -> Index:
    if not is_object(document):
        notes.fault(f"the top level is {kind(document)}, not an object")
        return Index(entries=())
    if document.get("format") != FORMAT:
        notes.fault(f"format is {shown(document.get('format'))}, not {FORMAT!r}")
    entries = document.get("entries")
    if not is_list(entries):
        notes.fault(f"entries is {kind(entries)}, not an array")
        return Index(entries=())
    fields = Fields(document, "index", notes)
    first: dict[str, int] = {}
    read = [_entry(entry, f"entries[{n}]", notes) for n, entry in enumerate(entries)]
    for number, entry in enumerate(read):
        if entry and first.setdefault(entry.id, number) != number:
            notes.fault(
                f"entries[{number}].id {shown(entry.id)} is that of entries[{first[entry.id]}] too"
            )
    return Index(
        updated_at=fields.text("updatedAt"),
        generator=fields.text("generator"),
        tokens_by=fields.text("tokensBy"),
        entries=tuple(entry for entry in read if entry),
    )


def _entry(entry: object, place: str, notes: Notes) -> Entry | None:
    if not is_object(entry):
        notes.fault(f"{place} is {kind(entry)}, not an object")
        return None
    for key in ("id", "name"):
        value = entry.get(key)
        if not isinstance(value, str) or not value.strip():
            notes.fault(f"{place}.{key} is {shown(value)}, not a non-empty string")
    if "aliases" in entry and not is_texts(entry["aliases"]):
        notes.fault(f"{place}.aliases is not an array of strings")
    versions = _versions(entry, place, notes)
    volumes = _volumes(entry, versions, place, notes)
    if notes.faults:
        # The index is refused; reading goes on only to name the other faults.
        known = entry.get("id")
        name = known if isinstance(known, str) and known.strip() else place
        return Entry(id=name, name=name, versions=(), volumes={})
    fields = Fields(entry, place, notes)
    return Entry(
        id=entry["id"],
        name=entry["name"],
        summary=fields.text("summary"),
        aliases=_aliases(entry, place, notes),
        homepage=fields.text("homepage"),
        popularity=fields.number("popularity"),
        license=fields.text("license"),
        version_scheme=_scheme(fields.text("versionScheme"), place, notes),
        superseded_by=fields.text("supersededBy"),
        versions=versions,
        volumes=volumes,
    )


def _aliases(entry: Mapping[str, Any], place: str, notes: Notes) -> tuple[str, ...]:
    aliases: list[str] = entry.get("aliases", [])
    if any(not alias.strip() for alias in aliases):
        notes.warn(f"{place}.aliases holds an empty alias; it is ignored")
    return tuple(alias for alias in aliases if alias.strip())


def _scheme(scheme: str, place: str, notes: Notes) -> str:
    if scheme and scheme not in SCHEMES:
        known = ", ".join(SCHEMES)
        notes.warn(f"{place}.versionScheme is {shown(scheme)}, not one of {known}; it is ignored")
        return ""
    return scheme


def _versions(entry: Mapping[str, Any], place: str, notes: Notes) -> tuple[str, ...]:
    versions = entry.get("versions")
    if not is_list(versions) or not versions:
        notes.fault(f"{place}.versions is {kind(versions)}, not a non-empty array")
        return ()
    for number, version in enumerate(versions):
        if not isinstance(version, str) or not version.strip():
            at = f"{place}.versions[{number}]"
            notes.fault(f"{at} is {shown(version)}, not a non-empty string")
    texts = [version for version in versions if isinstance(version, str)]
    unique = tuple(dict.fromkeys(texts))
    if len(unique) < len(texts):
        notes.warn(f"{place}.versions names a version twice; the first counts")
    return unique


def _volumes(
    entry: Mapping[str, Any], versions: tuple[str, ...], place: str, notes: Notes
) -> dict[str, Volume]:
    volumes = entry.get("volumes")
    if not is_object(volumes):
        notes.fault(f"{place}.volumes is {kind(volumes)}, not an object")
        return {}
    read: dict[str, Volume] = {}
    for version in versions:
        at = f"{place}.volumes[{json.dumps(version, ensure_ascii=False)}]"
        if version in volumes:
            read[version] = _volume(volumes[version], at, notes)
        else:
            notes.fault(f"{at} is missing, though versions lists it")
    for version in volumes:
        if version not in read:
            notes.warn(f"{place}.volumes holds {shown(version)}, which versions does not list")
    return read


def _volume(volume: object, place: str, notes: Notes) -> Volume:
    sections = volume.get("sections") if is_object(volume) else None
    if not is_object(volume):
        notes.fault(f"{place} is {kind(volume)}, not an object")
    elif not is_list(sections):
        notes.fault(f"{place}.sections is {kind(sections)}, not an array")
    if not is_object(volume) or not is_list(sections):
        return Volume(sections=())
    read = [_section(s, f"{place}.sections[{n}]", notes) for n, s in enumerate(sections)]
    ids = tuple(complete_ids((s.id, s.page, s.heading) for s in read))
    for number, (section, final) in enumerate(zip(read, ids, strict=True)):
        if section.id and section.id != final:
            notes.warn(f"{place}.sections[{number}].id {shown(section.id)} stands there twice")
    fields = Fields(volume, place, notes)
    return Volume(
        summary=fields.text("summary"),
        released=fields.text("released"),
        sections=tuple(
            section if section.id == final else msgspec.structs.replace(section, id=final)
            for section, final in zip(read, ids, strict=True)
        ),
    )


def _section(section: object, place: str, notes: Notes) -> Section:
    if not is_object(section):
        notes.fault(f"{place} is {kind(section)}, not an object")
        return Section(heading="", body="")
    for key in ("heading", "body"):
        if key not in section:
            notes.warn(f"{place}.{key} is missing; it is read as empty")
    fields = Fields(section, place, notes)
    return Section(
        id=fields.text("id"),
        heading=fields.text("heading"),
        path=fields.text("path"),
        body=fields.text("body"),
        page=fields.text("page"),
        trail=fields.texts("trail"),
        symbols=fields.texts("symbols"),
        since=fields.text("since"),
        tokens=fields.count("tokens"),
        sha256=fields.text("sha256"),
        source=_origin(fields.inner("source"), f"{place}.source", notes),
        summary=fields.text("summary"),
        summary_by=fields.text("summaryBy"),
    )


def _origin(origin: Mapping[str, Any] | None, place: str, notes: Notes) -> Origin | None:
    if origin is None:
        return None
    fields = Fields(origin, place, notes)
    return Origin(
        file=fields.text("file"),
        lines=fields.lines("lines"),
        sha256=fields.text("sha256"),
        includes=tuple(
            Include(
                file=inner.text("file"), lines=inner.lines("lines"), sha256=inner.text("sha256")
            )
            for inner in (Fields(item, at, notes) for item, at in fields.objects("includes"))
        ),
        repository=fields.text("repository"),
        commit=fields.text("commit"),
    )
