"""``interlock explain`` and ``interlock list``: why things stand where they do, and what there is."""

from pathlib import Path

import pytest

from tests.cli.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def test_an_explanation_shows_the_call_with_the_lease(home: Home) -> None:
    plan = home.plan()
    step, lease = home.claim(plan, "--session", "s1")

    lines = home.ask("explain", step).out.splitlines()

    assert lines[0] == "The step is in_progress, held by s1."
    assert lines[1] == "It moves when"
    assert lines[2].startswith(f"  · submit_step_result {step} --lease {lease} ")
    assert "--fence" not in "\n".join(lines)


def test_the_call_that_is_shown_works(home: Home) -> None:
    plan = home.plan("only")
    home.claim(plan, "--session", "s1")
    line = home.ask("explain", f"{plan}.1").out.splitlines()[2]
    _, _, step, _, lease, *_ = line.split()

    said = home.ask("plan", "submit", step, "--lease", lease, "-m", "found")

    assert said.out.startswith(f"✓ {plan}.1 completed; the plan is completed\n")


def test_a_unit_is_explained(home: Home) -> None:
    plan = home.plan()

    said = home.ask("explain", plan)
    told = home.told("explain", plan)

    assert said.out.startswith("The plan is planning.\n")
    assert told["status"] == "planning"


def test_whoever_holds_it_is_shown_as_text(home: Home) -> None:
    plan = home.plan()
    home.claim(plan, "--session", "[/x]\x1b[31m")

    assert "held by [/x]�[31m." in home.ask("explain", f"{plan}.1").out


@pytest.mark.parametrize("name", ["plan-000000000000", "x", "plan-000000000000.1"])
def test_what_is_not_there_is_not_explained(home: Home, name: str) -> None:
    said = home.ask("explain", name)

    assert (said.code, said.out) == (2, "")
    assert said.err == f"NOT_FOUND There is no {name!r}.\nCheck the id; list what there is.\n"


def test_an_empty_folder_says_how_to_begin(home: Home) -> None:
    said = home.ask("list")

    assert said.out == (
        "There is nothing yet. Begin: interlock plan create NAME --question … --step …\n"
    )


def test_units_are_listed_with_names_as_they_are(home: Home) -> None:
    bold, red = home.plan(name="[bold]"), home.plan(name="\x1b[31m")

    lines = home.ask("list").out.splitlines()

    assert set(lines) == {
        f"{bold}  planning         [bold]", f"{red}  planning         �[31m",
    }  # fmt: skip
    assert home.ask("list", "--workflow", "ticket").out.startswith("There is nothing yet.")


def test_a_list_goes_on_where_it_ended(home: Home) -> None:
    made = {home.plan() for _ in range(3)}
    first = home.told("list", "--limit", "2")["data"]
    assert isinstance(first, dict)

    rest = home.told("list", "--limit", "2", "--cursor", str(first["cursor"]))["data"]

    assert isinstance(rest, dict)
    assert {row["id"] for row in (*first["units"], *rest["units"])} == made


@pytest.mark.parametrize(
    "words",
    [("--limit", "0"), ("--limit", "201"), ("--limit", str(2**80)), ("--cursor", "x")],
)
def test_absurd_lists_are_refused(home: Home, words: tuple[str, ...]) -> None:
    said = home.ask("list", *words)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("INVALID_INPUT ")
