"""What the door itself says no with: each has a code and a status of its own."""

from interlock.doors.rest import refusals
from interlock.errors import InterlockError


def test_every_refusal_is_about_what_the_caller_did() -> None:
    found = [
        one
        for one in vars(refusals).values()
        if isinstance(one, type) and issubclass(one, InterlockError) and one is not InterlockError
    ]

    assert len({one.code for one in found}) == len(found) == 5
    assert all(400 <= one.http < 500 for one in found)
    assert refusals.WrongMethod("No.", fix="Get it.", allow=("GET",)).allow == ("GET",)
