"""What a worker reads from an answer: the work, how often it shows signs of life, where it stands."""

from interlock.wire.envelope import Envelope
from interlock.worker.work import BEAT_MIN_S, Work, standing, work_of
from tests.still import START, StillClock


def answer(lasts_ms: int | None, status: str = "claimed") -> Envelope:
    """Return an answer that hands out work."""
    part: dict[str, object] = {"part_id": "box-1.2", "kind": "item", "status": "open"}
    if lasts_ms is not None:
        part["lease"] = {"token": "a.1", "holder": "me", "expires_at": START + lasts_ms}
    return Envelope(status=status, data={"unit_id": "box-1", "part": part})


def work(lasts_ms: int) -> Work:
    """Return the work that an answer hands out."""
    found = work_of(answer(lasts_ms), 10, StillClock())
    assert found is not None
    return found


def test_work_is_what_was_claimed() -> None:
    found = work(6_000)

    assert found[:4] == ("box-1", "box-1.2", "item", "a.1")
    assert found.told["status"] == "open"


def test_a_sign_of_life_comes_after_a_third_of_the_lease_within_bounds() -> None:
    assert work(6_000).beat_s == 2
    assert work(60_000_000).beat_s == 10
    # Whose clock is ahead cannot tell; the server is not flooded all the same.
    assert work(-5_000).beat_s == BEAT_MIN_S


def test_where_nothing_is_handed_out_there_is_no_work() -> None:
    assert work_of(Envelope(status="no_work"), 10, StillClock()) is None
    assert work_of(answer(None), 10, StillClock()) is None
    assert work_of(answer(6_000, "blocked"), 10, StillClock()) is None


def test_where_a_part_stands_is_told_by_every_answer_about_it() -> None:
    assert standing(answer(6_000), "item") == "open"
    assert standing(Envelope(status="x", data={"item": {"status": "done"}}), "item") == "done"
    assert standing(Envelope(status="x"), "item") == ""
