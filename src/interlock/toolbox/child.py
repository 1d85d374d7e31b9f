"""Tools run in child processes, so that whatever one does can be ended: with all it has started.

The child leads a process group of its own, and adopts what leaves it (``family``). It is told what
to do on its standard input, which stays open: when it closes, whoever asked is gone, and all of it
ends. What a tool prints goes to the log; its outcome comes on a line of its own that no tool can
write to.
"""

import asyncio
import json
import logging
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from interlock.family import end_family
from interlock.servers import Server
from interlock.toolbox.around import Around
from interlock.toolbox.catalog import Catalog
from interlock.toolbox.kept import described
from interlock.toolbox.running import FOLDER
from interlock.toolbox.tool import SYSTEM, TRANSIENT, VALIDATION

LISTING_S: Final = 30.0
DEADLINE_S: Final = 300.0
OUTCOME_MAX: Final = 64 * 1024 * 1024
"""More than a result of the largest size takes, whatever is escaped in it."""

PIECE: Final = 65_536
LINE_MAX: Final = 1_000
LINES_MAX: Final = 200
"""How much of what a tool prints goes to the log."""

DRAIN_S: Final = 1.0
KEPT: Final = (
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SSL_CERT_DIR", "SSL_CERT_FILE",
    "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "TZ", "USER", "USERPROFILE",
)  # fmt: skip
"""What a tool may know of our environment: no setting of ours, and no secret of anybody."""

log: Final = logging.getLogger(__name__)


class Outcome(NamedTuple):
    """How a tool has ended: with a result, or with a failure (empty: none)."""

    result: object = None
    failure: str = ""
    message: str = ""
    detail: str = ""
    resource_down: bool = False
    took_ms: int = 0


async def run_in_child(
    name: str,
    arguments: Mapping[str, object],
    *,
    around: Around,
    deadline_s: float = DEADLINE_S,
) -> Outcome:
    """Run a tool and return how it has ended; cancelling this ends it, too."""
    job = {"do": "run", "name": name, "arguments": arguments, "around": around.to_data()}
    return await _ask(name, job, deadline_s)


async def refresh(catalog: Catalog, names: tuple[str, ...] = ()) -> None:
    """Ask servers what their tools are: those named, and those that have not told yet."""
    unlisted = catalog.unlisted()
    wanted = [one for one in catalog.around.servers if one in unlisted or one.name in names]
    await asyncio.gather(*(_list(catalog, one) for one in wanted))


async def _list(catalog: Catalog, server: Server) -> None:
    job = {"do": "list", "around": Around(servers=(server,)).to_data()}
    outcome = await _ask(f"the tools of {server.name}", job, LISTING_S)
    if outcome.failure or not isinstance(outcome.result, list):
        why = f"{outcome.message} {outcome.detail}".strip()
        catalog.note(server.name, why)
        return
    catalog.keep(server.name, map(described, outcome.result))


async def _ask(what: str, job: Mapping[str, object], deadline_s: float) -> Outcome:
    begun = time.monotonic()
    try:
        # Before anything is started: arguments may be no JSON.
        order = json.dumps(job, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as exc:
        return Outcome(failure=VALIDATION, message=f"The arguments are no JSON: {exc}")
    try:
        outcome = await _housed(what, order, deadline_s)
    except OSError as exc:
        # The machine has no room for one more process or folder; it may have in a moment.
        message = f"The process of the tool cannot be started: {exc.strerror}."
        outcome = Outcome(failure=TRANSIENT, message=message)
    return outcome._replace(took_ms=round((time.monotonic() - begun) * 1000))


async def _housed(what: str, order: bytes, deadline_s: float) -> Outcome:
    """Run a job in a folder of its own."""
    folder = tempfile.mkdtemp(prefix=FOLDER)
    try:
        return await _run(what, order, folder, deadline_s)
    finally:
        # Beside the loop: it may be full.
        removing = asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        await asyncio.shield(removing)


async def _run(what: str, order: bytes, folder: str, deadline_s: float) -> Outcome:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "interlock.toolbox.running",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE, env=environment(), cwd=folder, start_new_session=True,
    )  # fmt: skip
    telling = asyncio.create_task(_tell(what, child.stderr))
    try:
        async with asyncio.timeout(deadline_s):
            return await _outcome(child, order)
    except TimeoutError:
        message = f"It took longer than {deadline_s:g} s, and was ended."
        return Outcome(failure=TRANSIENT, message=message)
    finally:
        # Also where nobody waits any more: nothing is left running.
        end_family(child.pid)
        await asyncio.shield(_bury(child, telling))


async def _outcome(child: asyncio.subprocess.Process, order: bytes) -> Outcome:
    assert child.stdin is not None  # noqa: S101 (both are pipes)
    assert child.stdout is not None  # noqa: S101 (same)
    with suppress(ConnectionError):  # one that has died already is told of below
        child.stdin.write(order + b"\n")
        await child.stdin.drain()
    said = bytearray()
    while not said.endswith(b"\n") and len(said) <= OUTCOME_MAX:
        piece = await child.stdout.read(PIECE)
        if not piece:
            break
        said += piece
    if len(said) > OUTCOME_MAX:
        return Outcome(failure=SYSTEM, message="The tool returned too much.")
    if not said.endswith(b"\n"):
        code = await child.wait()
        how = signal.Signals(-code).name if code < 0 else f"code {code}"
        return Outcome(failure=SYSTEM, message=f"The process of the tool died ({how}).")
    return Outcome(**json.loads(said))


async def _bury(child: asyncio.subprocess.Process, telling: asyncio.Task[None]) -> None:
    """Wait until nothing is left, and the last line is told."""
    if child.stdin is not None:
        child.stdin.close()
    # Something that has left the group may still hold the pipe: it is not waited for.
    tasks = (telling, asyncio.create_task(child.wait()))
    await asyncio.wait(tasks, timeout=DRAIN_S)
    for task in tasks:
        task.cancel()


async def _tell(what: str, lines: asyncio.StreamReader | None) -> None:
    """Write down what a tool prints: not more than somebody would read."""
    told = 0
    rest = b""
    while lines is not None and (piece := await lines.read(PIECE)):
        *whole, rest = (rest + piece).split(b"\n")
        rest = rest[:LINE_MAX]
        for line in whole[: max(0, LINES_MAX - told)]:
            log.info("%s: %s", what, line[:LINE_MAX].decode(errors="replace"))
        told += len(whole)
    if rest and told < LINES_MAX:
        log.info("%s: %s", what, rest.decode(errors="replace"))
    if told > LINES_MAX:
        log.info("%s: %s more lines", what, told - LINES_MAX)


def environment() -> dict[str, str]:
    """Return what a child knows of our environment; it finds the modules that we find."""
    kept = {name: value for name in KEPT if (value := os.environ.get(name))}
    places = (os.path.abspath(place) for place in sys.path)  # noqa: PTH100 (a place may be "")
    return {**kept, "PYTHONPATH": os.pathsep.join(places), "PYTHONUNBUFFERED": "1"}
