"""What MCP servers told of their tools, kept in a file, so that whoever starts next knows it.

Most commands are over before a server could be asked. A server whose command or address has
changed is not known any more; a file that cannot be read is as good as none.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from interlock.servers import Server
from interlock.toolbox.tool import Described

NAME: Final = "tools.json"
ROW: Final = len(Described._fields)

Listed = Mapping[str, Mapping[str, Described]]


def read_kept(path: Path, servers: Iterable[Server]) -> dict[str, dict[str, Described]]:
    """Return the tools of those servers that are configured as they were when they told."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {
            server.name: {one.name: one for one in map(described, rows[server.name]["tools"])}
            for server in servers
            if server.name in rows and rows[server.name]["from"] == _mark(server)
        }
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return {}


def write_kept(path: Path, servers: Iterable[Server], listed: Listed) -> None:
    """Keep what is known; where that cannot be written, it is asked again the next time."""
    rows = {
        server.name: {"from": _mark(server), "tools": [*listed[server.name].values()]}
        for server in servers
        if server.name in listed
    }
    try:
        # Others may read it meanwhile: they find the old one or the new one, never half of it.
        number, name = tempfile.mkstemp(dir=path.parent, prefix=NAME)
        with os.fdopen(number, "w", encoding="utf-8") as file:
            json.dump(rows, file)
        Path(name).replace(path)
    except OSError:
        return


def described(row: object) -> Described:
    """Return a description as it was before it was written as JSON; raises for anything else."""
    if not isinstance(row, list) or len(row) != ROW:
        raise ValueError("this is no description of a tool")
    name, doc, parameters, result, resources, deadline_s = row
    if not isinstance(parameters, dict) or not isinstance(result, dict):
        raise TypeError("this is no description of a tool")
    lasts = deadline_s if isinstance(deadline_s, int) else None
    return Described(str(name), str(doc), parameters, result, tuple(map(str, resources)), lasts)


def _mark(server: Server) -> str:
    """Return what stands for where a server is; no secret goes into it."""
    return sha256(json.dumps([*server.command, server.url]).encode()).hexdigest()
