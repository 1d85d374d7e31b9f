"""The mutation of tables: a row that is missed is killed, one that nobody misses is reported."""

from dataclasses import replace
from pathlib import Path

import pytest

from interlock.kernel.forms import Either, In
from interlock.kernel.rows import Row, rows
from interlock.kernel.rules import Pair
from interlock.kernel.workflow import Workflow
from interlock.workflows.built_in import WORKFLOWS
from interlock.workflows.plan.workflow import WORKFLOW
from tools import mutants
from tools.mutants import SUBJECTS, Subject, chosen, killer, main, reasons, run

USELESS = Pair("a plan is somewhere", ("planning",), Either((In("unit", ("planning",)),)))
PADDED = replace(WORKFLOW, pairs=(*WORKFLOW.pairs, USELESS))
SAMPLE = 12

Captured = pytest.CaptureFixture[str]


def _row(name: str) -> Row:
    return next(row for row in rows(PADDED) if row.name == name)


def _listed(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    path = folder / "survivors.toml"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(mutants, "SURVIVORS", path)


def test_a_story_that_notices_is_named() -> None:
    assert killer("plan", _row("walk release 1 unit resume")).startswith("story: a released step")


def test_where_no_story_notices_the_check_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = Subject(lambda _: [], SUBJECTS["plan"].scope)
    monkeypatch.setattr(mutants, "SUBJECTS", {"plan": silent})

    assert killer("plan", _row("lift every step settled")).startswith("check: ILLEGAL_PAIR ")


def test_a_workflow_that_cannot_even_be_made_is_missed_too() -> None:
    def unmade() -> Workflow:
        return replace(WORKFLOW, functions={})

    assert killer("plan", Row("all functions", "rule", unmade)).startswith("refused: ")


def test_a_row_that_nobody_misses_survives_and_is_reported(capsys: Captured) -> None:
    useless = _row("pair a plan is somewhere")

    assert killer("plan", useless) == ""
    assert run([("plan", useless)], is_all=False) == [
        "survives without a reason: plan: pair a plan is somewhere"
    ]
    assert "SURVIVED plan: pair a plan is somewhere" in capsys.readouterr().out


def test_a_survivor_with_a_reason_is_let_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _listed(monkeypatch, tmp_path, '[plan]\n"pair a plan is somewhere" = "it says nothing"\n')

    assert reasons() == {"plan: pair a plan is somewhere": "it says nothing"}
    assert run([("plan", _row("pair a plan is somewhere"))], is_all=False) == []


def test_a_reason_for_a_row_that_is_killed_is_stale(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _listed(monkeypatch, tmp_path, '[plan]\n"lift a step asks" = "no reason"\n"gone" = "old"\n')
    picked = [("plan", _row("lift a step asks"))]
    stale = "listed as a survivor but is not one: plan: "

    assert run(picked, is_all=False) == [f"{stale}lift a step asks"]
    assert run(picked, is_all=True) == [f"{stale}gone", f"{stale}lift a step asks"]


def test_killed_and_total_are_printed(capsys: Captured) -> None:
    run(
        [("plan", _row("lift a step asks")), ("plan", _row("pair a plan is somewhere"))],
        is_all=False,
    )

    assert "\n1 of 2 rows are missed when they are gone; took " in capsys.readouterr().out


def test_all_rows_are_chosen_unless_a_sample_is_asked_for() -> None:
    every = chosen(SUBJECTS, 0, 1)
    names = [f"{name}: {row.name}" for name, row in every]

    assert len(set(names)) == len(names), "two rows of one name could not be told apart"
    assert {row.kind for _, row in every} == {"edge", "guard", "walk", "lift", "cascade", "pair"}
    assert len(chosen(["plan"], 10_000, 1)) == len(rows(WORKFLOW))


def test_the_same_seed_chooses_the_same_sample() -> None:
    one, again, other = (
        [row.name for _, row in chosen(SUBJECTS, SAMPLE, seed)] for seed in (1, 1, 2)
    )

    assert len(one) == SAMPLE
    assert one == again
    assert one != other


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_workflow_that_lacks_nothing_is_not_broken(name: str) -> None:
    assert SUBJECTS[name].broken(WORKFLOWS[name]) == []


def test_of_a_sample_over_the_three_workflows_every_row_is_missed() -> None:
    """All rows take minutes: `make mutants`."""
    picked = chosen(SUBJECTS, SAMPLE, seed=2)

    assert {name for name, _ in picked} == set(SUBJECTS)
    assert run(picked, is_all=False) == []


def test_the_command_line_runs_a_sample(capsys: Captured) -> None:
    assert main(["plan", "--sample", "2", "--seed", "3"]) == 0
    assert "2 of 2 rows" in capsys.readouterr().out


def test_the_command_line_refuses_an_unknown_workflow(capsys: Captured) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["plann"])

    assert "there is no workflow 'plann'; known: plan, mission, ticket" in capsys.readouterr().err
