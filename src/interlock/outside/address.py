"""Where we connect to for others: no address of this machine or its network, unless allowed.

A name is resolved, what it stands for is checked, and what was checked is connected to: a name
that means something else a moment later leads nowhere else.
"""

import asyncio
import ipaddress
import socket
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from interlock.errors import InterlockError

URL_MAX: Final = 2_000
PORTS: Final = {"https": 443, "http": 80}
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class AddressRefused(InterlockError):
    """An address of others leads to where we do not go for them."""

    code = "ADDRESS_REFUSED"
    http = 422


class Target(NamedTuple):
    """Where to connect to, and what to say there."""

    url: str
    host: str
    header: str


def check_url(url: str) -> None:
    """Raise for an address that could never be sent to; nothing is resolved."""
    if len(url) > URL_MAX or not url.isascii() or not url.isprintable() or " " in url:
        raise AddressRefused("This is no address.", fix="Write it like https://example.org/hook.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as exc:
        raise AddressRefused("This is no address.", fix="Write it correctly.") from exc
    if parts.scheme not in PORTS or not parts.hostname or port == 0:
        raise AddressRefused("Only https addresses are sent to.", fix="Write https://, and a host.")
    if "@" in parts.netloc or parts.fragment:
        message = "An address holds no password and no fragment."
        raise AddressRefused(message, fix="Check the signature instead of a password.")


async def resolve(url: str, *, is_private_allowed: bool) -> Target:
    """Return where to connect to; raises unless every address that the name has may be sent to."""
    check_url(url)
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or PORTS[parts.scheme]
    found = await _addresses(host, port)
    for address in found:
        _check(address, parts.scheme, is_private_allowed=is_private_allowed)
    first = found[0]
    place = f"[{first}]" if first.version == 6 else str(first)  # noqa: PLR2004  the version's name
    path = parts.path or "/"
    query = f"?{parts.query}" if parts.query else ""
    return Target(f"{parts.scheme}://{place}:{port}{path}{query}", host, parts.netloc)


async def _addresses(host: str, port: int) -> list[Address]:
    loop = asyncio.get_running_loop()
    try:
        rows = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        found = [ipaddress.ip_address(str(row[4][0]).partition("%")[0]) for row in rows]
    except (OSError, ValueError, UnicodeError) as exc:
        message = "The host of this address is not known."
        raise AddressRefused(message, fix="Check its name.") from exc
    if not found:
        raise AddressRefused("The host of this address is not known.", fix="Check its name.")
    return found


def _check(address: Address, scheme: str, *, is_private_allowed: bool) -> None:
    plain = _plain(address)
    if not plain.is_global and not is_private_allowed:
        message = "This address lies on this machine or in a network of its own."
        fix = "Use a public one, or let the operator set INTERLOCK_WEBHOOKS_PRIVATE=true."
        raise AddressRefused(message, fix=fix)
    if plain.is_multicast or plain.is_unspecified:
        raise AddressRefused("Nobody in particular is there.", fix="Use the address of a host.")
    if scheme != "https" and not plain.is_loopback:
        raise AddressRefused("Only https addresses are sent to.", fix="Write https://.")


def _plain(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 one stands for, where it does."""
    if isinstance(address, ipaddress.IPv6Address):
        teredo = address.teredo
        inner = address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)
        if inner is None and address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return inner or address
    return address


NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
