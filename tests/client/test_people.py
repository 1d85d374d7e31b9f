"""The methods of the toolset people."""

import pytest

from interlock.client.people import People
from tests.client.test_methods import Recorder

pytestmark = pytest.mark.anyio


async def test_they_are_methods_of_the_client() -> None:
    recorder = Recorder()
    await recorder.list_users()

    assert isinstance(recorder, People)
    assert recorder.called[0][0] == "list_users"
