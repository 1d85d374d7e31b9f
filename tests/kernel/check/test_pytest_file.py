"""The generated tests fail while the workflow is broken, and pass once it is mended."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from interlock.kernel.check.explore import explore
from interlock.kernel.check.judge import judge
from interlock.kernel.check.pytest_file import pytest_file
from interlock.kernel.check.scope import Scope
from interlock.kernel.rules import Fire, Rule
from interlock.workflows.plan.scope import scope as plan_scope
from interlock.workflows.plan.workflow import WORKFLOW as PLAN
from tests.kernel import tiny
from tests.kernel.check.holes import HOLES, Hole, checked
from tests.kernel.check.planted import PLANTED
from tests.kernel.tiny import CASES, HANDS, added, case_is
from tests.seeds.planting import without_cascades

ROOT = Path(__file__).parents[3]
SUBJECT = '''"""The workflows under test, broken or mended."""

from tests.kernel.check.planted import subject


def scope_of(number):
    return subject(number, is_mended={is_mended})
'''


def generated(scope: Scope, code: str = "scope_of(0)") -> str:
    """Return the file for whatever a check of the scope finds."""
    walk = explore(scope)
    return pytest_file(walk.graph, judge(walk), "from subject import scope_of", code)


def run(folder: Path, *, is_mended: bool) -> dict[str, int]:
    """Run the tests in a folder; return how many of them did what."""
    (folder / "subject.py").write_text(SUBJECT.format(is_mended=is_mended), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider",
         "--tb=line", "--rootdir", str(folder), str(folder)],
        cwd=folder, capture_output=True, text=True, check=False,
        # The file needs no plugin, and to load ours takes longer than to run it.
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}",
             "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    told = re.findall(r"(\d+) (passed|failed|error)", done.stdout.splitlines()[-1])
    return {what: int(count) for count, what in told}


def test_the_tests_fail_while_it_is_broken_and_pass_once_it_is_mended(tmp_path: Path) -> None:
    count = 0
    for number, planted in enumerate(PLANTED):
        text = generated(planted, f"scope_of({number})")
        count += text.count("def test_")
        (tmp_path / f"test_{number}.py").write_text(text, encoding="utf-8")

    assert run(tmp_path, is_mended=False) == {"failed": count}
    assert run(tmp_path, is_mended=True) == {"passed": count}


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: f"{hole.kind} {hole.where}")
def test_there_is_a_test_for_each_finding_and_it_can_be_read(hole: Hole) -> None:
    scope = checked(hole)
    text = generated(scope)
    compile(text, "generated", "exec")

    assert text.count("def test_") == len(judge(explore(scope)))


def test_a_finding_about_a_state_is_shown_by_the_calls_that_lead_there() -> None:
    hole = next(hole for hole in HOLES if hole.kind == "AGENTS_STUCK")
    text = generated(checked(hole))

    assert (
        text
        == '''"""What a check of cases found, as tests: each fails until the workflow is mended."""

from subject import scope_of
from interlock.kernel.check.report import check
from interlock.kernel.check.retrace import Sent, check_from, retrace

SCOPE = scope_of(0)


def test_1_agents_stuck_case_paused() -> None:
    """AGENTS_STUCK at case paused: Agents alone can neither finish it nor bring it to a gate."""
    calls = [
        Sent('claim', 'agent', 0, 'agent', {}),
        Sent('pause', 'agent', None, 'agent', {}),
    ]
    state = retrace(SCOPE, 0, calls)
    found = {(f.finding.kind, f.finding.where) for f in check_from(SCOPE, state).findings}

    assert ("AGENTS_STUCK", "case paused") not in found
'''
    )


def test_a_finding_about_a_call_stops_before_it_and_lets_the_check_try_it() -> None:
    hole = next(hole for hole in HOLES if hole.kind == "ZOMBIE")
    text = generated(checked(hole))

    assert "        Sent('finish', 'agent', 0, 'agent', {'fence': -1}),\n    ]\n" in text
    assert "retrace(SCOPE, 0, calls[:-1])" in text


def test_a_finding_that_the_tables_alone_show_needs_no_calls() -> None:
    hole = next(hole for hole in HOLES if hole.kind == "UNREACHABLE")
    text = generated(checked(hole))

    assert "retrace(SCOPE" not in text
    assert 'assert ("UNREACHABLE", "case odd") not in found' in text


def test_what_is_wrong_where_it_starts_takes_no_call_to_get_to() -> None:
    hole = next(hole for hole in HOLES if hole.where == "nothing on open")

    assert "    calls = []\n" in generated(checked(hole))


def test_arguments_are_written_as_code_with_their_tuples() -> None:
    rule = Rule("jam", "case", HANDS, (case_is("open"),), (Fire("unit", "answer"),),
                examples=({"why": ("a", {"b": [1]}), "quote": 'say "no"'},))  # fmt: skip
    text = generated(replace(tiny.scope(added(rule), 1), is_wide=False))

    assert """{'quote': 'say "no"', 'why': ('a', {'b': [1]})}""" in text


def test_a_sound_workflow_makes_a_file_without_tests() -> None:
    assert "def test_" not in generated(tiny.scope(CASES))


def test_branches_are_written_with_the_call_they_hang_on() -> None:
    text = generated(plan_scope(2, flow=without_cascades(PLAN, "close the steps")))

    assert "[('go === true', 'fail', {'reason': 'a dead end'}, 0)])," in text
