"""The methods of the toolset mission."""

import pytest

from interlock.client.mission import Mission
from tests.client.test_methods import Recorder

pytestmark = pytest.mark.anyio


async def test_they_are_methods_of_the_client() -> None:
    recorder = Recorder()
    await recorder.set_asset("mission-1.1", [1, {"a": None}])

    assert isinstance(recorder, Mission)
    assert recorder.called[0][0] == "set_asset"
