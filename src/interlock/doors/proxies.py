"""Behind a proxy: who is really calling, by which name and scheme, as the proxies we know tell it.

Only a connection from an address that is set is believed; from everybody else these headers are
what they are, text that anybody can write.
"""

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from starlette.types import ASGIApp, Receive, Scope, Send

FOR, PROTO, HOST = b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host"
SCHEMES = ("http", "https")


class Proxies:
    """Wraps the whole application."""

    def __init__(self, app: ASGIApp, known: str) -> None:
        """Take the addresses and networks of our proxies, with commas between."""
        self._app = app
        self._known = [ip_network(one) for one in known.split(",") if one]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Write into a request what a proxy of ours tells about it."""
        if scope["type"] == "http" and self._is_ours((scope.get("client") or ("",))[0]):
            scope = self._told(scope)
        await self._app(scope, receive, send)

    def _told(self, scope: Scope) -> Scope:
        told = dict(scope)
        if callers := _listed(scope, FOR):
            told["client"] = (self._caller(callers), 0)
        if (schemes := _listed(scope, PROTO)) and schemes[-1] in SCHEMES:
            told["scheme"] = schemes[-1]
        if hosts := _listed(scope, HOST):
            rest = [(name, value) for name, value in scope["headers"] if name != b"host"]
            told["headers"] = [(b"host", hosts[-1].encode("latin-1")), *rest]
        return told

    def _caller(self, callers: list[str]) -> str:
        """Return the last one that is no proxy of ours: what stands before it, it has written."""
        for caller in reversed(callers):
            if not self._is_ours(caller):
                return caller
        return callers[0]

    def _is_ours(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        found = getattr(found, "ipv4_mapped", None) or found
        return any(_holds(network, str(found)) for network in self._known)


def _holds(network: IPv4Network | IPv6Network, address: str) -> bool:
    found = ip_address(address)
    return found.version == network.version and found in network


def _listed(scope: Scope, wanted: bytes) -> list[str]:
    """Return what a header lists, over all the times it is there."""
    joined = b",".join(value for name, value in scope["headers"] if name == wanted)
    return [one.strip() for one in joined.decode("latin-1").split(",") if one.strip()]
