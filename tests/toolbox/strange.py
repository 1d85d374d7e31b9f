"""Tools that behave well, strangely or badly, for tests: a module as an operator names it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Never

from interlock.family import can_adopt
from interlock.toolbox.around import Around
from interlock.toolbox.tool import ToolFailure, tool

ANY: Mapping[str, object] = {"type": "object"}
FOREVER = "import time; time.sleep(600)"


def _raise(exc: BaseException) -> Never:
    raise exc


WAYS: Mapping[str, Callable[[], object]] = {
    "raise": lambda: _raise(KeyError("unforeseen")),
    "fail": lambda: _raise(ToolFailure("configuration", "no", detail="why", resource_down=True)),
    "exit": lambda: sys.exit(3),
    "die": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "leave": lambda: os._exit(7),
    "nan": lambda: {"n": float("nan")},
    "object": lambda: {"n": object()},
    "surrogate": lambda: {"n": "\ud800"},
    "much": lambda: {"n": "x" * (17 * 1024 * 1024)},
    "none": lambda: None,
    "strange": lambda: _raise(ValueError("\ud800\0" + "x" * 10_000)),
    "umlauts": lambda: {"n": "ä" * (8 * 1024 * 1024 - 100)},
}


@tool(name="shout", doc="Upper case.", parameters={
    "type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"],
}, result={
    "type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"],
})  # fmt: skip
async def shout(arguments: Mapping[str, object], around: Around) -> object:
    """Return the text in upper case, or something that does not fit."""
    text = str(arguments["text"])
    return {"text": text.upper()} if text else {"wrong": 1}


@tool(name="chatty", doc="Prints.", parameters=ANY, result=ANY)
def chatty(arguments: Mapping[str, object], around: Around) -> object:
    """Print in every way there is."""
    print("one", flush=True)  # noqa: T201 (that is the point)
    print("two", file=sys.stderr)  # noqa: T201 (same)
    os.write(1, b'{"result": "forged"}\n')
    subprocess.run([sys.executable, "-c", "print('three')"], check=True)
    heard = sys.stdin.read()
    for number in range(int(str(arguments.get("lines", 0)))):
        print("x" * 5_000, number)  # noqa: T201 (same)
    return {"heard": heard}


@tool(name="around", doc="What it sees.", parameters=ANY, result=ANY, resources=("http",))
def see(arguments: Mapping[str, object], around: Around) -> object:
    """Return the environment, the folder and what is around."""
    Path("left").write_text("behind")
    return {"env": dict(os.environ), "folder": str(Path.cwd()), "around": around.to_data()}


@tool(name="misbehave", doc="Fails.", parameters=ANY, result=ANY)
def misbehave(arguments: Mapping[str, object], around: Around) -> object:
    """Fail in the way that is asked for."""
    return WAYS[str(arguments["how"])]()


@tool(name="linger", doc="Takes long.", parameters=ANY, result=ANY)
def linger(arguments: Mapping[str, object], around: Around) -> object:
    """Start processes, say which, and take as long as it likes, unless told to return.

    Where that can be found out, one of them has left the group.
    """
    ways = (False, True) if can_adopt() else (False,)
    line = [sys.executable, "-c", FOREVER]
    others = [subprocess.Popen(line, start_new_session=leaves).pid for leaves in ways]
    Path(str(arguments["file"])).write_text(f"{os.getpid()} {' '.join(map(str, others))}\n")
    if not arguments.get("returns"):
        time.sleep(600)
    return {}
