"""Removing what an agent has left: links are not followed, and no mode keeps anything."""

import os
import shutil
import stat
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final

FORCE: Final = (("chmod", "-R", "u+rwX"), ("rm", "-rf"))
"""Folders that we may not look into, and more of them in each other than we could follow."""


def remove(path: Path) -> None:
    """Remove a file, a link, or a folder with all that is in it; raises ``OSError``."""
    try:
        is_folder = stat.S_ISDIR(path.lstat().st_mode)
    except FileNotFoundError:
        return
    if not is_folder:
        path.unlink()
        return
    with suppress(OSError, RecursionError):
        shutil.rmtree(path)
    for words in FORCE:
        if os.path.lexists(path):
            line = [*words, "--", str(path.absolute())]
            subprocess.run(line, check=False, capture_output=True, stdin=subprocess.DEVNULL)  # noqa: S603 (our own words)
    if os.path.lexists(path):
        raise OSError(f"{path.name} cannot be removed")
