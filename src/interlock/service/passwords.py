"""Passwords: argon2id, worked out on threads of their own so that nobody else waits for it.

Two at a time: each takes 64 MiB, and whoever sends many logins at once must not take the
memory of the machine. What is kept says by which parameters it was made.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from interlock.service.errors import InvalidInput

T = TypeVar("T")

LENGTH_MIN: Final = 10
LENGTH_MAX: Final = 200
AT_ONCE: Final = 2

_hasher: Final = PasswordHasher()
_threads: Final = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="interlock-password")


def check_password(password: str) -> None:
    """Raise unless a password is one that we take; it is never repeated."""
    if not LENGTH_MIN <= len(password) <= LENGTH_MAX or not _is_text(password):
        message = f"A password has {LENGTH_MIN} to {LENGTH_MAX} characters."
        raise InvalidInput(message, fix="Choose a longer one: a few words are easy to keep.")


async def hash_password(password: str) -> str:
    """Return what is kept of a password."""
    check_password(password)
    return await _off_the_loop(lambda: _hasher.hash(password))


async def is_password(kept: str | None, password: str) -> bool:
    """Say whether a password is the one that was kept; without one it takes just as long."""
    if not _is_text(password) or len(password) > LENGTH_MAX:
        return False
    found = await _off_the_loop(lambda: _verify(kept or _nobodys(), password))
    return found and kept is not None


def is_outdated(kept: str) -> bool:
    """Say whether it was made by other parameters than we would use today."""
    return _hasher.check_needs_rehash(kept)


def _verify(kept: str, password: str) -> bool:
    try:
        return _hasher.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobodys() -> str:
    """Return the hash of a password that nobody has."""
    return _hasher.hash("nobody has this password")


def _is_text(password: str) -> bool:
    return password.isascii() or not any("\ud800" <= one <= "\udfff" for one in password)


async def _off_the_loop(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(_threads, work)
