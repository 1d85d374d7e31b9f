"""The folder in which mutmut changes a group: links to the sources, and settings of its own.

mutmut copies what it changes, and keeps what came of each mutant until its function is another
one: a stopped run goes on. It does not try a survivor again because a test is new; this does.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from tools.mutation.groups import Group

LINKED: Final = ("src", "tests", "tools")
CAUGHT: Final = frozenset({1, 3})
"""What pytest ends with when a test has failed, and when it has failed itself."""

OUT_OF_TIME: Final = frozenset({24, -24, 36, 152, 255})
LOOKS_EVERY_S: Final = 20.0
TRIED: Final = re.compile(r"(\d+)/(\d+) ")

# No files beside the tests; `recompiled` has the profile.
PYTEST: Final = (
    "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "tools.mutation.recompiled",
    "--hypothesis-profile=mutation",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where one group is changed. ``root`` is the repository."""

    root: Path
    folder: Path

    def lay_out(self, group: Group, patience: float) -> None:
        """Link the sources and write the settings; if anything has changed, forget survivors."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in LINKED:
            link = self.folder / name
            link.unlink(missing_ok=True)
            link.symlink_to((self.root / name).resolve())
        house = (self.root / "pyproject.toml").read_text(encoding="utf-8")
        told = house + settings(group, self.root, patience)
        (self.folder / "pyproject.toml").write_text(told, encoding="utf-8")
        self._drop_half_written(group)
        self._drop_strangers(group)
        seen, now = self.folder / "sources.sha256", self._digest(told)
        if not seen.exists() or seen.read_text(encoding="utf-8") != now:
            self._forget_survivors()
            seen.write_text(now, encoding="utf-8")

    def clear(self) -> None:
        """Forget everything."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, mutmut: Path, workers: int, look: Callable[[], None]) -> int:
        """Let mutmut try what is left to try; look now and then how far it is."""
        with (self.folder / "mutmut.log").open("wb") as log:
            command = [str(mutmut), "run", "--max-children", str(workers)]
            with subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log) as process:
                while True:
                    try:
                        return process.wait(LOOKS_EVERY_S)
                    except subprocess.TimeoutExpired:
                        look()

    def log(self) -> str:
        """Return what mutmut has said."""
        return (self.folder / "mutmut.log").read_text(encoding="utf-8", errors="replace")

    def progress(self) -> str:
        """Return how far mutmut says it is; its files are written while one looks."""
        told = TRIED.findall(self.log())
        return f"{told[-1][0]} of {told[-1][1]} tried" if told else "not begun yet"

    def metas(self) -> Iterator[Path]:
        """Yield the files in which mutmut keeps what came of the mutants of a module."""
        yield from sorted((self.folder / "mutants" / "src").rglob("*.py.meta"))

    def _drop_half_written(self, group: Group) -> None:
        """Take away what a run was writing when it was killed: mutmut would believe it is whole."""
        for name in group.files(self.root):
            path = self.folder / "mutants" / name
            spans = path.with_name(path.name + ".spans")  # what mutmut writes last
            if path.exists() and (
                not spans.exists() or spans.stat().st_mtime_ns < path.stat().st_mtime_ns
            ):
                path.unlink()

    def _drop_strangers(self, group: Group) -> None:
        """Take away what came of modules that are in this group no more."""
        known = {f"{name}.meta" for name in group.files(self.root)}
        for path in self.metas():
            if path.relative_to(self.folder / "mutants").as_posix() not in known:
                path.unlink()

    def _digest(self, settings: str) -> str:
        files = sorted(path for name in LINKED for path in (self.root / name).rglob("*.py"))
        told = sha256(settings.encode())
        for path in files:
            told.update(f"{path.relative_to(self.root)}\n".encode() + path.read_bytes())
        return told.hexdigest()

    def _forget_survivors(self) -> None:
        """Have all that nobody has caught tried again, by whatever test reaches it now."""
        (self.folder / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)
        for path in self.metas():
            meta = json.loads(path.read_text(encoding="utf-8"))
            codes = meta["exit_code_by_key"]
            meta["exit_code_by_key"] = {
                name: code if code in CAUGHT else None for name, code in codes.items()
            }
            path.write_text(json.dumps(meta), encoding="utf-8")


def settings(group: Group, root: Path, patience: float) -> str:
    """Return what mutmut is told about a group, as it stands in its ``pyproject.toml``.

    ``patience`` is how many times as long as usual the tests of a mutant may take.
    """
    slow = ["-k", " and ".join(f"not ({words})" for words in group.slow)] if group.slow else []
    rows = {
        "source_paths": ["src"],
        "only_mutate": group.files(root),
        "also_copy": ["tools"],
        "pytest_add_cli_args_test_selection": group.test_files(root),
        "pytest_add_cli_args": [*PYTEST, *slow],
        "use_git_change_detection": False,
        "on_dependency_change": "ignore",
        "timeout_multiplier": patience,
    }
    # A list of texts, a number or a yes or no is written in JSON as it is in TOML.
    lines = [f"{name} = {json.dumps(value)}" for name, value in rows.items()]
    return "\n[tool.mutmut]\n" + "\n".join(lines) + "\n"
