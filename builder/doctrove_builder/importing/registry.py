"""Package registries: which archive holds a package at a version, by PyPI's and npm's own APIs.

PyPI: the JSON form of the Simple API (PEP 691). npm: the document of one version
(`/NAME/VERSION`). A downloaded archive is checked against the hash that the registry names.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote, urljoin

import msgspec
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version

from doctrove_builder.importing.errors import DownloadFailed, NotThere, SourceRefused
from doctrove_builder.importing.receiving import shown
from doctrove_builder.importing.source_tree import MIB
from doctrove_schema.versions import Scheme
from doctrove_schema.versions.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from doctrove_builder.importing.fetching import Network

PYPI_INDEX = "https://pypi.org/simple/"
PYPI_HOSTS = ("pypi.org", "files.pythonhosted.org")
NPM_REGISTRY = "https://registry.npmjs.org/"
NPM_HOSTS = ("registry.npmjs.org",)
MAX_LISTING = 64 * MIB

_ALGORITHMS = frozenset({"sha256", "sha384", "sha512"})
_DO_NOT_USE = "it was changed or damaged, or comes from another registry; do not use it"
_Form = TypeVar("_Form")
_SIMPLE = "application/vnd.pypi.simple.v1+json"
_NPM_NAME = re.compile(r"(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*", re.IGNORECASE)
_NPM_VERSION = re.compile(r"[0-9A-Za-z.+-]+")


_NPM_LISTING = "application/vnd.npm.install-v1+json"
"""The short form of a package's document."""


class Registries(msgspec.Struct, frozen=True, kw_only=True):
    """The registries that packages come from."""

    pypi: str = PYPI_INDEX
    npm: str = NPM_REGISTRY

    @property
    def own(self) -> tuple[str, ...]:
        """Those that the user named in the place of the public ones."""
        named = ((self.pypi, PYPI_INDEX), (self.npm, NPM_REGISTRY))
        return tuple(url for url, public in named if url != public)


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """One archive of a package, as a registry names it."""

    url: str
    name: str
    """File name."""

    integrity: str = ""
    """`sha256-HEX` or, as npm writes it, `sha512-BASE64`; empty when the registry names none."""

    license: str = ""


class _PypiFile(msgspec.Struct):
    filename: str
    url: str
    hashes: dict[str, str] = {}


class _PypiListing(msgspec.Struct):
    files: list[_PypiFile] = []


class _NpmDist(msgspec.Struct):
    tarball: str
    integrity: str = ""
    shasum: str = ""


class _NpmVersion(msgspec.Struct):
    dist: _NpmDist
    license: object = None


class _NpmPackage(msgspec.Struct):
    versions: dict[str, object] = {}


def registries_from(environ: Mapping[str, str]) -> Registries:
    """Return the registries that `DOCTROVE_PYPI_INDEX` and `DOCTROVE_NPM_REGISTRY` name."""
    return Registries(
        pypi=environ.get("DOCTROVE_PYPI_INDEX", "") or PYPI_INDEX,
        npm=environ.get("DOCTROVE_NPM_REGISTRY", "") or NPM_REGISTRY,
    )


def find_pypi(
    name: str,
    version: str,
    *,
    network: Network,
    index: str = PYPI_INDEX,
    hashes: Sequence[str] = (),
) -> Archive:
    """Return a release's archive: its sdist, which holds the docs, else a wheel.

    Where `hashes` (`sha256-HEX`) name some archives of the release, it is one of these.
    """
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", name):
        raise SourceRefused(f"{name!r} is not the name of a Python package")
    wanted = _version(version)
    url = urljoin(_folder(index), f"{canonicalize_name(name)}/")
    try:
        listed = network.get(url, accept=_SIMPLE, limit=MAX_LISTING)
    except NotThere as error:
        raise DownloadFailed(f"{name} is not in the registry") from error
    listing = _decoded(listed, _PypiListing, url=url)
    found = [(file, parsed) for file in listing.files if (parsed := _parsed(file.filename))]
    fitting = [file for file, there in found if there == wanted]
    if not fitting:
        raise _no_version(name, version, (str(v) for _, v in found), Scheme.PEP440)
    chosen = min(fitting, key=lambda file: _preference(file, hashes))
    digest = chosen.hashes.get("sha256", "")
    return Archive(
        url=urljoin(url, chosen.url).partition("#")[0],
        name=chosen.filename,
        integrity=f"sha256-{digest}" if digest else "",
    )


def find_npm(name: str, version: str, *, network: Network, registry: str = NPM_REGISTRY) -> Archive:
    """Return the tarball of a package's version."""
    if not _NPM_NAME.fullmatch(name) or not _NPM_VERSION.fullmatch(version):
        raise SourceRefused(f"{name}@{version} is not a package and version of npm")
    url = urljoin(_folder(registry), f"{quote(name, safe='@')}/{quote(version, safe='')}")
    try:
        described = network.get(url, accept="application/json", limit=MAX_LISTING)
    except NotThere as error:
        known = _npm_versions(name, network=network, registry=registry)
        raise _no_version(name, version, known, Scheme.SEMVER) from error
    found = _decoded(described, _NpmVersion, url=url)
    dist = found.dist
    integrity = dist.integrity.split()[0] if dist.integrity.strip() else ""
    if not integrity and dist.shasum:
        raise DownloadFailed(f"{name}@{version} has no sha256 or sha512 to be checked by")
    return Archive(
        url=dist.tarball,
        name=f"{name.rpartition('/')[2]}-{version}.tgz",
        integrity=integrity,
        license=found.license if isinstance(found.license, str) else "",
    )


def _npm_versions(name: str, *, network: Network, registry: str) -> Iterable[str]:
    """Return the versions of a package; none where the registry does not have it."""
    url = urljoin(_folder(registry), quote(name, safe="@"))
    try:
        listed = network.get(url, accept=_NPM_LISTING, limit=MAX_LISTING)
    except DownloadFailed:
        return ()
    return _decoded(listed, _NpmPackage, url=url).versions


def check_integrity(data: bytes, integrity: str, *, what: str) -> None:
    """Raise `DownloadFailed` unless the data has the named hash; an empty one holds for all."""
    if not integrity:
        return
    algorithm = integrity.partition("-")[0]
    if algorithm not in _ALGORITHMS:
        raise DownloadFailed(f"{what} has a hash of the unknown sort {algorithm[:20]!r}")
    if not _has_hash(data, integrity):
        raise DownloadFailed(
            f"{what} is not what was pinned: its {algorithm} differs", hint=_DO_NOT_USE
        )


def check_locked(data: bytes, hashes: Sequence[str], *, what: str) -> None:
    """Raise `DownloadFailed` unless the data has one of a lock file's hashes that are known.

    A package of a company's own index is found so, when a public one has its name.
    """
    known = [one for one in hashes if one.partition("-")[0] in _ALGORITHMS]
    if known and not any(_has_hash(data, one) for one in known):
        raise DownloadFailed(
            f"{what} is not what the lock file pins: it has none of its hashes", hint=_DO_NOT_USE
        )


def _has_hash(data: bytes, integrity: str) -> bool:
    algorithm, _, expected = integrity.partition("-")
    digest = hashlib.new(algorithm, data)
    return expected in {digest.hexdigest(), base64.b64encode(digest.digest()).decode()}


def _parsed(filename: str) -> Version | None:
    try:
        if filename.endswith(".whl"):
            return parse_wheel_filename(filename)[1]
        return parse_sdist_filename(filename)[1]
    except (InvalidSdistFilename, InvalidWheelFilename, InvalidVersion):
        return None


def _preference(file: _PypiFile, hashes: Sequence[str]) -> tuple[bool, bool, bool, str]:
    name = file.filename
    is_other = bool(hashes) and f"sha256-{file.hashes.get('sha256', '')}" not in hashes
    return is_other, name.endswith(".whl"), "-none-any" not in name, name


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        raise SourceRefused(f"{text!r} is not a version (PEP 440)") from None


def _no_version(name: str, version: str, known: Iterable[str], scheme: Scheme) -> DownloadFailed:
    near = nearest(version, tuple(known), scheme)
    hint = f"the nearest is {near[0]}" if near else "the registry lists no archive of it"
    return DownloadFailed(f"{name} {version} is not in the registry", hint=hint)


def _decoded(data: bytes, form: type[_Form], *, url: str) -> _Form:
    try:
        return msgspec.json.decode(data, type=form)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DownloadFailed(f"{shown(url)} does not answer as a registry does") from error


def _folder(url: str) -> str:
    return url if url.endswith("/") else f"{url}/"
