"""Documents of a ticket as files in its working tree: what was kept is written to ``.ticket/``.

An assignment names them by path and digest. What is there already is left as it is, what is
fetched must have its digest, and a file is put in place whole or not at all. An agent may have
been in the folder before: links are not followed, neither into it nor out of it. Git is told to
leave the folder out.
"""

import asyncio
import errno
import os
import re
import stat
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Final, NamedTuple

from interlock.errors import InterlockError
from interlock.worker.journal import Once
from interlock.worker.work import HandIn, Runner, Work
from interlock.worker.workspace.tree import ID

FOLDER: Final = ".ticket"
EXCLUDED: Final = f"/{FOLDER}/"
"""How git is told to leave it out, in the working tree's own list and in no file of others."""

EXCLUDE: Final = "exclude"
NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}(\.[a-z0-9]{1,8})?")
BYTES_MAX: Final = 16 * 1024 * 1024
PAGE: Final = 100_000
REASON_MAX: Final = 2_000
DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

Read = Callable[[str], Awaitable[bytes]]
"""Reads what is kept by its digest."""


class NotMirrored(Exception):
    """A document cannot be put into the working tree; the message may be shown to anybody."""


class Document(NamedTuple):
    """A document by where it lies in the folder, and the SHA-256 of what it says."""

    path: str
    digest: str


def documents_of(work: Work) -> tuple[Document, ...]:
    """Return the documents that an assignment names."""
    told = work.told.get("task")
    found = told.get("documents") if isinstance(told, Mapping) else None
    rows = found if isinstance(found, list | tuple) else ()
    return tuple(
        Document(str(row.get("path", "")), str(row.get("digest", "")))
        for row in rows
        if isinstance(row, Mapping)
    )


async def mirror(tree: Path, documents: Sequence[Document], read: Read) -> int:
    """Write the documents that are not there yet; return how many. Raises ``NotMirrored``."""
    for one in documents:
        _check(one)
    missing = await asyncio.to_thread(_missing, tree, documents)
    texts = {}
    for one in missing:
        texts[one.path] = await read(one.digest)
        if sha256(texts[one.path]).hexdigest() != one.digest:
            raise NotMirrored(f"The document {one.path} is not what was named: its digest differs.")
    await asyncio.to_thread(_write_all, tree, texts)
    return len(missing)


def mirrored(run: Runner, room: Path, call: Once) -> Runner:
    """Return who runs assignments with the documents in place, where the working tree is here."""

    async def runs(work: Work, hand_in: HandIn) -> str:
        documents = documents_of(work) if ID.fullmatch(work.unit) else ()
        tree = room / work.unit / "tree"
        if not documents or not await asyncio.to_thread(tree.is_dir):
            return await run(work, hand_in)
        try:
            await mirror(tree, documents, reader(call, work.unit))
        except (NotMirrored, OSError) as no:
            why = f"The documents cannot be put into the working tree: {no}"
        except InterlockError as no:
            if no.retryable:
                raise
            why = f"The documents cannot be read: {no.message}"
        else:
            return await run(work, hand_in)
        await hand_in("fail_work", {"reason": why[:REASON_MAX]})
        return why

    return runs


def reader(call: Once, unit: str) -> Read:
    """Return what reads a unit's documents from the server, a page at a time."""

    async def read(digest: str) -> bytes:
        pieces: list[str] = []
        offset: object = 0
        while offset is not None:
            told = {"id": unit, "digest": digest, "offset": offset, "limit": PAGE}
            answer = await call("get_content", told)
            if answer.data.get("encoding") != "text":
                raise NotMirrored(f"The document {digest} is no text.")
            pieces.append(str(answer.data["content"]))
            offset = answer.data.get("next_offset")
            if sum(map(len, pieces)) > BYTES_MAX:
                raise NotMirrored(f"The document {digest} is too long.")
        return "".join(pieces).encode()

    return read


def _check(document: Document) -> None:
    if not NAME.fullmatch(document.path):
        raise NotMirrored(f"{document.path[:80]!r} is no name of a document.")


# -- files -------------------------------------------------------------------------------------


def _missing(tree: Path, documents: Iterable[Document]) -> list[Document]:
    """Return the documents that do not lie there as they are to be."""
    with _ours(tree) as folder:
        return [one for one in documents if not _holds(folder, one)]


def _write_all(tree: Path, texts: Mapping[str, bytes]) -> None:
    with _ours(tree) as folder:
        for name, content in texts.items():
            _put(folder, name, content)


@contextmanager
def _ours(tree: Path) -> Iterator[int]:
    """Open our folder of a working tree, which git is to leave out."""
    root = os.open(tree, DIRECTORY)
    try:
        with _entered(root, ".git", is_made=False) as git, _entered(git, "info") as info:
            _leave_out(info)
        with _entered(root, FOLDER) as folder:
            yield folder
    finally:
        os.close(root)


@contextmanager
def _entered(around: int, name: str, *, is_made: bool = True) -> Iterator[int]:
    """Open a folder within another; a link or a file in its place is removed."""
    try:
        folder = os.open(name, DIRECTORY, dir_fd=around)
    except OSError as no:
        if not is_made or no.errno not in (errno.ENOENT, errno.ELOOP, errno.ENOTDIR):
            raise
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=around)
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=around)
        folder = os.open(name, DIRECTORY, dir_fd=around)
    try:
        yield folder
    finally:
        os.close(folder)


def _leave_out(info: int) -> None:
    known = _content(info, EXCLUDE) or b""
    if EXCLUDED.encode() not in known.split(b"\n"):
        end = b"" if not known or known.endswith(b"\n") else b"\n"
        _put(info, EXCLUDE, known + end + EXCLUDED.encode() + b"\n")


def _holds(folder: int, document: Document) -> bool:
    found = _content(folder, document.path)
    return found is not None and sha256(found).hexdigest() == document.digest


def _content(folder: int, name: str) -> bytes | None:
    """Read a file as far as a document may be long; None where there is none, or no file."""
    try:
        opened = os.open(
            name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder
        )
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            return None
        with os.fdopen(opened, "rb", closefd=False) as file:
            return file.read(BYTES_MAX)
    finally:
        os.close(opened)


def _put(folder: int, name: str, content: bytes) -> None:
    """Put a file in place, whole; of several who do so at once the last one wins."""
    begun = f".{name}.{os.getpid()}-{threading.get_ident()}"
    with suppress(FileNotFoundError):
        os.unlink(begun, dir_fd=folder)
    made = os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder)
    with os.fdopen(made, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(made)
    try:
        os.replace(begun, name, src_dir_fd=folder, dst_dir_fd=folder)
    except IsADirectoryError:
        rmtree(name, dir_fd=folder)
        os.replace(begun, name, src_dir_fd=folder, dst_dir_fd=folder)
