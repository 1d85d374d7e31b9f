"""What a server has said, as an error like any other of ours."""

from interlock.client.errors import Refused
from interlock.wire.envelope import Problem, problem


def test_a_refusal_from_afar_is_told_like_one_from_here() -> None:
    told = Problem(
        code="STALE_LEASE", message="m", fix="f", retryable=True, legal_moves=("get_next_step",)
    )  # fmt: skip

    assert problem(Refused(told, 409)) == told
    assert Refused(told, 409).details == {}
