"""``interlock tools``: what there is, and a tool run as a worker would run it."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import start
from tests.porter import stand_in_for

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "tests" / "toolbox" / "mcp_server.py"
FILE = """
tools = "tests.toolbox.strange"
[mcp_servers.sums]
command = {}
[mcp_servers.gone]
command = ["/no/such/program"]
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a data folder with tools of every kind."""
    (tmp_path / "interlock.toml").write_text(FILE.format(json.dumps(stand_in_for([str(SERVER)]))))
    monkeypatch.setenv("INTERLOCK_DATA", str(tmp_path))
    # The module with the tools is found as those of an operator are: by the path of Python.
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'src'}")
    return tmp_path


def test_all_tools_are_listed_and_what_is_wrong(home: Path) -> None:
    said = start("tools", "list")

    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert "literal  Return a value as it was given." in lines
    assert "shout  Upper case." in lines
    assert "sums.add  Add two numbers." in lines
    assert lines.count("  not configured: model") == 2
    assert lines[-1].startswith("warning gone: The MCP server gone cannot be started: No such file")


def test_a_list_for_programs(home: Path) -> None:
    found = json.loads(start("tools", "list", "--json").out)
    tools = {one["name"]: one for one in found["tools"]}

    assert (tools["literal"]["missing"], tools["http_fetch"]["missing"]) == ([], ["http"])
    assert tools["sums.add"]["parameters"]["required"] == ["a", "b"]
    assert (tools["sums.add"]["resources"], tools["sums.add"]["missing"]) == (["mcp:sums"], [])
    assert len(found["problems"]) == 1


def test_a_tool_is_run_and_its_outcome_printed(home: Path) -> None:
    ours = start("tools", "run", "json_query", "--json", '{"value": {"a": [1]}, "path": "a[0]"}')
    theirs = start("tools", "run", "sums.add", "--json", '{"a": 1, "b": 2}')

    assert (ours.code, theirs.code) == (0, 0)
    found = json.loads(ours.out)
    assert found["result"] == {"value": 1, "count": 1}
    assert (found["failure"], found["message"], found["took_ms"] > 0) == ("", "", True)
    assert json.loads(theirs.out)["result"] == {"result": 3}


def test_what_a_tool_prints_is_not_its_outcome(home: Path) -> None:
    said = start("tools", "run", "chatty", INTERLOCK_LOG="text")

    assert json.loads(said.out)["result"] == {"heard": ""}
    assert "chatty: one" in said.err


@pytest.mark.parametrize(
    ("words", "failure"),
    [
        (("nobody",), "configuration"), (("literal",), "validation"),
        (("summarize", "--json", '{"text": "t"}'), "resource_unavailable"),
        (("gone.tool",), "resource_unavailable"), (("other.tool",), "resource_unavailable"),
        (("misbehave", "--json", '{"how": "raise"}'), "unhandled"),
    ],
)  # fmt: skip
def test_a_failure_is_an_exit_code(home: Path, words: tuple[str, ...], failure: str) -> None:
    said = start("tools", "run", *words)

    assert (said.code, json.loads(said.out)["failure"]) == (1, failure)


def test_a_deadline_can_be_set(home: Path) -> None:
    given = json.dumps({"file": str(home / "pids")})
    said = start("tools", "run", "linger", "--json", given, "--deadline", "1")

    assert said.code == 1
    assert json.loads(said.out)["message"] == "It took longer than 1 s, and was ended."


@pytest.mark.parametrize("given", ["{", "3", "[]", "[" * 100_000])
def test_arguments_that_are_no_object_are_refused(home: Path, given: str) -> None:
    said = start("tools", "run", "literal", "--json", given)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("INVALID_ARGUMENTS ")


def test_a_module_that_is_not_there_is_told(home: Path) -> None:
    said = start("tools", "list", INTERLOCK_TOOLS="no.such.module")

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("TOOLS_NOT_LOADED The module no.such.module cannot be loaded")
