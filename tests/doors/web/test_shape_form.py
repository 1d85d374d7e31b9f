"""Forms made from shapes: what a person fills in, and what is sent for it."""

from typing import Annotated, Literal

import pytest
from pydantic import Field as Info

from interlock.commands.all import COMMANDS
from interlock.doors.web.shape_form import About, Field, fields, read
from interlock.service.errors import InvalidInput
from interlock.wire.envelope import Asking


class Order(Asking):
    """A shape with one field of each kind."""

    plan_id: str
    step_id: str
    content_digest: str | None = None
    lease: str | None = None
    reason: Annotated[str, Info(max_length=200)]
    story: Annotated[str, Info(max_length=9_000)] | None = None
    cascade: bool = Info(default=False, description="Also what hangs on it.")
    tries: int | None = None
    mode: Literal["soft", "hard"] = "soft"
    rows: tuple[dict[str, object], ...] = ()


def test_each_thing_has_a_field_of_its_kind_and_what_is_known_has_none() -> None:
    found = {field.name: field for field in fields(Order)}

    assert {name: field.kind for name, field in found.items()} == {
        "reason": "line", "story": "text", "cascade": "check", "tries": "number",
        "mode": "choice", "rows": "json",
    }  # fmt: skip
    assert found["mode"].choices == ("soft", "hard")
    assert found["cascade"] == Field("cascade", "Cascade", "check", "Also what hangs on it.", (),
                                     is_needed=False)  # fmt: skip
    assert [name for name, field in found.items() if field.is_needed] == ["reason"]


def test_what_is_sent_names_the_unit_and_leaves_out_what_is_blank() -> None:
    form = {"reason": "why", "story": " ", "cascade": "yes", "tries": "3", "rows": '[{"a": 1}]'}

    assert read(Order, form, About("plan-1", "plan-1.2")) == {
        "plan_id": "plan-1", "step_id": "plan-1.2", "reason": "why",
        "cascade": True, "tries": 3, "rows": [{"a": 1}],
    }  # fmt: skip
    assert read(Order, {}, About("plan-1")) == {"plan_id": "plan-1", "cascade": False}


@pytest.mark.parametrize(("name", "what"), [("tries", "is no number"), ("rows", "is no JSON")])
def test_what_cannot_be_read_is_told_beside_its_field(name: str, what: str) -> None:
    with pytest.raises(InvalidInput) as no:
        read(Order, {name: "{"}, About("plan-1"))

    assert no.value.fields == ((name, what),)


def test_every_command_about_a_unit_makes_a_form() -> None:
    for row in COMMANDS.values():
        if row.takes_version:
            assert len({field.name for field in fields(row.takes)}) == len([*fields(row.takes)])
