"""The notary: a key and a file outside of the database, to which checkpoints are appended.

Several processes may use one file: whoever appends holds its lock. What is appended is on the disk
before anybody is told. What is in a line is said in ``checkpoint``.
"""

import asyncio
import fcntl
import json
import logging
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from interlock.errors import InterlockError
from interlock.private import write_private
from interlock.service.checkpoint import (
    GENESIS,
    Checkpoint,
    Head,
    Wrong,
    name_of,
    read_lines,
    sign,
    told,
)
from interlock.service.engine import Engine

PAGE: Final = 1_000
LAST_CHECKPOINT: Final = "last_checkpoint.json"
MINUTE_MS: Final = 60_000
TRIED_AGAIN_S: Final = 0.05

log = logging.getLogger("interlock.checkpoint")


class CheckpointRefused(InterlockError):
    """The file of checkpoints or its key cannot be used."""

    code = "CHECKPOINT_REFUSED"


@dataclass(frozen=True, slots=True)
class Notary:
    """A file of checkpoints, the file of the key that signs them, and where the last is noted.

    Whoever asks how a database stands cannot know every file that somebody has named once: hence
    the note. It is a help, and no proof.
    """

    file: Path
    key_file: Path
    note: Path | None = None

    def key(self) -> Ed25519PrivateKey:
        """Return the key; it is made where there is none."""
        with _told(self.key_file):
            with suppress(FileExistsError):
                _write_key(self.key_file, Ed25519PrivateKey.generate())
            return _read_key(self.key_file)

    def public(self) -> Ed25519PublicKey:
        """Return the public half of the key; raises where there is none."""
        with _told(self.key_file):
            return _read_key(self.key_file).public_key()

    def lines(self) -> tuple[str, ...]:
        """Return the lines of the file; a last one that was not ended counts as not written."""
        with _told(self.file):
            return _whole_lines(self.file.read_bytes())

    async def take(self, engine: Engine, every_ms: int = 0) -> Checkpoint | None:
        """Append a checkpoint, unless the last one is younger than that; raises what is wrong.

        A file whose lines do not hang together gets no more of them: that is looked into first.
        """
        key = self.key()
        async with _alone(self.file) as file:
            lines = _whole_lines(self.file.read_bytes())
            known, wrong = read_lines(lines, key.public_key())
            if wrong:
                raise _broken(self.file, wrong[0])
            if known and every_ms and engine.store.now() - known[-1].at < every_ms:
                return None
            made = await _make(engine, known, name_of(lines[-1]) if lines else GENESIS)
            # What somebody wrote who was killed on the way is no line.
            os.ftruncate(file, sum(len(line.encode()) + 1 for line in lines))
            os.lseek(file, 0, os.SEEK_END)
            os.write(file, sign(made, key).encode() + b"\n")
            os.fsync(file)
        self._note(made)
        return made

    def _note(self, made: Checkpoint) -> None:
        if self.note is None:
            return
        told = {
            "file": str(self.file.absolute()), "checkpoint": made.number, "at": made.at,
            "units": made.units, "incarnation": made.incarnation,
        }  # fmt: skip
        with suppress(OSError):
            self.note.write_text(json.dumps(told) + "\n", encoding="utf-8")

    async def take_due(self, engine: Engine, minutes: int) -> None:
        """Append a checkpoint where the last one is older; what goes wrong is logged."""
        try:
            if self._age_ms(engine) >= minutes * MINUTE_MS:
                await self.take(engine, minutes * MINUTE_MS)
        except InterlockError as trouble:
            log.warning("no checkpoint was taken: %s", trouble.message)

    def _age_ms(self, engine: Engine) -> int:
        """Say how long ago the file was written, without reading all of it."""
        with _told(self.file):
            if not self.file.exists():
                return engine.clock.now()
            return engine.clock.now() - int(self.file.stat().st_mtime * 1000)


async def _make(engine: Engine, known: tuple[Checkpoint, ...], before: str) -> Checkpoint:
    """Read all heads; return what of them no line tells yet."""
    store = engine.store
    seen, heads, units = told(known), [], 0
    for tenant in await store.tenants():
        after = ""
        while page := await store.heads(tenant, after, PAGE):
            units += len(page)
            heads += [
                Head(tenant, *row)
                for row in page
                if seen.get((tenant, row.unit)) != (row.sequence, row.hash)
            ]
            after = page[-1].unit
    signed = {row.name for one in known for row in one.restores}
    restores = tuple(row for row in await store.restores() if row.name not in signed)
    incarnation = (await store.health()).incarnation
    return Checkpoint(
        len(known) + 1, store.now(), incarnation, before, units, tuple(heads), restores
    )


def read_public(text: str) -> Ed25519PublicKey:
    """Read a public key as it was passed on; raises where it is none."""
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text.strip()))
    except ValueError as exc:
        fix = "Give the 64 hexadecimal characters that `interlock audit checkpoint` prints."
        raise CheckpointRefused("This is no public key.", fix=fix) from exc


def _broken(file: Path, wrong: Wrong) -> CheckpointRefused:
    message = f"Line {wrong.number} of {file} is wrong: {wrong.what}."
    fix = f"Look into it: interlock audit verify --checkpoint {file}; or begin another file."
    return CheckpointRefused(message, fix=fix)


def _whole_lines(content: bytes) -> tuple[str, ...]:
    whole = content[: content.rfind(b"\n") + 1]
    return tuple(whole.decode("utf-8", "replace").splitlines())


@asynccontextmanager
async def _alone(path: Path) -> AsyncIterator[int]:
    """Yield the file, open for appending, while nobody else appends."""
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            while not _is_ours(file):  # noqa: ASYNC110 (another process has it, and tells nobody)
                await asyncio.sleep(TRIED_AGAIN_S)
            yield file
        finally:
            os.close(file)


def _is_ours(file: int) -> bool:
    """Take the lock of a file where nobody else has it; whoever has it tells nobody."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write_key(path: Path, key: Ed25519PrivateKey) -> None:
    write_private(path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _read_key(path: Path) -> Ed25519PrivateKey:
    found = load_pem_private_key(path.read_bytes(), None)
    if isinstance(found, Ed25519PrivateKey):
        return found
    message = "it is no Ed25519 key"
    raise ValueError(message)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say in our words what is wrong with a file."""
    try:
        yield
    except OSError as exc:
        message = f"{path} cannot be used: {exc.strerror}."
        fix = "Name a file in a folder where you may write: --file, --key."
        raise CheckpointRefused(message, fix=fix) from exc
    except (ValueError, TypeError, UnsupportedAlgorithm) as exc:
        message = f"{path} holds no key: {exc}."
        raise CheckpointRefused(message, fix="Name the file of an Ed25519 key.") from exc
