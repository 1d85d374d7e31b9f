"""The client calls each command where the server has it."""

from interlock.client.places import PLACES
from interlock.commands.all import COMMANDS


def test_every_command_is_where_its_row_says() -> None:
    assert {name: (one.method, one.path) for name, one in PLACES.items()} == {
        row.name: (row.method, row.path) for row in COMMANDS.values()
    }


def test_what_changes_something_carries_a_request_id() -> None:
    assert all(one.is_keyed == (one.method != "GET") for one in PLACES.values())
