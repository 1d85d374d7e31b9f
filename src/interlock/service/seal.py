"""Places in the feed as others see them: sealed.

The number behind a place grows with everything that anybody writes, so it would tell one tenant
how busy the others are. Sealed with a key of the tenant it tells nothing, and still leads back.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha512

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from interlock.service.engine import Engine
from interlock.service.errors import InvalidInput


class Seal:
    """Seals places for one tenant; the same place looks the same every time."""

    def __init__(self, key: str) -> None:
        """Take a key that nobody is shown; what it is also used for, it is used for apart."""
        self._cipher = AESSIV(sha512(b"feed:" + key.encode()).digest())
        self.name = sha512(b"name:" + key.encode()).digest()
        """What two seals share that seal alike, and nothing else."""

    def close(self, place: str) -> str:
        """Return a place as it is told."""
        # Nothing is sealed of an empty text, so a letter stands before each.
        sealed = self._cipher.encrypt(b"@" + place.encode(), None)
        return urlsafe_b64encode(sealed).decode().rstrip("=")

    def open(self, told: str) -> str:
        """Return a place that was told; raises ``InvalidInput`` for anything else."""
        try:
            sealed = urlsafe_b64decode(told.encode("ascii") + b"=" * (-len(told) % 4))
            return self._cipher.decrypt(sealed, None)[1:].decode()
        except (ValueError, InvalidTag) as exc:
            message = "This is no place in the stream, or none that is known any more."
            fix = "Begin anew: leave Last-Event-ID or after out, or ask from=start for everything."
            raise InvalidInput(message, fix=fix) from exc


async def seal_of(engine: Engine, tenant: str) -> Seal:
    """Return who seals for a tenant; the key is made when it is first needed."""
    key = await engine.store.hooks.link_key(tenant, engine.clock.secret(), engine.store.now())
    return Seal(key)
