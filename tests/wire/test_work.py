"""The shapes of the generic verbs: what is required, what is the default, what is too much."""

import pytest
from pydantic import ValidationError

from interlock.wire.envelope import Shape
from interlock.wire.work import (
    GiveUpWork,
    HeldWork,
    ListUnits,
    NextWork,
    ReadAudit,
    Ref,
    SubmitWork,
    TakeOverWork,
)


def test_work_is_asked_for_without_any_filter() -> None:
    asked = NextWork.model_validate({})

    assert (asked.workflow, asked.kind, asked.role, asked.member) == ("", "", "", "")
    assert (asked.tags, asked.wait_s) == ((), 0)


GOOD: list[tuple[type[Shape], dict[str, object]]] = [
    (SubmitWork, {"part_id": "p"}),
    (HeldWork, {"part_id": "p"}),
    (GiveUpWork, {"part_id": "p", "reason": "r"}),
    (TakeOverWork, {"part_id": "p", "reason": "r"}),
    (Ref, {"id": "i"}),
    (ReadAudit, {"id": "i"}),
]


@pytest.mark.parametrize(("shape", "told"), GOOD)
def test_everything_named_is_required_and_may_not_be_empty(
    shape: type[Shape], told: dict[str, object]
) -> None:
    shape.model_validate(told)
    for name in told:
        for wrong in ({**told, name: ""}, {k: v for k, v in told.items() if k != name}):
            with pytest.raises(ValidationError, match=name):
                shape.model_validate(wrong)


@pytest.mark.parametrize(
    ("shape", "wrong"),
    [
        (NextWork, {"workflow": "x" * 101}),
        (NextWork, {"tags": [""]}),
        (NextWork, {"tags": ["x"] * 21}),
        (NextWork, {"wait_s": 11}),
        (SubmitWork, {"part_id": "p", "answer": [1]}),
        (SubmitWork, {"part_id": "x" * 121}),
        (HeldWork, {"part_id": "p", "note": "x" * 100_001}),
        (HeldWork, {"part_id": "p", "lease": ""}),
        (ListUnits, {"limit": 0}),
        (ListUnits, {"limit": 201}),
        (ListUnits, {"cursor": ""}),
        (ReadAudit, {"id": "i", "after": -1}),
        (ReadAudit, {"id": "i", "limit": 0}),
        (ReadAudit, {"id": "i", "after": 2**63}),
    ],
)
def test_every_limit_holds(shape: type[Shape], wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        shape.model_validate(wrong)
