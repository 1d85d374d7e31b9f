"""The methods of the toolset ticket."""

import pytest

from interlock.client.ticket import Ticket
from tests.client.test_methods import Recorder

pytestmark = pytest.mark.anyio


async def test_they_are_methods_of_the_client() -> None:
    recorder = Recorder()
    await recorder.answer_batch("ticket-1", 2, answers=[{"question_id": "Q01", "text": "x"}])
    await recorder.get_project("project-1")

    assert isinstance(recorder, Ticket)
    assert [name for name, *_ in recorder.called] == ["answer_batch", "get_project"]
