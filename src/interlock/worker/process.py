"""Programs of others, contained: in a session of their own, watched by a supervisor, and gone.

However a program ends, everything it has started ends with it: on its end, at its deadline, when
we are cancelled, and when this very process dies. What it says is kept within limits. It knows of
our environment what it is given and nothing else. What is not contained here is what it may read
and write: see docs/adr/0029.
"""

import asyncio
import os
import secrets
import socket
import sys
import time
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from interlock.family import SOON_S, end_family, end_marked
from interlock.worker.supervisor import GRACE_S

OUTPUT_MAX: Final = 1_000_000
LINE_MAX: Final = 1_000_000
"""How long a line may be; a longer one is told in pieces."""

CHUNK: Final = 65_536
DRAIN_S: Final = 1.0
ENDING_S: Final = GRACE_S + 12.0
"""How long a supervisor has to end everything."""

MARK: Final = "CONTAINED_RUN"
"""The variable by which what a killed supervisor has left is found."""

ROOT: Final = str(Path(__file__).parents[2])
BOOT: Final = (
    "import sys; sys.path.append(sys.argv.pop(1));"
    "from interlock.worker.supervisor import main; main()"
)

Heard = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program has ended, and the last of what it said."""

    # None: it was ended, and did not end by itself.
    code: int | None
    # The number of the signal that ended it; 0: none did.
    signal: int
    text: str
    is_cut: bool
    timed_out: bool
    seconds: float
    # The same as text, apart, where it was asked for apart.
    out: str = ""
    err: str = ""
    # Why it was ended, where it was neither its own end nor its deadline.
    why: str = ""


def scrubbed(home: Path, more: Mapping[str, str]) -> dict[str, str]:
    """Return an environment with nothing of ours in it but where programs are; makes the folders.

    It is told last what ``more`` says, so that can say anything.
    """
    temporary = home / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    around = {
        "PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "TERM": "dumb",
        "HOME": str(home), "TMPDIR": str(temporary),
    }  # fmt: skip
    return {**around, **more}


async def run(  # noqa: PLR0913 (each of them says something else about the program)
    argv: Sequence[str],
    *,
    folder: Path,
    env: Mapping[str, str],
    deadline_s: float,
    stdin: bytes = b"",
    output_max: int = OUTPUT_MAX,
    on_text: Heard | None = None,
    on_error: Heard | None = None,
    split: bool = False,
) -> Ended:
    """Run a program to its end, with exactly this environment.

    ``on_text`` gets each line as it comes; apart, those of the standard output alone, and
    ``on_error`` the others. A program that cannot be started ends with 127, or 126 where that is
    not allowed, as in a shell.
    """
    begun = time.monotonic()
    outs = [Tail(output_max, on_text), Tail(output_max, on_error)][: 1 + split]
    child = await _start(argv, folder, env, is_split=split)
    timed_out = False
    tasks = [
        asyncio.create_task(_hear(pipe, tail))
        for pipe, tail in zip((child.process.stdout, child.process.stderr), outs, strict=False)
    ]
    tasks.append(asyncio.create_task(_feed(child.process.stdin, stdin)))
    heard = asyncio.create_task(_last_word(child.way))
    try:
        await asyncio.wait((heard,), timeout=deadline_s)
        timed_out = not heard.done()
    finally:
        await asyncio.shield(asyncio.create_task(_end(child, heard, tasks)))
    code, why = _read(heard)
    said = [tail.text() for tail in outs]
    return Ended(
        code=None if timed_out or code is None or code < 0 else code,
        signal=-code if code is not None and code < 0 else 0,
        text="".join(said),
        is_cut=any(tail.is_cut for tail in outs),
        timed_out=timed_out,
        seconds=time.monotonic() - begun,
        out=said[0] if split else "",
        err=said[1] if split else "",
        why=why,
    )


@dataclass(frozen=True, slots=True)
class Child:
    """A supervisor, the way to it, and the mark of everything below it."""

    process: asyncio.subprocess.Process
    way: socket.socket
    mark: str


async def _start(
    argv: Sequence[str], folder: Path, env: Mapping[str, str], *, is_split: bool
) -> Child:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)  # noqa: FBT003 (its only argument)
    mark = secrets.token_hex(8)
    try:
        # Isolated, and without site-packages: nothing of the program's environment is believed.
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-S", "-c", BOOT, ROOT, str(theirs.fileno()), *argv,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE if is_split else asyncio.subprocess.STDOUT,
            env={**env, MARK: mark}, cwd=folder, start_new_session=True,
            pass_fds=(theirs.fileno(),),
        )  # fmt: skip
    except BaseException:
        # That its socket closes ends a supervisor, too.
        ours.close()
        raise
    finally:
        theirs.close()
    return Child(process, ours, f"{MARK}={mark}")


async def _last_word(way: socket.socket) -> str:
    """Return what a supervisor says at its end; empty where it was killed."""
    loop = asyncio.get_running_loop()
    said = b""
    with suppress(ConnectionError):
        while piece := await loop.sock_recv(way, CHUNK):
            said += piece
    return said.decode()


def _read(heard: asyncio.Task[str]) -> tuple[int | None, str]:
    """Return the code of the program, and why it was ended."""
    if heard.cancelled() or not heard.result():
        return None, "its supervisor was killed"
    code, why, left = heard.result().split("\n")[:3]
    return int(code) if code else None, why or (left and "something of it could not be ended")


async def _end(child: Child, heard: asyncio.Task[str], tasks: list[asyncio.Task[None]]) -> None:
    """End what is still there, and read the rest of what was said."""
    if not heard.done():
        with suppress(OSError):
            child.way.send(b"!")
        await asyncio.wait((heard,), timeout=ENDING_S)
    if not heard.done() or not heard.result():
        # Nobody has ended what the program started: it is found by what it knows.
        end_family(child.process.pid)
        end_marked(child.mark, SOON_S)
    # Something that could not be ended may still hold the pipes: it is not waited for.
    last = (heard, *tasks, asyncio.create_task(child.process.wait()))
    await asyncio.wait(last, timeout=DRAIN_S)
    for task in last:
        task.cancel()
    await asyncio.gather(*last, return_exceptions=True)
    child.way.close()


async def _feed(pipe: asyncio.StreamWriter | None, given: bytes) -> None:
    if pipe is None:
        return
    with suppress(ConnectionError):  # it need not read what it is given
        pipe.write(given)
        await pipe.drain()
    pipe.close()


async def _hear(pipe: asyncio.StreamReader | None, tail: "Tail") -> None:
    while pipe is not None and (piece := await pipe.read(CHUNK)):
        tail.take(piece)
    tail.close()


class Tail:
    """The last of what is said, and each line as it comes."""

    def __init__(self, most: int, on_text: Heard | None = None) -> None:
        """Keep so many bytes; tell each line, if somebody wants to hear it."""
        self._most = most
        self._on_text = on_text
        self._pieces: deque[bytes] = deque()
        self._size = 0
        self._line = ""
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self.is_cut = False

    def take(self, piece: bytes) -> None:
        """Take what was said next."""
        self._pieces.append(piece)
        self._size += len(piece)
        while self._size > self._most:
            self.is_cut = True
            first = self._pieces.popleft()
            rest = first[self._size - self._most :]
            self._size -= len(first) - len(rest)
            if rest:
                self._pieces.appendleft(rest)
        if self._on_text is not None:
            self._tell(self._decoder.decode(piece))

    def close(self) -> None:
        """Tell the last line, which nobody has ended."""
        if self._on_text is not None:
            self._tell(self._decoder.decode(b"", final=True))
            if self._line:
                self._on_text(self._line)
            self._line = ""

    def _tell(self, text: str) -> None:
        assert self._on_text is not None  # noqa: S101 (asked before)
        *lines, self._line = (self._line + _clean(text)).split("\n")
        for line in lines:
            self._on_text(line.rstrip("\r"))
        if len(self._line) > LINE_MAX:
            self._on_text(self._line)
            self._line = ""

    def text(self) -> str:
        """Return what was kept."""
        whole = b"".join(self._pieces)
        if self.is_cut:
            # It may begin within a character.
            whole = whole.lstrip(bytes(range(0x80, 0xC0)))
        return _clean(whole.decode(errors="replace"))


def _clean(text: str) -> str:
    """Return a text that every database can keep."""
    return text.replace("\0", "�")
