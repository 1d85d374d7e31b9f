"""How an explanation is told to people."""

from dataclasses import replace

from interlock.kernel.rules import AGENT
from interlock.kernel.seen import Actor
from interlock.kernel.why import Call, Fact, Wait, Why

ME = Actor(AGENT, "me", "me")
MOVES = Call("finish", "finish the item", ("agent", "user"), ME, "1", {"fence": 2, "result": 1},
             ("item held -> done",), 0)  # fmt: skip
NOTES = Call("note", "", ("agent",), ME, None, {}, (), 2)
ENDS = Call("drop", "drop the case", ("user",), ME, None, {}, ("case busy -> dropped",), 0,
            is_giving_up=True)  # fmt: skip


def test_a_call_says_what_to_send_and_by_whom_and_shows_its_fence_only() -> None:
    assert MOVES.text() == "finish the item 1 --fence 2 --result …   by agent or user"


def test_a_lease_is_shown_like_the_fence_it_holds() -> None:
    leased = replace(MOVES, args={"result": 1, "lease": "a1b2c3.2"})

    assert leased.text() == "finish the item 1 --lease a1b2c3.2 --result …   by agent or user"


def test_several_arguments_and_several_moves_stand_side_by_side() -> None:
    args = {"fence": 2, "lease": "x", "result": 1, "note": 1}
    both = replace(MOVES, args=args, moves=("item held -> done", "case busy -> closed"))
    why = Why("item", "held", is_ended=False, calls=(both,), facts=())

    assert why.text().splitlines()[2:] == [
        "  · finish the item 1 --fence 2 --lease x --result … --note …   by agent or user",
        "      item held -> done; case busy -> closed",
    ]


def test_a_call_without_a_command_is_called_by_its_event() -> None:
    assert NOTES.text() == "note   by agent"


def test_an_explanation_is_told_in_sections_and_empty_ones_are_left_out() -> None:
    facts = (Fact("it needs another", ("agent",), "BLOCKED", ("claim", "submit")), Fact("x", ()))
    why = Why("item", "held", False, (MOVES, NOTES, ENDS), facts, holder="me")  # noqa: FBT003  as it is made

    assert why.text().splitlines() == [
        "The item is held, held by me.",
        "It moves when",
        "  · finish the item 1 --fence 2 --result …   by agent or user",
        "      item held -> done",
        "Meanwhile",
        "  · note   by agent",
        "To give it up",
        "  · drop the case   by user",
        "      case busy -> dropped",
        "Not now",
        "  · it needs another [BLOCKED]: claim, submit",
        "  · x",
    ]


def test_what_must_happen_first_is_told_before_what_can_be_done_meanwhile() -> None:
    why = Why("item", "waiting", is_ended=False, calls=(NOTES,), facts=(), first=(MOVES,))

    assert why.text().splitlines()[1:4:2] == ["It can move after", "      item held -> done"]
    assert why.text().splitlines()[4] == "Meanwhile"


def test_what_has_ended_and_can_still_be_moved_is_told_how() -> None:
    ended = Why("case", "failed", is_ended=True, calls=(ENDS,), facts=())

    assert ended.text().startswith("The case is failed.\nTo give it up\n")
    assert Why("case", "closed", is_ended=True, calls=(), facts=()).text() == (
        "The case is closed. It has ended; nothing moves it any more."
    )


def test_what_is_waited_for_comes_first() -> None:
    wait = Wait("idle", ("agent", "user"), "Nobody has it.", ("claim",))
    why = Why("item", "open", is_ended=False, calls=(NOTES,), facts=(), waits=(wait,))

    assert why.text().splitlines()[1:4] == [
        "It waits for", "  · agent or user: Nobody has it.", "Meanwhile",
    ]  # fmt: skip
