"""Vectors: 32-bit floats in bytes, of length one, compared by their dot product.

With numpy, which the ``embeddings`` extra brings, comparing thousands takes milliseconds; without
it the same is counted by hand.
"""

import sys
from array import array
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from math import sqrt
from operator import mul
from typing import Final

HAS_NUMPY: Final = find_spec("numpy") is not None


def pack(values: Sequence[float]) -> bytes:
    """Return a vector of length one as it is kept; one without a direction stays as it is."""
    length = sqrt(sum(value * value for value in values)) or 1.0
    packed = array("f", [value / length for value in values])
    if sys.byteorder == "big":  # kept alike on every machine
        packed.byteswap()
    return packed.tobytes()


def unpack(vector: bytes) -> "array[float]":
    """Read a vector."""
    found = array("f")
    found.frombytes(vector)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def closeness(asked: bytes, vectors: Sequence[bytes]) -> list[float]:
    """Return how near each vector is to the one asked for; one of another size is not near."""
    if not HAS_NUMPY or any(len(one) != len(asked) for one in vectors):
        return by_hand(asked, vectors)
    if not vectors:
        return []
    np = import_module("numpy")
    rows = np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(vectors), -1)
    near = rows @ np.frombuffer(asked, dtype="<f4")
    return [float(value) for value in near]


def by_hand(asked: bytes, vectors: Sequence[bytes]) -> list[float]:
    """Return the same without numpy."""
    wanted = unpack(asked)
    return [
        sum(map(mul, wanted, unpack(one))) if len(one) == len(asked) else -1.0 for one in vectors
    ]
