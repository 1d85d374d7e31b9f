"""The client calls each command where the server has it."""

from interlock.client.places import PLACES
from interlock.commands.all import COMMANDS


def test_every_command_is_where_its_row_says() -> None:
    assert {name: (one.method, one.path) for name, one in PLACES.items()} == {
        row.name: (row.method, row.path) for row in COMMANDS.values()
    }


def test_what_moves_a_unit_carries_a_request_id() -> None:
    for row in COMMANDS.values():
        assert PLACES[row.name].is_keyed or not row.event
        assert not (PLACES[row.name].is_keyed and row.is_read)


def test_signs_of_life_are_sent_as_they_are_because_a_key_would_make_each_an_entry() -> None:
    bare = {name for name, one in PLACES.items() if one.is_repeatable and one.method != "GET"}

    assert bare == {"heartbeat_step", "heartbeat_work"}
