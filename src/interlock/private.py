"""New files for their owner alone: whole, on the disk, or not there.

Keys and tokens are written once and read for years. Whoever is killed while one is written must not
leave half of it under its name: nobody could use that, and nobody would write it anew.
"""

import os
from pathlib import Path
from tempfile import mkstemp


def write_private(path: Path, content: bytes) -> None:
    """Write a new file that nobody else can read; raises ``FileExistsError``, or ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Nobody else may read it, not even for a moment: it is made so.
    file, made = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    beside = Path(made)
    try:
        with os.fdopen(file, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        _name(beside, path)
    finally:
        beside.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _name(beside: Path, path: Path) -> None:
    """Give a file its name, but not over one that is there."""
    try:
        path.hardlink_to(beside)
    except OSError:
        if os.path.lexists(path):
            raise
        # Not every disk knows a second name for a file.
        beside.rename(path)
