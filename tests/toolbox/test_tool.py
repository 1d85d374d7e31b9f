"""A tool is a callable with two schemas; what is no tool is refused where it is written."""

from collections.abc import Mapping

import pytest

from interlock.toolbox.around import Around
from interlock.toolbox.tool import FAILURES, NAME, Described, ToolFailure, tool
from interlock.workflows.mission import failures

NUMBERS: Mapping[str, object] = {"type": "object", "properties": {"n": {"type": "integer"}}}


@tool(name="double", doc="Twice n.", parameters=NUMBERS, result=NUMBERS, resources=("model",))
def double(arguments: Mapping[str, object], around: Around) -> object:
    """Return twice the number, if a model is around."""
    n = arguments["n"]
    assert isinstance(n, int)
    return {"n": 2 * n}


def test_a_decorated_function_is_a_tool_that_can_be_described() -> None:
    assert double.described == Described("double", "Twice n.", NUMBERS, NUMBERS, ("model",))
    assert double.run({"n": 4}, Around()) == {"n": 8}


@pytest.mark.parametrize("name", ["", "a b", "a;b", "ä", ".a", "a.", "x" * 65, "a\n"])
def test_what_nobody_could_call_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="no name of a tool"):
        tool(name=name, doc="", parameters=NUMBERS, result=NUMBERS)(double.run)


@pytest.mark.parametrize("name", ["json_query", "github.search-code", "files.read/all.v2"])
def test_names_of_ours_and_of_servers(name: str) -> None:
    assert NAME.fullmatch(name)


def test_what_has_no_named_values_is_refused() -> None:
    with pytest.raises(ValueError, match="parameters of x are no"):
        tool(name="x", doc="", parameters={}, result=NUMBERS)(double.run)
    with pytest.raises(ValueError, match="result of x are no"):
        tool(name="x", doc="", parameters=NUMBERS, result={"type": "string"})(double.run)


def test_a_failure_has_one_of_the_classes_of_the_workflow() -> None:
    assert set(FAILURES) == set(failures.FAILURES)
    assert [ToolFailure(name, "no").failure for name in FAILURES] == [*FAILURES]
    assert ToolFailure("bad luck", "no").failure == "unhandled"
    down = ToolFailure("transient", "gone", detail="why", resource_down=True)
    assert (down.message, down.detail, down.resource_down) == ("gone", "why", True)


def test_a_tool_may_say_how_long_it_may_run() -> None:
    slow = tool(name="slow", doc="", parameters=NUMBERS, result=NUMBERS, deadline_s=900)(double.run)

    assert (slow.described.deadline_s, double.described.deadline_s) == (900, None)
    with pytest.raises(ValueError, match="the deadline of slow is 0 s"):
        tool(name="slow", doc="", parameters=NUMBERS, result=NUMBERS, deadline_s=0)(double.run)
