"""The methods of the toolset admin."""

import pytest

from interlock.client.admin import Admin
from tests.client.test_methods import Recorder

pytestmark = pytest.mark.anyio


async def test_they_are_methods_of_the_client() -> None:
    recorder = Recorder()
    await recorder.list_calls()

    assert isinstance(recorder, Admin)
    assert recorder.called[0][0] == "list_calls"
