"""The stage of the demo: the engine as everywhere, and a play that can be played again."""

import pytest

from interlock.cli.demo.stage import ANN, CLOCK, WORKS, agent
from interlock.cli.demo.ticket import play
from interlock.kernel.refusal import Refusal
from interlock.service.read import read_unit
from tests.cli.demo.conftest import Theatre

ME = agent("laptop")


def test_the_cast() -> None:
    assert [actor.kind for actor in (ANN, CLOCK, WORKS, ME)] == [
        "user",
        "system",
        "worker",
        "agent",
    ]


def test_an_event_moves_the_unit_and_is_counted(theatre: Theatre) -> None:
    stage = theatre.begun()

    assert stage.claim(ME, "step") == stage.part("a")
    assert (stage.status, stage.sent) == ("executing", 2)


def test_an_event_that_should_be_accepted_must_be(theatre: Theatre) -> None:
    stage = theatre.begun()

    with pytest.raises(Refusal, match="INVALID_TRANSITION"):
        stage.send(ME, "retry_step", stage.part("a"))


def test_a_refusal_changes_nothing_but_is_counted(theatre: Theatre) -> None:
    stage = theatre.begun()
    before = theatre.runner.run(read_unit(theatre.engine, "local", stage.unit))

    assert stage.refused(CLOCK, "claim", stage.part("a")) == "NOT_ALLOWED"
    after = theatre.runner.run(read_unit(theatre.engine, "local", stage.unit))
    assert after.snapshot.key() == before.snapshot.key()
    assert stage.refusals == 1


def test_an_event_that_should_be_refused_must_be(theatre: Theatre) -> None:
    stage = theatre.begun()

    with pytest.raises(AssertionError, match="claim should have been refused"):
        stage.refused(ME, "claim", stage.part("a"))


def test_the_holder_s_lease_is_sent_along(theatre: Theatre) -> None:
    stage = theatre.begun()
    part = stage.claim(ME, "step")
    stage.send(agent("another"), "submit", part, lease=stage.lease(part))
    stage.claim(ME, "step")

    assert (
        stage.refused(agent("another"), "submit", stage.part("b"), lease="old.1") == "STALE_LEASE"
    )


def test_new_parts_are_called_by_their_numbers(theatre: Theatre) -> None:
    stage = theatre.begun()
    stage.send(ME, "add_steps", steps=[{}, {}])

    assert [record.ids for record in stage.log() if record.change == "new"] == [
        ("a",),
        ("b",),
        ("#3",),
        ("#4",),
    ]


def test_a_play_that_is_played_again_does_nothing_twice(
    theatre: Theatre, capsys: pytest.CaptureFixture[str]
) -> None:
    first = theatre.play(play)
    told = first.log()
    capsys.readouterr()
    again = theatre.play(play)

    assert (again.unit, again.status, again.refusals) == (first.unit, first.status, 0)
    assert capsys.readouterr().out == ""
    assert again.log() == told
    again.close()
    assert f"{first.sent} commands had been done" in capsys.readouterr().out


def test_told_briefly_only_what_moves_the_unit_is_told(
    theatre: Theatre, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = theatre.begun(is_brief=True)
    capsys.readouterr()
    stage.claim(ME, "step")
    stage.claim(ME, "step")

    assert capsys.readouterr().out.splitlines() == [
        "  agent laptop    claim a",
        "                  plan: planning --begin--> executing  (claim)",
    ]


def test_another_performance_is_another_unit(theatre: Theatre) -> None:
    assert theatre.play(play, "first").unit != theatre.play(play, "second").unit
