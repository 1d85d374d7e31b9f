"""Git with a configuration of ours and nothing else: no hooks, no helpers, nobody's settings.

A repository is not believed. What could run a program for us is switched off on every command
line, where nothing that lies in a repository can switch it on again. Nobody is asked anything: git
fails in place of waiting for a password. It runs in a process group of its own, which is ended
when the time is over or when we are cancelled.
"""

import asyncio
import os
import re
import signal
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

OUTPUT_MAX: Final = 1_000_000
TOLD_MAX: Final = 600
CHUNK: Final = 65_536

FIXED: Final = tuple(
    word
    for setting in (
        "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.untrackedCache=false",
        "core.attributesFile=/dev/null", "core.excludesFile=/dev/null", "core.pager=cat",
        "core.askPass=true", "core.sshCommand=ssh -oBatchMode=yes", "core.editor=false",
        "core.fileMode=true", "core.symlinks=true", "core.ignoreCase=false", "core.autocrlf=false",
        "core.safecrlf=false", "core.protectHFS=true", "core.protectNTFS=true",
        "core.splitIndex=false", "core.sparseCheckout=false", "core.logAllRefUpdates=false",
        "diff.renames=true", "diff.algorithm=histogram",
        "commit.gpgSign=false", "push.gpgSign=false", "index.version=2",
        "credential.helper=", "submodule.recurse=false", "fetch.recurseSubmodules=false",
        "protocol.allow=never", "protocol.file.allow=always", "protocol.https.allow=always",
        "protocol.http.allow=always", "protocol.ssh.allow=always", "protocol.git.allow=always",
        "transfer.fsckObjects=true", "gc.auto=0", "maintenance.auto=false", "init.templateDir=",
        "advice.detachedHead=false", "init.defaultBranch=main",
    )
    for word in ("-c", setting)
)  # fmt: skip
"""What holds whatever a repository says: the command line beats every file."""

KEPT: Final = ("PATH", "HOME", "SSH_AUTH_SOCK", "TMPDIR")
AROUND: Final = {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true",
    "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_GRAFT_FILE": "/dev/null",
    "GCM_INTERACTIVE": "never", "LC_ALL": "C",
}  # fmt: skip
"""What git finds around it besides: nothing of whoever has started the worker."""

CREDENTIALS: Final = re.compile(r"(?<=://)[^/@\s]+@")


class GitFailed(Exception):
    """Git has said no; the message is what it said, and holds no password."""

    def __init__(self, code: int, message: str) -> None:
        """Keep how it ended."""
        super().__init__(message)
        self.code = code
        self.message = message


class Ended(NamedTuple):
    """How a process has ended, and what it said; ``is_cut`` where it said more than was kept."""

    code: int
    out: bytes
    err: bytes
    is_cut: bool = False


class Run(NamedTuple):
    """How git is run: where, with what around it, what it reads, how much of it is kept."""

    folder: Path | None = None
    more: Mapping[str, str] = MappingProxyType({})
    stdin: bytes = b""
    most: int = OUTPUT_MAX
    keeps: tuple[int, ...] = ()
    """Files that stay open as long as it runs, or whatever it has started: locks."""


async def git(*words: str, folder: Path | None = None) -> str:
    """Run git, in a folder where one is named; return what it said. Raises ``GitFailed``."""
    return (await said(*words, how=Run(folder))).out.decode(errors="replace").strip()


async def said(
    *words: str, how: Run, may_be_cut: bool = False, fine: Collection[int] = (0,)
) -> Ended:
    """Run git and return all that it said, as bytes. Raises ``GitFailed``."""
    where = () if how.folder is None else ("-C", str(how.folder))
    ended = await _run(("git", *where, *FIXED, *words), how)
    if ended.code not in fine:
        raise GitFailed(ended.code, told(ended.err.decode(errors="replace")))
    if ended.is_cut and not may_be_cut:
        raise GitFailed(127, f"git {words[0]} has said more than {how.most:,} bytes.")
    return ended


def told(said: str) -> str:
    """Return what git said as it may be repeated: short, in one line, without passwords."""
    line = " ".join(CREDENTIALS.sub("", said).split())
    return line if len(line) <= TOLD_MAX else f"{line[:TOLD_MAX]} ..."


async def _run(line: Sequence[str], how: Run) -> Ended:
    around = {name: os.environ[name] for name in KEPT if name in os.environ} | AROUND
    try:
        process = await asyncio.create_subprocess_exec(
            *line, stdin=asyncio.subprocess.PIPE if how.stdin else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env=around | dict(how.more), start_new_session=True, pass_fds=how.keeps,
        )  # fmt: skip
    except FileNotFoundError as exc:
        raise GitFailed(127, "There is no git on this machine.") from exc
    except ValueError as exc:
        raise GitFailed(127, f"Git cannot be told this: {exc}.") from exc
    assert process.stdout is not None  # noqa: S101 (it was asked for)
    assert process.stderr is not None  # noqa: S101 (it was asked for)
    try:
        (out, is_cut), (err, _), _ = await asyncio.gather(
            _read(process.stdout, how.most),
            _read(process.stderr, OUTPUT_MAX),
            _write(process.stdin, how.stdin),
        )
        return Ended(await process.wait(), out, err, is_cut)
    finally:
        # Also what it has started: a transport that hangs would outlive it.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def _read(pipe: asyncio.StreamReader, most: int) -> tuple[bytes, bool]:
    """Read all that is said, and keep as much as may be kept."""
    kept = bytearray()
    is_cut = False
    while chunk := await pipe.read(CHUNK):
        room = most - len(kept)
        is_cut |= len(chunk) > room
        kept += chunk[:room]
    return bytes(kept), is_cut


async def _write(pipe: asyncio.StreamWriter | None, content: bytes) -> None:
    if pipe is None:
        return
    # Whoever does not want to hear it all has said so in how it ends.
    with suppress(BrokenPipeError, ConnectionResetError):
        pipe.write(content)
        await pipe.drain()
    pipe.close()
