"""Lines of checkpoints: signed, chained, and whatever is forged, left out or moved is told."""

import json
from dataclasses import replace
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from interlock.service.checkpoint import (
    GENESIS,
    Checkpoint,
    Head,
    name_of,
    public_text,
    read_lines,
    sign,
    told,
)
from interlock.store.heads import RestoreRow

KEY: Final = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
OTHER: Final = Ed25519PrivateKey.from_private_bytes(b"o" * 32)
PUBLIC: Final = KEY.public_key()


def lines(count: int = 3) -> list[str]:
    """Return so many lines that hang together."""
    made: list[str] = []
    for number in range(1, count + 1):
        head = Head("a", f"unit-{number}", number, f"h{number}")
        before = name_of(made[-1]) if made else GENESIS
        made.append(sign(Checkpoint(number, number * 10, "i", before, number, (head,)), KEY))
    return made


def test_a_line_is_read_as_it_was_signed() -> None:
    restore = RestoreRow("b", "a", 1, 2, "d")
    checkpoint = Checkpoint(1, 5, "i", GENESIS, 1, (Head("a", "ü", 3, "h"),), (restore,))
    line = sign(checkpoint, KEY)

    assert read_lines([line], PUBLIC) == ((checkpoint,), ())
    assert json.loads(line)["key"] == public_text(PUBLIC)
    assert "\n" not in line


def test_a_line_has_one_form_for_ever() -> None:
    """Files of long ago must still be proved: not a blank of what was signed may change."""
    (line,) = lines(1)

    assert line == (
        '{"checkpoint":1,"at":10,"incarnation":"i","before":'
        '"99c85b4f8d0b4ae5b2d8fbd8887cb11347e808787b2bcd4b8f7ec81852a9e70e","units":1,'
        '"heads":[["a","unit-1",1,"h1"]],"restores":[],"key":'
        '"8320a51977d8c38ca8a4927c670df5821e449761945e15e9efb26a1509d230ea","signature":'
        '"f8757307166f1d70711c7713d08150ce3076a03339506f230dde60a44ab31007'
        '39f7000ed15963557fc26841da1e6034512456f57ea06fa14239af44e5421e0f"}'
    )


def test_what_is_no_line_is_told_to_be_none() -> None:
    (line,) = lines(1)
    found, wrong = read_lines([line, "[]", line.replace('"at":10', '"at":11')], PUBLIC)

    assert (len(found), [one.what for one in wrong]) == (
        1, ["it cannot be read: TypeError('a line is an object')", "its signature does not fit"],
    )  # fmt: skip


def test_lines_that_hang_together_are_believed() -> None:
    found, wrong = read_lines(lines(), PUBLIC)

    assert (len(found), wrong) == (3, ())
    assert told(found) == {("a", f"unit-{n}"): (n, f"h{n}") for n in (1, 2, 3)}
    assert read_lines([], PUBLIC) == ((), ())


def test_the_last_head_of_a_unit_is_the_one_that_is_told() -> None:
    first = Checkpoint(1, 1, "i", GENESIS, 1, (Head("a", "u", 1, "x"),))

    assert told([first, replace(first, heads=(Head("a", "u", 2, "y"),))]) == {("a", "u"): (2, "y")}


@pytest.mark.parametrize(
    "what", ["at", "incarnation", "before", "units", "heads", "restores", "key"]
)
def test_nothing_in_a_line_can_be_changed(what: str) -> None:
    made = lines()
    body = json.loads(made[1])
    body[what] = [["x"]] if isinstance(body[what], list) else "9"
    made[1] = json.dumps(body, separators=(",", ":"))

    _, wrong = read_lines(made, PUBLIC)

    assert [one.number for one in wrong] == [2, 3]
    assert wrong[0].what == "its signature does not fit"


def test_a_line_signed_by_somebody_else_is_told() -> None:
    forged = sign(Checkpoint(1, 10, "i", GENESIS, 0, ()), OTHER)

    found, (wrong,) = read_lines([forged], PUBLIC)

    assert (found, wrong.what) == ((), "its signature does not fit")


def test_a_line_that_is_left_out_or_moved_is_told() -> None:
    one, two, three = lines()

    assert [w.number for w in read_lines([one, three], PUBLIC)[1]] == [2]
    assert [w.number for w in read_lines([two, three], PUBLIC)[1]] == [1, 2]
    assert [w.number for w in read_lines([one, three, two], PUBLIC)[1]] == [2, 3]
    assert [w.number for w in read_lines([one, one, two], PUBLIC)[1]] == [2, 3]


def test_a_number_that_does_not_fit_is_told() -> None:
    line = sign(Checkpoint(7, 1, "i", GENESIS, 0, ()), KEY)

    assert read_lines([line], PUBLIC)[1][0].what == "it has the number 7"


@pytest.mark.parametrize("line", ["", "{", "[]", "null", "{}", '{"signature":"zz"}', "\ufffd"])
def test_what_is_no_line_is_told(line: str) -> None:
    found, (wrong,) = read_lines([line], PUBLIC)

    assert found == ()
    assert wrong.what.startswith(("it cannot be read", "its signature"))
