"""Every command is a method that takes what its row takes."""

import asyncio
import inspect
from collections.abc import Mapping

import pytest

from interlock.client.methods import Methods
from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from interlock.wire.envelope import Envelope


class Recorder(Methods):
    """Notes what would be called."""

    def __init__(self) -> None:
        self.called: list[tuple[str, dict[str, object]]] = []

    async def call(self, command: str, arguments: Mapping[str, object]) -> Envelope:
        self.called.append((command, dict(arguments)))
        return Envelope(status="ok", durability=None)


@pytest.mark.parametrize("row", COMMANDS.values(), ids=lambda row: row.name)
def test_a_method_takes_what_its_row_takes(row: AnyCommand) -> None:
    recorder = Recorder()
    method = getattr(recorder, row.name)
    taken = inspect.signature(method).parameters
    fields = {name: one for name, one in row.takes.model_fields.items() if name != "session_id"}

    assert {*taken} == {*fields}
    assert [name for name, one in taken.items() if one.default is one.empty] == [
        name for name, one in fields.items() if one.is_required()
    ]
    asyncio.run(method(**dict.fromkeys(taken, "x")))
    expected = {one.alias or name: "x" for name, one in fields.items()}
    assert recorder.called == [(row.name, expected)]
