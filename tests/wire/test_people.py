"""The shapes of commands about people: no request id, nothing unknown."""

import pytest
from pydantic import ValidationError

from interlock.wire import people
from interlock.wire.envelope import Asking, Shape
from interlock.wire.people import CreateToken, InviteUser, SetRole


def test_none_takes_a_request_id_because_its_answer_would_be_kept() -> None:
    shapes = [
        one
        for one in vars(people).values()
        if isinstance(one, type) and issubclass(one, Shape) and one.__module__ == people.__name__
    ]

    assert len(shapes) > 8
    assert [one for one in shapes if issubclass(one, Asking)] == []


@pytest.mark.parametrize(
    ("shape", "given"),
    [
        (CreateToken, {"name": ""}),
        (CreateToken, {"name": "x", "kind": "system"}),
        (CreateToken, {"name": "x", "scopes": ["root"]}),
        (CreateToken, {"name": "x", "expires_in_s": 0}),
        (CreateToken, {"name": "x", "owner": "pam"}),
        (InviteUser, {"email": "x"}),
        (InviteUser, {"email": "a@b.c", "role": "king"}),
        (SetRole, {"user_id": "u"}),
    ],
)
def test_what_makes_no_sense_is_refused(shape: type[Shape], given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        shape.model_validate(given)
