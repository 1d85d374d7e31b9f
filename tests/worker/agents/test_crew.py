"""Settings become agents, or it is said what is missing."""

from pathlib import Path

import pytest

from interlock.agents import KEYS, AgentSettings
from interlock.worker.agents.claude import Claude
from interlock.worker.agents.crew import KINDS, NoAgent, crew_of
from interlock.worker.agents.openai import OpenAI
from interlock.worker.agents.opencode_server import OpenCodeServer
from interlock.worker.agents.program import Program
from interlock.worker.agents.scripted import Scripted

MODEL = AgentSettings("big", "openai", url="http://127.0.0.1:1/v1", key_env="BIG_KEY", model="m")


def test_agents_are_made_by_their_kinds_and_a_file_lies_in_the_data_folder(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("members: {}\n")
    elsewhere = tmp_path / "b.yaml"
    elsewhere.write_text("members: {}\n")
    told = (
        AgentSettings("demo", "scripted", file="a.yaml"),
        AgentSettings("more", "scripted", file=str(elsewhere)),
        MODEL,
    )

    made = crew_of(told, tmp_path, {"BIG_KEY": " secret\n"})

    assert {name: type(one) for name, one in made.items()} == {
        "demo": Scripted, "more": Scripted, "big": OpenAI,
    }  # fmt: skip
    assert made["big"].secrets == ("secret",)
    assert set(KINDS) == set(KEYS)


def test_a_program_gets_its_key_and_of_our_environment_what_is_named(tmp_path: Path) -> None:
    told = AgentSettings(
        "own", "claude", key_env="BIG_KEY", command=("/opt/claude",), passed=("PROXY", "NONE")
    )
    environ = {"BIG_KEY": "sk-0123456789", "PROXY": "http://proxy", "OTHER": "x"}

    made = crew_of((told,), tmp_path, environ)["own"]

    assert isinstance(made, Program)
    assert (made.told.key, made.told.passed) == ("sk-0123456789", {"PROXY": "http://proxy"})
    assert (made.line, isinstance(made.dialect, Claude)) == (("/opt/claude",), True)


def test_opencode_is_a_program_or_a_server(tmp_path: Path) -> None:
    told = (
        AgentSettings("own", "opencode"),
        AgentSettings("served", "opencode", server="http://127.0.0.1:4096"),
    )
    made = crew_of(told, tmp_path, {})

    assert [type(one) for one in made.values()] == [Program, OpenCodeServer]


def test_a_key_that_is_named_must_be_there(tmp_path: Path) -> None:
    for environ in ({}, {"BIG_KEY": " "}):
        with pytest.raises(NoAgent) as no:
            crew_of((MODEL,), tmp_path, environ)
        assert "BIG_KEY is not set" in no.value.message


def test_an_endpoint_without_a_key_is_asked_without_one(tmp_path: Path) -> None:
    bare = AgentSettings("own", "openai", url="http://127.0.0.1:1/v1", model="m")

    assert crew_of((bare,), tmp_path, {})["own"].secrets == ()


def test_no_agents_are_told(tmp_path: Path) -> None:
    with pytest.raises(NoAgent, match="no agent"):
        crew_of((), tmp_path, {})
