"""What a child does with a job: done here without a child, where nothing needs to be ended."""

import json
from collections.abc import Mapping

import pytest

from interlock.toolbox.around import Around, ModelAt
from interlock.toolbox.running import done, run
from interlock.toolbox.tool import Tool, ToolFailure

ANY: Mapping[str, object] = {"type": "object"}
AROUND = Around(ModelAt("openai", "http://127.0.0.1:1", "big"), modules=("tests.toolbox.strange",))


def job(name: str, **arguments: object) -> dict[str, object]:
    return {"do": "run", "name": name, "arguments": arguments, "around": AROUND.to_data()}


def test_a_job_that_is_done_has_a_result_that_is_json() -> None:
    said = done(job("literal", value=[1]))

    assert json.loads(json.dumps(said)) == {"result": {"value": [1]}}


@pytest.mark.parametrize(
    ("asked", "failure"),
    [
        (job("literal"), "validation"), (job("nobody"), "configuration"),
        (job("misbehave", how="raise"), "unhandled"), (job("misbehave", how="exit"), "unhandled"),
        ({**job("literal"), "around": Around(modules=("no.such",)).to_data()}, "configuration"),
        ({}, "unhandled"),
    ],
)  # fmt: skip
def test_a_job_that_fails_says_so(asked: dict[str, object], failure: str) -> None:
    assert done(asked)["failure"] == failure


def test_a_tool_without_memory_is_the_system_s_failure() -> None:
    def greedy(arguments: Mapping[str, object], around: Around) -> object:
        raise MemoryError

    with pytest.raises(MemoryError):
        run(Tool("greedy", "", ANY, ANY, (), greedy), {}, AROUND)


def test_what_a_tool_says_of_a_failure_can_be_kept() -> None:
    said = done(job("misbehave", how="strange"))

    assert said["failure"] == "unhandled"
    assert said["message"] == "ValueError: ?�" + "x" * (4_000 - 14)


def test_a_tool_sees_what_it_has_declared_and_may_wait() -> None:
    async def see(arguments: Mapping[str, object], around: Around) -> object:
        return {"has_model": around.model is not None}

    assert run(Tool("see", "", ANY, ANY, (), see), {}, AROUND) == {"has_model": False}
    assert run(Tool("see", "", ANY, ANY, ("model",), see), {}, AROUND) == {"has_model": True}


def test_a_result_that_does_not_fit_is_none() -> None:
    wants = {"type": "object", "required": ["n"]}

    with pytest.raises(ToolFailure, match="does not fit") as no:
        run(Tool("see", "", ANY, wants, (), lambda *_: {}), {}, AROUND)
    assert no.value.failure == "validation"
