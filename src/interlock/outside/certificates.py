"""Whose certificates are believed when we speak to others: read once, and used for every call.

Reading them takes 30 ms in which nobody is served, which is longer than most calls last. Whoever
changes them on this machine starts us again. What else a call is made with stays with its caller.
"""

from functools import cache
from ssl import SSLContext

import httpx2


@cache
def certificates(*, trust_env: bool = True) -> SSLContext:
    """Return what a client is given as ``verify``; the environment may name others, if trusted."""
    return httpx2.create_ssl_context(trust_env=trust_env)
