"""Scripts and their shapes: plain values with nothing in them by default."""

from interlock.kernel.seen import Unit
from interlock.store.rows import UnitRow
from interlock.store.script import (
    NO_COUNTS,
    NO_TALLY,
    Answer,
    Branching,
    Change,
    Committed,
    Load,
    Loaded,
    Nothing,
    Script,
    Surroundings,
)

UNIT = UnitRow("u", "plan", "d", Unit("planning", {}), {}, 1, "h", 0, "")


def _script() -> Script:
    """Ask for a unit and answer with its status, as a turn does."""
    loaded = yield Load("u")
    if not isinstance(loaded, Loaded):
        return Nothing("nothing")
    return Nothing(loaded.unit.unit.status)


def _drive(script: Script, *answers: Answer) -> object:
    asked = next(script)
    try:
        for answer in answers:
            asked = script.send(answer)
    except StopIteration as stop:
        return stop.value
    return asked


def test_whoever_drives_a_script_answers_what_it_asks_and_gets_what_it_returns() -> None:
    assert _drive(_script()) == Load("u")
    assert _drive(_script(), None) == Nothing("nothing")
    assert _drive(_script(), Loaded(UNIT, None, {}, None, "inc")) == Nothing("planning")


def test_a_change_writes_nothing_but_the_unit_unless_it_says_so() -> None:
    first, second = (Change("t", 0, UNIT, (), 5) for _ in range(2))

    assert first == second
    assert (first.parts, first.made, first.gone, first.links, first.artifacts) == (
        (),
        (),
        (),
        (),
        (),
    )
    assert (first.bodies, first.leases, first.overdue, first.key) == ({}, {}, None, None)
    assert first.skill is None
    assert first.leases is not second.leases


def test_what_was_not_asked_for_is_empty_and_cannot_be_written_to() -> None:
    bare = Surroundings()

    assert (bare.parent, bare.current, bare.conditions) == (None, None, ())
    assert (bare.children, bare.dependents) == (NO_TALLY, NO_TALLY)
    assert Branching("a", "fail", {}).between is NO_COUNTS
    assert not hasattr(NO_TALLY, "update")


def test_an_answer_is_new_unless_it_says_that_it_was_given_before() -> None:
    assert Committed("x") == ("x", False, "")
