"""Which network addresses are private: one's own machine, house or company; pure."""

from __future__ import annotations

import ipaddress
from typing import TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_PRIVATE_4 = (
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
    *("172.16.0.0/12", "192.0.0.0/24", "192.88.99.0/24", "192.168.0.0/16"),
    *("198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4"),
)
_PRIVATE_6 = (
    *("::/127", "64:ff9b:1::/48", "100::/64", "2001:2::/48", "2001:10::/28"),
    *("5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"),
)
_PRIVATE = tuple(ipaddress.ip_network(text) for text in (*_PRIVATE_4, *_PRIVATE_6))
"""What may be a machine of one's own (IANA special-purpose registries, RFC 6890).

The networks of examples in documentation are nobody's, and not among them.
"""

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_COMPATIBLE = ipaddress.IPv6Network("::/96")


def is_private(text: str) -> bool:
    """Say whether an address is private, also an IPv6 address that leads to such an IPv4 one."""
    address = ipaddress.ip_address(text)
    return any(
        one.version == network.version and one in network
        for one in (address, *_inner(address))
        for network in _PRIVATE
    )


def _inner(address: Address) -> tuple[Address, ...]:
    """Return the IPv4 addresses that an IPv6 address carries: where it leads in the end."""
    if not isinstance(address, ipaddress.IPv6Address):
        return ()
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64 or address in _COMPATIBLE:  # RFC 6052; RFC 4291, section 2.5.5.1
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return tuple(one for one in found if one is not None)
