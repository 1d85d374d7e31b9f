"""The methods of the toolset research."""

import pytest

from interlock.client.research import Research
from tests.client.test_methods import Recorder

pytestmark = pytest.mark.anyio


async def test_they_are_methods_of_the_client() -> None:
    recorder = Recorder()
    await recorder.get_plan_status("x")

    assert isinstance(recorder, Research)
    assert recorder.called[0][0] == "get_plan_status"
