"""Rows about waiting: who is named, and when an agent may bring a person's decision."""

import pytest

from interlock.workflows.waits import AGENTS, PERSON, RELAYED, Row

DECIDE = Row(PERSON, ("approve",), "The {what} waits.")


def test_a_sentence_is_filled_in() -> None:
    wait = DECIDE.wait("shown", None, "human", {"what": "design"})

    assert (wait.state, wait.what, wait.events) == ("shown", "The design waits.", ("approve",))


@pytest.mark.parametrize(
    ("row", "policy", "who"),
    [
        (DECIDE, "human", PERSON),
        (DECIDE, "relay", RELAYED),
        (DECIDE._replace(is_own=True), "relay", PERSON),
        (DECIDE._replace(who=AGENTS), "relay", AGENTS),
    ],
)
def test_only_a_decision_is_relayed_and_not_one_s_own_word(
    row: Row, policy: str, who: tuple[str, ...]
) -> None:
    assert row.wait("shown", None, policy, {"what": "x"}).who == who
