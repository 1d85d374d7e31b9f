"""A workshop as mutmut leaves it behind: one module, its mutants, and what came of them."""

import json
from pathlib import Path

from tools.mutation.workshop import Workshop

MUTATED = """\
def x_twice__mutmut_orig(number: int) -> int:
    doubled = number * 2
    return doubled


def x_twice__mutmut_1(number: int) -> int:
    doubled = None
    return doubled


def x_twice__mutmut_2(number: int) -> int:
    doubled = number * 3
    return doubled
"""
SPANS = {"x_twice__mutmut_orig": [1, 3], "x_twice__mutmut_1": [6, 8], "x_twice__mutmut_2": [11, 13]}
NAME = "interlock.kernel.twice.x_twice__mutmut_"


def left_behind(root: Path, codes: dict[str, int | None]) -> Workshop:
    """Return a workshop in which the mutants ended with these codes."""
    shop = Workshop(root, root / "build" / "one")
    folder = shop.folder / "mutants" / "src" / "interlock" / "kernel"
    folder.mkdir(parents=True)
    (folder / "twice.py").write_text(MUTATED)
    (folder / "twice.py.spans").write_text(json.dumps({"version": 1, "spans": SPANS}))
    (folder / "twice.py.meta").write_text(json.dumps({"exit_code_by_key": codes}))
    return shop
