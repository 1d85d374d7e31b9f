"""What a check covers, and how what is tried is said in a few words."""

import pytest

from interlock.kernel.check.scope import COMMANDS_MAX, PLAIN, Scope, Turn, Variant
from interlock.kernel.check.variants import AGENT_ACTOR
from interlock.kernel.expression import InvalidExpression
from interlock.workflows.plan.branching import GRAMMAR
from tests.kernel.tiny import CASES, YES, case


def test_a_scope_covers_everything_and_excuses_nothing_unless_told() -> None:
    scope = Scope(CASES, (), {"items": 2})
    snapshot = case("busy: held")

    assert scope.is_wide
    assert scope.commands_max == COMMANDS_MAX == 3
    assert dict(scope.most) == {}
    assert not scope.is_doomed(snapshot.unit)
    assert not scope.is_held(snapshot.unit)
    assert not scope.is_failing(snapshot.unit, snapshot.parts)


def test_a_scope_reads_conditions_as_its_workflow_does() -> None:
    assert str(Scope(CASES, (), {}).read("go === true")) == str(YES)
    assert Scope(CASES, (), {}, grammar=GRAMMAR).read("result.go === true").grammar is GRAMMAR
    assert Scope(CASES, (), {}).read("go === true").grammar is PLAIN
    with pytest.raises(InvalidExpression):
        Scope(CASES, (), {}).read("go ===")


@pytest.mark.parametrize(
    ("variant", "label"),
    [
        (Variant("x", "item", AGENT_ACTOR, {}), ""),
        (Variant("x", "item", AGENT_ACTOR, {}, "current"), ""),
        (Variant("x", "item", AGENT_ACTOR, {}, "stale"), "stale lease"),
        (Variant("x", "item", AGENT_ACTOR, {}, "former", (Turn(YES, "skip"),)),
         "former lease, skip"),
        (Variant("x", "item", AGENT_ACTOR, {"a": "told", "b": (1,), "c": 2, "d": 3}), "told, 2"),
    ],
    ids=["nothing", "an ordinary lease", "an old lease", "a branch", "the first two arguments"],
)  # fmt: skip
def test_a_variant_is_labelled_by_what_is_special_about_it(variant: Variant, label: str) -> None:
    assert variant.label == label
