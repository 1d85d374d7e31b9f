"""Checkpoints as lines of text: heads of audits at an instant, chained to each other and signed.

A line tells the heads that differ from those before it, so a file of them stays small. Whoever has
the public key can tell whether a line was forged, changed, left out or put elsewhere. Nothing here
touches a database or a file.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from interlock.store.heads import RestoreRow

GENESIS: Final = sha256(b"interlock checkpoints 1").hexdigest()
"""What stands before the first line of a file."""

Place = tuple[str, str]
"""A tenant and a unit."""


class Head(NamedTuple):
    """Where the audit of a unit ended: how many entries it had, and the hash of the last."""

    tenant: str
    unit: str
    sequence: int
    hash: str


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One line. ``at`` is when the last head had been read; ``before`` is the line before."""

    number: int
    at: int
    incarnation: str
    before: str
    # How many units there were, and those of their heads that no line before tells.
    units: int
    heads: tuple[Head, ...]
    # Restores that no line before tells: who signs them knows of them.
    restores: tuple[RestoreRow, ...] = ()


class Wrong(NamedTuple):
    """What is wrong with a line of a file."""

    number: int
    what: str


def public_text(key: Ed25519PublicKey) -> str:
    """Return a public key as people pass it on."""
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def sign(checkpoint: Checkpoint, key: Ed25519PrivateKey) -> str:
    """Return a checkpoint as a line, signed."""
    body = _body(checkpoint, public_text(key.public_key()))
    signature = key.sign(_bytes(body)).hex()
    return json.dumps({**body, "signature": signature}, separators=(",", ":"))


def name_of(line: str) -> str:
    """Return what the next line calls this one."""
    return sha256(line.encode()).hexdigest()


def read_lines(
    lines: Iterable[str], key: Ed25519PublicKey
) -> tuple[tuple[Checkpoint, ...], tuple[Wrong, ...]]:
    """Read the lines of a file; those that are wrong are told and not believed."""
    found: list[Checkpoint] = []
    wrong: list[Wrong] = []
    before = GENESIS
    for number, line in enumerate(lines, 1):
        try:
            checkpoint = _read(line, key)
        except (ValueError, KeyError, TypeError, InvalidSignature) as exc:
            told = "its signature does not fit" if isinstance(exc, InvalidSignature) else (
                f"it cannot be read: {exc!r}"
            )  # fmt: skip
            wrong.append(Wrong(number, told))
        else:
            wrong += _misplaced(checkpoint, number, before)
            found.append(checkpoint)
        before = name_of(line)
    return tuple(found), tuple(wrong)


def _misplaced(checkpoint: Checkpoint, number: int, before: str) -> Iterator[Wrong]:
    if checkpoint.before != before:
        yield Wrong(number, "it does not follow the line before it")
    elif checkpoint.number != number:
        yield Wrong(number, f"it has the number {checkpoint.number}")


def told(checkpoints: Iterable[Checkpoint]) -> Mapping[Place, tuple[int, str]]:
    """Return the last head that lines tell of each unit."""
    found: dict[Place, tuple[int, str]] = {}
    for checkpoint in checkpoints:
        for head in checkpoint.heads:
            found[head.tenant, head.unit] = (head.sequence, head.hash)
    return found


def _body(checkpoint: Checkpoint, key: str) -> dict[str, object]:
    return {
        "checkpoint": checkpoint.number, "at": checkpoint.at,
        "incarnation": checkpoint.incarnation, "before": checkpoint.before,
        "units": checkpoint.units, "heads": checkpoint.heads, "restores": checkpoint.restores,
        "key": key,
    }  # fmt: skip


def _bytes(body: Mapping[str, object]) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()


def _read(line: str, key: Ed25519PublicKey) -> Checkpoint:
    body = json.loads(line)
    key.verify(bytes.fromhex(body.pop("signature")), _bytes(body))
    return Checkpoint(
        int(body["checkpoint"]), int(body["at"]), str(body["incarnation"]), str(body["before"]),
        int(body["units"]), tuple(Head(*one) for one in body["heads"]),
        tuple(RestoreRow(*one) for one in body["restores"]),
    )  # fmt: skip
