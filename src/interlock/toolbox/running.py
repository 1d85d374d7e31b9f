"""What a child process does: reads one job, does it, says how it has ended, and ends its group.

Started by ``child``, which reads the outcome; there is nothing else to call here.
"""

import asyncio
import inspect
import json
import os
import shutil
import sys
import threading
import traceback
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import BinaryIO, Final

from interlock.family import adopt, end_family
from interlock.outside.schema import read_schema
from interlock.toolbox.around import Around, around_of
from interlock.toolbox.catalog import Catalog, ToolsNotLoaded
from interlock.toolbox.tool import (
    CONFIGURATION,
    SYSTEM,
    UNHANDLED,
    VALIDATION,
    Schema,
    Tool,
    ToolFailure,
)

FOLDER: Final = "interlock-tool-"
"""How the name of the folder begins that a child runs in."""

RESULT_MAX: Final = 16 * 1024 * 1024
TEXT_MAX: Final = 4_000
"""How much is told of a failure."""

STANDARD_INPUT: Final = 0
STANDARD_OUTPUT: Final = 1
STANDARD_ERROR: Final = 2

Said = dict[str, object]


def main() -> None:
    """Do the one job there is."""
    adopt()
    # A tool has no input, and what it prints goes to standard error, and so it is for what it
    # starts. The job and the outcome have ways of their own, which nobody inherits.
    given = os.fdopen(os.dup(STANDARD_INPUT), "rb")
    way = os.fdopen(os.dup(STANDARD_OUTPUT), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), STANDARD_INPUT)
    os.dup2(STANDARD_ERROR, STANDARD_OUTPUT)
    job = json.loads(given.readline())
    threading.Thread(target=_end_with, args=(given, Path.cwd()), daemon=True).start()
    way.write(json.dumps(done(job)).encode() + b"\n")
    way.flush()
    _end()


def _end_with(given: BinaryIO, folder: Path) -> None:
    """End when nobody waits for us any more; then nobody else removes the folder, either."""
    given.read()
    if folder.name.startswith(FOLDER):
        shutil.rmtree(folder, ignore_errors=True)
    _end()


def _end() -> None:
    """End with all that the tool has started and left behind."""
    sys.stderr.flush()
    if os.getpgrp() == os.getpid():
        end_family(os.getpid())
    os._exit(0)


def done(job: Mapping[str, object]) -> Said:
    """Do a job and say how it has ended; nothing that goes wrong in it is raised."""
    try:
        return {"result": _do(job)}
    except ToolFailure as failed:
        said = _failed(failed.failure, failed.message, failed.detail)
        return {**said, "resource_down": failed.resource_down}
    except ToolsNotLoaded as error:
        return _failed(CONFIGURATION, error.message, error.fix)
    except MemoryError:
        return _failed(SYSTEM, "There is not enough memory for the tool.")
    except BaseException as exc:  # noqa: BLE001 (a tool may raise whatever it likes, also SystemExit)
        detail = "".join(traceback.format_exception(exc, limit=-5))[-TEXT_MAX:]
        return _failed(UNHANDLED, f"{type(exc).__name__}: {exc}", detail)


def _failed(failure: str, message: str, detail: str = "") -> Said:
    """Say what has failed; what a tool says of it need be no text that anybody could keep."""
    kept = (
        text[:TEXT_MAX].replace("\0", "�").encode(errors="replace").decode()
        for text in (message, detail)
    )
    return {"failure": failure, **dict(zip(("message", "detail"), kept, strict=True))}


def _do(job: Mapping[str, object]) -> object:
    data, arguments = job["around"], job.get("arguments")
    around = around_of(data if isinstance(data, Mapping) else {})
    if job["do"] == "list":
        # Loading the SDK takes longer than most tools do.
        from interlock.toolbox.remote import listed  # noqa: PLC0415 (as said)

        return [[*one] for one in asyncio.run(listed(around.servers[0]))]
    name = str(job["name"])
    tool = Catalog(around).find(name)
    if tool is None:
        raise ToolFailure(CONFIGURATION, f"There is no tool {name[:80]}.")
    return run(tool, arguments if isinstance(arguments, Mapping) else {}, around)


def run(tool: Tool, arguments: Mapping[str, object], around: Around) -> object:
    """Run a tool with arguments that fit; its result fits, too, or it has failed."""
    _check(tool.parameters, dict(arguments), "The arguments do not fit")
    found = tool.run(arguments, around.only(tool.resources))
    result = asyncio.run(_wait(found)) if inspect.isawaitable(found) else found
    try:
        size = len(json.dumps(result, ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError, RecursionError) as exc:
        raise ToolFailure(VALIDATION, f"The result of the tool is no JSON: {exc}") from exc
    if size > RESULT_MAX:
        raise ToolFailure(VALIDATION, f"The result of the tool has more than {RESULT_MAX:,} bytes.")
    _check(tool.result, result, "The result of the tool does not fit")
    return result


async def _wait(found: Awaitable[object]) -> object:
    return await found


def _check(schema: Schema, value: object, what: str) -> None:
    wrong = read_schema(schema).wrong(value)
    if wrong:
        raise ToolFailure(VALIDATION, f"{what}: {'; '.join(wrong)}")


if __name__ == "__main__":
    main()
