"""The methods of the toolset work."""

import pytest

from interlock.client.work import Work
from tests.client.test_methods import Recorder

pytestmark = pytest.mark.anyio


async def test_they_are_methods_of_the_client() -> None:
    recorder = Recorder()
    await recorder.get_unit("x")

    assert isinstance(recorder, Work)
    assert recorder.called[0][0] == "get_unit"
