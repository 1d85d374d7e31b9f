"""Workshops: the settings that mutmut reads, and that survivors are tried again after a change."""

import json
import os
import sys
import tomllib
from pathlib import Path

import pytest

from tests.tools.mutation.shop import NAME, left_behind
from tools.mutation.groups import Group
from tools.mutation.workshop import Workshop, settings

GROUP = Group("one", ("*.py",), ("tests/*.py",), ("slow", "long"))
TWICE = Group("one", ("kernel/*.py",), ())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("src/interlock", "src/interlock/kernel", "tests", "tools"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "a.py").write_text("first")
    (tmp_path / "src/interlock/kernel/a.py").rename(tmp_path / "src/interlock/kernel/twice.py")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "house"\n')
    return tmp_path


def _codes(shop: Workshop) -> dict[str, int | None]:
    (meta,) = shop.metas()
    return dict(json.loads(meta.read_text())["exit_code_by_key"])


def test_mutmut_is_told_what_to_change_and_what_to_run(root: Path) -> None:
    told = tomllib.loads(settings(GROUP, root, 10))["tool"]["mutmut"]

    assert told["only_mutate"] == ["src/interlock/a.py"]
    assert told["pytest_add_cli_args_test_selection"] == ["tests/a.py"]
    assert told["pytest_add_cli_args"][-2:] == ["-k", "not (slow) and not (long)"]


def test_without_slow_tests_none_are_left_out(root: Path) -> None:
    told = tomllib.loads(settings(Group("one", (), ()), root, 10))["tool"]["mutmut"]

    assert "-k" not in told["pytest_add_cli_args"]


def test_the_settings_of_the_house_stay_beside_those_of_mutmut(root: Path) -> None:
    shop = Workshop(root, root / "build" / "one")

    shop.lay_out(GROUP, 10)

    told = tomllib.loads((shop.folder / "pyproject.toml").read_text())
    assert told["project"]["name"] == "house"
    assert told["tool"]["mutmut"]["source_paths"] == ["src"]
    assert (shop.folder / "tests" / "a.py").read_text() == "first"


def test_after_a_change_survivors_are_tried_again_and_what_was_caught_stays(root: Path) -> None:
    codes: dict[str, int | None] = {f"{NAME}1": 1, f"{NAME}2": 0}
    shop = left_behind(root, codes)
    (shop.folder / "mutants" / "mutmut-stats.json").write_text("{}")
    shop.lay_out(TWICE, 10)
    assert _codes(shop) == {f"{NAME}1": 1, f"{NAME}2": None}
    assert not (shop.folder / "mutants" / "mutmut-stats.json").exists()

    (meta,) = shop.metas()
    meta.write_text(json.dumps({"exit_code_by_key": codes}))
    shop.lay_out(TWICE, 10)
    assert _codes(shop) == codes  # nothing has changed

    (root / "tests" / "a.py").write_text("second")
    shop.lay_out(TWICE, 10)
    assert _codes(shop) == {f"{NAME}1": 1, f"{NAME}2": None}

    meta.write_text(json.dumps({"exit_code_by_key": codes}))
    shop.lay_out(TWICE, 20)
    assert _codes(shop) == {f"{NAME}1": 1, f"{NAME}2": None}  # the settings are others


def test_what_ran_out_of_time_is_tried_again_it_may_have_been_the_machine(root: Path) -> None:
    shop = left_behind(root, {f"{NAME}1": 36, f"{NAME}2": 33})

    shop.lay_out(TWICE, 10)

    assert _codes(shop) == {f"{NAME}1": None, f"{NAME}2": None}


def test_what_was_half_written_is_written_again_and_the_rest_stays(root: Path) -> None:
    shop = left_behind(root, {})
    changed = shop.folder / "mutants" / "src" / "interlock" / "kernel" / "twice.py"
    shop.lay_out(TWICE, 10)
    assert changed.exists()

    later = changed.with_name("twice.py.spans").stat().st_mtime + 1
    os.utime(changed, (later, later))
    shop.lay_out(TWICE, 10)
    assert not changed.exists()

    changed.touch()
    changed.with_name("twice.py.spans").unlink()
    shop.lay_out(TWICE, 10)
    assert not changed.exists()


def test_what_came_of_a_module_that_left_the_group_is_forgotten(root: Path) -> None:
    shop = left_behind(root, {f"{NAME}1": 1})

    shop.lay_out(GROUP, 10)

    assert list(shop.metas()) == []


def test_it_can_be_begun_anew(root: Path) -> None:
    shop = left_behind(root, {f"{NAME}1": 1})

    shop.clear()

    assert list(shop.metas()) == []


def test_what_mutmut_ends_with_is_told_and_what_it_says_is_kept(root: Path) -> None:
    shop = Workshop(root, root / "build" / "one")
    shop.lay_out(GROUP, 10)
    mutmut = root / "mutmut"
    mutmut.write_text(f"#!{sys.executable}\nimport sys\nprint(sys.argv[1:])\nsys.exit(3)\n")
    mutmut.chmod(0o755)

    assert shop.run(mutmut, 2, lambda: None) == 3
    assert (shop.folder / "mutmut.log").read_text() == "['run', '--max-children', '2']\n"


def test_how_far_it_is_is_what_mutmut_said_last(root: Path) -> None:
    shop = Workshop(root, root)
    log = root / "mutmut.log"
    log.write_text("\r| Generating mutants", encoding="utf-8")
    assert shop.progress() == "not begun yet"

    log.write_text("\r| 3/70  \U0001f389 2\r/ 12/70  \U0001f389 9", encoding="utf-8")
    assert shop.progress() == "12 of 70 tried"
