"""What is wrong with a chain is told whole, each mistake with its place and its remedy."""

from interlock.commands.mission.wrong import CHAIN, ChainInvalid, Wrong, in_words, told

WRONG = [
    Wrong(2, "tool", "There is none.", "Use another."),
    Wrong(CHAIN, "output", "No.", "Make it."),
]


def test_all_of_it_is_in_the_message_and_in_the_fields() -> None:
    no = ChainInvalid(WRONG)

    assert (no.code, no.http, no.retryable) == ("VALIDATION_FAILED", 422, False)
    assert no.message.startswith(
        "The chain is not valid (2 mistakes). Step 2, tool: There is none."
    )
    assert "The chain, output: No. Make it." in no.message
    assert no.fields == (("steps.2.tool", "There is none."), ("steps.0.output", "No."))


def test_each_can_be_told_by_itself() -> None:
    assert told(WRONG)[0] == {
        "step": 2, "field": "tool", "message": "There is none.", "fix": "Use another.",
    }  # fmt: skip
    assert in_words(WRONG[:1]) == "Step 2, tool: There is none. Use another."
