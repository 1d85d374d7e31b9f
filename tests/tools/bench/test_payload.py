"""What a step brings home: as much each time, and never the same."""

from tools.bench.payload import FINDINGS, brought


def test_two_steps_bring_the_same_findings_under_different_names() -> None:
    one, other = brought("plan.1"), brought("plan.2")

    assert one != other
    assert one["findings"] == other["findings"] == FINDINGS
