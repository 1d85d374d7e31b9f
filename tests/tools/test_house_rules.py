"""Each house rule sees a planted breach, says where it is, and leaves a tidy tree alone."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tools import house_rules
from tools.house_rules import RULES, Breach, Rule, breaches

Plant = Callable[[str, str], Path]

HASH = "    --hash=sha256:" + "0123456789abcdef" * 4


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """Write a file into the tree under test and return the root of the tree."""

    def write(path: str, text: str) -> Path:
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return tmp_path

    return write


@pytest.fixture
def tidy(plant: Plant) -> Path:
    """A small tree that keeps every rule."""
    plant("src/interlock/__init__.py", '"""The package."""\n')
    plant("src/interlock/kernel/walk.py", '"""Walks."""\n\nfrom interlock.errors import Bug\n')
    plant("src/interlock/errors.py", '"""Errors."""\n')
    plant("src/interlock/workflows/plan.py", '"""A plan and its steps."""\n')
    plant("tests/test_errors.py", '"""Errors, tried."""\n')
    plant("tests/kernel/test_walk.py", '"""Walks, tried."""\n')
    plant("tests/workflows/test_plan.py", '"""Plans, tried."""\n# TODO(#12): more of them\n')
    plant("tools/draw.py", '"""Draws."""\n')
    plant("tests/tools/test_draw.py", '"""Drawings, tried."""\n')
    plant("requirements/run.txt", f"rich==15.0.0 \\\n{HASH} \\\n{HASH}\n")
    plant("docs/adr/README.md", "- [Floors](0001-floors.md)\n")
    return plant("docs/adr/0001-floors.md", "# Floors\n")


def found_by(rule: Rule, root: Path) -> list[tuple[str, int]]:
    return [(breach.path.as_posix(), breach.line) for breach in rule(root)]


def test_a_tidy_tree_has_no_breach(tidy: Path) -> None:
    assert breaches(tidy) == []


def test_an_empty_tree_has_no_breach(tmp_path: Path) -> None:
    assert breaches(tmp_path) == []


def test_a_breach_reads_as_a_place_and_a_reason() -> None:
    breach = Breach(Path("src/a.py"), 3, "file_size", "too long")

    assert str(breach) == "src/a.py:3: file_size: too long"


def test_a_file_that_is_not_python_is_told_once_and_stops_no_other_rule(plant: Plant) -> None:
    root = plant("src/interlock/kernel/broken.py", '"""Broken."""\ndef half(:\n')
    plant("tests/kernel/test_broken.py", '"""Tried."""\n')

    assert [breach.rule for breach in breaches(root)] == ["parses"]
    assert found_by(house_rules.parses, root) == [("src/interlock/kernel/broken.py", 2)]


@pytest.mark.parametrize(("suffix", "limit"), sorted(house_rules.LINES_MAX.items()))
def test_a_file_may_reach_its_limit_and_no_more(plant: Plant, suffix: str, limit: int) -> None:
    plant(f"src/interlock/full{suffix}", "\n" * limit)
    root = plant(f"src/interlock/over{suffix}", "\n" * (limit + 1))

    assert found_by(house_rules.file_size, root) == [(f"src/interlock/over{suffix}", limit + 1)]


@pytest.mark.parametrize("keyword", ["def", "async def"])
def test_a_function_may_have_fifty_lines_and_no_more(plant: Plant, keyword: str) -> None:
    full = f"{keyword} full():\n" + "    pass\n" * 49
    over = f"{keyword} over():\n" + "    pass\n" * 50
    root = plant("tools/long.py", full + over)

    assert found_by(house_rules.function_size, root) == [("tools/long.py", 51)]


def test_a_method_is_a_function_too(plant: Plant) -> None:
    root = plant("tools/long.py", "class Long:\n    def over(self):\n" + "        pass\n" * 50)

    assert found_by(house_rules.function_size, root) == [("tools/long.py", 2)]


@pytest.mark.parametrize("text", ["", "x = 1\n", '"""   """\n', "# a comment\n"])
def test_a_module_that_does_not_introduce_itself_is_found(plant: Plant, text: str) -> None:
    root = plant("tests/kernel/test_x.py", text)

    assert found_by(house_rules.module_docstring, root) == [("tests/kernel/test_x.py", 1)]


@pytest.mark.parametrize(
    ("source", "mirror"),
    [
        ("src/interlock/clock.py", "tests/test_clock.py"),
        ("src/interlock/store/rows.py", "tests/store/test_rows.py"),
        ("src/interlock/doors/mcp/_server.py", "tests/doors/mcp/test_server.py"),
        ("tools/draw.py", "tests/tools/test_draw.py"),
    ],
)
def test_a_module_needs_its_mirror(plant: Plant, source: str, mirror: str) -> None:
    root = plant(source, "")

    assert found_by(house_rules.mirror_test, root) == [(source, 1)]
    assert mirror in house_rules.mirror_test(root)[0].message

    plant(mirror, "")

    assert found_by(house_rules.mirror_test, root) == []


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py"])
def test_a_package_and_its_door_need_no_mirror(plant: Plant, name: str) -> None:
    root = plant(f"src/interlock/store/{name}", "")

    assert found_by(house_rules.mirror_test, root) == []


@pytest.mark.parametrize(
    "path",
    [
        *(f"src/interlock/{name}.py" for name in sorted(house_rules.BANNED_NAMES)),
        "src/interlock/string_utils.py",
        "src/interlock/core/walk.py",
        "tests/helpers.py",
    ],
)
def test_a_name_that_says_nothing_is_found(plant: Plant, path: str) -> None:
    root = plant(path, "")

    assert found_by(house_rules.banned_name, root) == [(path, 1)]


@pytest.mark.parametrize("path", ["src/interlock/database.py", "src/interlock/sql/common/a.sql"])
def test_a_name_that_only_resembles_a_banned_one_is_fine(plant: Plant, path: str) -> None:
    root = plant(path, "")

    assert found_by(house_rules.banned_name, root) == []


@pytest.mark.parametrize("word", ["TODO", "FIXME", "XXX", "HACK"])
def test_work_left_for_later_names_its_issue(plant: Plant, word: str) -> None:
    lines = ['"""Doc."""', f"a = 1  # {word}: soon", f"b = 2  # {word}(#7): soon", f'c = "{word}"']
    root = plant("tools/later.py", "\n".join(lines))

    assert found_by(house_rules.numbered_todo, root) == [("tools/later.py", 2)]


@pytest.mark.parametrize("folder", house_rules.WORDLESS_FOLDERS)
@pytest.mark.parametrize(
    "text",
    [
        "step = 1",
        "next_step = 1",
        "class PlanStep: pass",
        "class HTTPHop: pass",
        "x = 'a mission begins'",
        "x = f'{x} beads'",
        "x = 'first\\nticket'",
        "def f():\n    '''Docs.\n\n    Of HOPS.\n    '''",
        "x = 1  # a ticket, or two",
        "from interlock.workflows import tickets",
    ],
)
def test_a_workflows_word_below_its_floor_is_found(plant: Plant, folder: str, text: str) -> None:
    path = f"src/interlock/{folder}/walk.py"
    root = plant(path, text + "\n")

    assert {place for place, _ in found_by(house_rules.no_workflow_words, root)} == {path}


def test_a_workflows_word_is_told_with_its_line(plant: Plant) -> None:
    root = plant("src/interlock/kernel/walk.py", '"""Walks.\n\nAlong every\nstep.\n"""\n')

    assert found_by(house_rules.no_workflow_words, root) == [("src/interlock/kernel/walk.py", 4)]


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("src/interlock/store/plan.py", "", 1),
        ("src/interlock/store/sql/units.sql", "SELECT 1;\n-- the plan's row\n", 2),
    ],
)
def test_file_names_and_sql_speak_too(plant: Plant, path: str, text: str, line: int) -> None:
    root = plant(path, text)

    assert found_by(house_rules.no_workflow_words, root) == [(path, line)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/interlock/kernel/walk.py", "planned = explain('hopeful stepwise planner', EXPLAIN)"),
        ("src/interlock/workflows/plan.py", "step = 'hop'"),
        ("src/interlock/cli/plan.py", "bead = 'ticket'"),
        ("src/interlock/store/backup.py", "copying.step(1)"),
    ],
)
def test_other_words_and_other_floors_are_free(plant: Plant, path: str, text: str) -> None:
    root = plant(path, text + "\n")

    assert found_by(house_rules.no_workflow_words, root) == []


@pytest.mark.parametrize(
    "text",
    ["import rich.table", "from pydantic import BaseModel", "from interlock import clock",
     "import interlock.workflows", "def f():\n    import interlock.errorsome"],
)  # fmt: skip
def test_the_kernel_importing_more_than_it_may_is_found(plant: Plant, text: str) -> None:
    root = plant("src/interlock/kernel/walk.py", text)

    assert len(found_by(house_rules.kernel_imports, root)) == 1


@pytest.mark.parametrize(
    "text",
    ["import ast", "from collections.abc import Mapping", "from interlock.errors import Bug",
     "from interlock import errors", "from interlock.kernel.check import walk"],
)  # fmt: skip
def test_the_kernel_may_import_what_it_stands_on(plant: Plant, text: str) -> None:
    root = plant("src/interlock/kernel/walk.py", text)

    assert found_by(house_rules.kernel_imports, root) == []


@pytest.mark.parametrize(
    "line",
    ["--index-url index.example", "-f wheels", "rich @ file:///srv/rich.whl", "-e .",
     "/srv/wheels/rich-15.0.0.whl", "../rich", "rich", "rich>=15", "# from index.example",
     "rich==15.0.0 --hash=md5:00", "    --hash=sha256:00", "rich==15.0.0 ; https://index.example"],
)  # fmt: skip
def test_a_lock_line_that_is_not_a_pin_or_a_hash_is_found(plant: Plant, line: str) -> None:
    root = plant("requirements/dev.txt", f"rich==15.0.0 \\\n{HASH}\n{line}\n")

    assert found_by(house_rules.clean_lock, root) == [("requirements/dev.txt", 3)]


@pytest.mark.parametrize(
    "line",
    ["typing-extensions==4.16.0 \\", "uvicorn[standard]==0.40.0 \\", "pytz==2025.2+local.1",
     "librt==0.16.0 ; platform_python_implementation != 'PyPy' \\"],
)  # fmt: skip
def test_every_form_of_a_pin_is_allowed(plant: Plant, line: str) -> None:
    root = plant("requirements/dev.txt", f"{line}\n{HASH}\n")

    assert found_by(house_rules.clean_lock, root) == []


def test_a_decision_that_nobody_can_find_is_found(plant: Plant) -> None:
    plant("docs/adr/README.md", "See 0002-versions.md, and [floors](0001-floors.md).\n")
    plant("docs/adr/0001-floors.md", "# Floors\n")
    root = plant("docs/adr/0002-versions.md", "# Versions\n")

    assert found_by(house_rules.linked_adr, root) == [("docs/adr/0002-versions.md", 1)]


def test_a_decision_longer_than_a_page_is_found(plant: Plant) -> None:
    plant("docs/adr/README.md", "[floors](0001-floors.md)\n")
    root = plant("docs/adr/0001-floors.md", "words\n" * 61)

    assert found_by(house_rules.linked_adr, root) == [("docs/adr/0001-floors.md", 61)]


def test_every_rule_has_its_reason() -> None:
    assert [rule for rule in RULES if not rule.__doc__] == []


def test_the_command_prints_the_breaches_and_fails(
    plant: Plant, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(plant("tools/__init__.py", ""))

    assert house_rules.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "tools/__init__.py:1: module_docstring: say in 2 to 6 lines what is here",
        "house rules broken: 1",
    ]


def test_the_command_is_silent_and_succeeds_on_a_tidy_tree(
    tidy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tidy)

    assert house_rules.main() == 0
    assert capsys.readouterr().out == ""
