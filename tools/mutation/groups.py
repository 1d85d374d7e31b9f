"""What is changed, group by group, and which quick tests watch it; read from ``groups.toml``."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

GROUPS: Final = Path(__file__).with_name("groups.toml")
PACKAGE: Final = "src/interlock"


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that are changed, as patterns below the package, and the tests that must notice."""

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]
    # Which tests are not run, as `pytest -k` reads it: they take seconds, and a mutant is a run.
    slow: tuple[str, ...] = ()
    # Modules that a pattern fits and that are not changed.
    spared: tuple[str, ...] = ()

    def files(self, root: Path) -> list[str]:
        """Return the files that are changed, below the root of the repository."""
        return _fitting(root, PACKAGE, self.modules, self.spared)

    def test_files(self, root: Path) -> list[str]:
        """Return the files of the tests."""
        return _fitting(root, "", self.tests, ())


def groups(path: Path = GROUPS) -> dict[str, Group]:
    """Return the groups by name, in the order in which they are tried."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        name: Group(name, **{field: tuple(row[field]) for field in row})
        for name, row in rows.items()
    }


def _fitting(root: Path, below: str, asked: tuple[str, ...], but: tuple[str, ...]) -> list[str]:
    """Return the paths that fit a pattern, in order; a ``*`` stays within its folder."""
    top = root / below
    found = {path for pattern in asked for path in top.glob(pattern)}
    found -= {path for pattern in but for path in top.glob(pattern)}
    return sorted(path.relative_to(root).as_posix() for path in found)
