"""Small libraries in C that are put between a process and its system, built when first wanted."""

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Final

BUILT: Final = Path(__file__).parents[1] / "build" / "native"


def lacks_compiler() -> str:
    """Say what this machine lacks to build one; nothing lacks, nothing is said."""
    return "" if shutil.which("gcc") else "gcc"


def built(source: Path) -> Path:
    """Return the library of a source as it is now; several processes may want it at once."""
    path = BUILT / f"{source.stem}-{sha256(source.read_bytes()).hexdigest()[:16]}.so"
    if not path.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(f".{os.getpid()}")
        line = ["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(new), str(source)]
        subprocess.run([*line, "-lpthread"], check=True)
        new.replace(path)
    return path
