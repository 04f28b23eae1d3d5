"""Which names a request may call this host by, against DNS rebinding."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache

import msgspec

_FORM = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]+)(?::(?P<port>[0-9]*))?")
_MOST_PORT = 65535


class HostCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The rule for the Host field of requests."""

    names: frozenset[str] = frozenset()
    """Names admitted besides those of the loopback, in lower case, without port."""

    every: bool = False
    """Any name is admitted."""

    addresses: bool = False
    """Any address is admitted: whoever rebinds a name cannot do without one."""

    def admits(self, host: bytes | None) -> bool:
        """Tell whether a Host field names this host; one that is absent names no other."""
        return host is None or _admits(self, host)


def host_check(address: str, allowed: tuple[str, ...] = ()) -> HostCheck:
    """Make the rule for a host that listens on an address.

    On loopback its own names and those allowed are admitted. On any other address every name is,
    unless some are allowed by name.
    """
    own = (address, f"[{address}]") if ":" in address else (address,)
    names = frozenset(name.rstrip(".").lower() for name in (*own, *allowed))
    return HostCheck(names=names, every=not is_loopback(address) and not allowed)


@lru_cache(maxsize=256)
def has_real_port(host: bytes) -> bool:
    """Tell whether the port of a Host field can be one; where there is none to read, it can."""
    found = _FORM.fullmatch(host.decode("latin-1").strip())
    digits = (found["port"] or "").lstrip("0") if found else ""
    return len(digits) <= len(str(_MOST_PORT)) and int(digits or 0) <= _MOST_PORT


def is_host_name(text: str) -> bool:
    """Tell whether a text is a host name or address as a Host field has it, without port."""
    found = _FORM.fullmatch(text)
    return found is not None and found["name"] == text


def is_loopback(name: str) -> bool:
    """Tell whether a host name or an address, in brackets or not, is the machine's own."""
    if name.rstrip(".").lower() == "localhost":
        return True
    address = _address(name)
    return address is not None and address.is_loopback


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return None


@lru_cache(maxsize=256)
def _admits(check: HostCheck, host: bytes) -> bool:
    found = _FORM.fullmatch(host.decode("latin-1").strip())
    if found is None or not has_real_port(host):
        return False
    name = found["name"].rstrip(".").lower()
    if check.every or name in check.names or is_loopback(name):
        return True
    return check.addresses and _address(name) is not None
