"""The shapes of the commands about gates."""

import pytest
from pydantic import ValidationError

from interlock.wire.gates import DecideGate, ListGates


@pytest.mark.parametrize("decision", ["", "Approve", "approve ", "a b", "x" * 61])
def test_a_decision_is_a_word(decision: str) -> None:
    with pytest.raises(ValidationError):
        DecideGate.model_validate({"gate_id": "g", "decision": decision})


def test_a_list_is_of_open_gates_unless_it_says_otherwise() -> None:
    assert ListGates().state == "open"
    with pytest.raises(ValidationError):
        ListGates.model_validate({"state": "closed"})
