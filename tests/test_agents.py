"""Agents in the settings: read from a table or from JSON; mistakes have their line and key."""

from pathlib import Path

import pytest

from interlock.agents import AgentSettings, read_agents
from interlock.config import ConfigError, load
from interlock.values import Wrong, Wrongs

GOOD = """
port = 7500
[agents.demo]
kind = "scripted"
file = "answers.yaml"

[agents.big]
kind = "openai"
url = "https://models.example.org/v1"
key_env = "BIG_KEY"
model = "big-1"
"""


def test_tables_of_the_file_are_agents(tmp_path: Path) -> None:
    (tmp_path / "interlock.toml").write_text(GOOD)

    assert load({"data": tmp_path}, {}).agents == (
        AgentSettings("demo", "scripted", file="answers.yaml"),
        AgentSettings(
            "big", "openai", url="https://models.example.org/v1", key_env="BIG_KEY", model="big-1"
        ),
    )


def test_the_variable_says_the_same_as_json(tmp_path: Path) -> None:
    said = '{"demo": {"kind": "scripted", "file": "a.json"}}'

    found = load({"data": tmp_path}, {"INTERLOCK_AGENTS": said})

    assert found.agents == (AgentSettings("demo", "scripted", file="a.json"),)


def test_all_mistakes_are_told_with_line_and_key_and_a_key_is_not_repeated(tmp_path: Path) -> None:
    text = """port = 7500
[agents.a]
kind = "scriptd"
[agents.b]
kind = "scripted"
fil = "x"
[agents.c]
kind = "openai"
url = "ftp://x"
key_env = "sk-s3cret"
model = "two words"
[agents.d]
kind = "openai"
url = ""
key_env = "INTERLOCK_MODEL_KEY"
[agents."e e"]
kind = "scripted"
file = " "
"""
    path = tmp_path / "interlock.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as no:
        load({"data": tmp_path}, {})

    assert no.value.message.splitlines() == [
        f"agents.a.kind in {path}, line 3: names no kind that there is",
        f"agents.b.fil in {path}, line 6: there is no such key",
        f"agents.b in {path}, line 4: has no file",
        f"agents.c.url in {path}, line 9: is not the address of a server",
        f"agents.c.key_env in {path}, line 10: is not the name of a variable",
        f"agents.c.model in {path}, line 11: is not a model",
        f"agents.d.url in {path}, line 14: is not the address of a server",
        f"agents.d.key_env in {path}, line 15: is the name of a setting",
        f"agents.e e in {path}, line 16: is not a name",
        f"agents.e e.file in {path}, line 18: is not a path",
    ]
    assert "did you mean file?" in no.value.fix
    assert "s3cret" not in f"{no.value.message} {no.value.fix}"


def test_programs_are_named_with_their_words_and_what_they_may_know(tmp_path: Path) -> None:
    text = """
[agents.ada]
kind = "claude"
command = "node '/opt/two words/claude'"
args = ["--effort", "high"]
pass = ["HTTPS_PROXY"]
[agents.own]
kind = "command"
command = "my-agent"
"""
    (tmp_path / "interlock.toml").write_text(text)

    assert load({"data": tmp_path}, {}).agents == (
        AgentSettings(
            "ada", "claude", command=("node", "/opt/two words/claude"),
            args=("--effort", "high"), passed=("HTTPS_PROXY",),
        ),
        AgentSettings("own", "command", command=("my-agent",)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("table", "key", "wrong"),
    [
        ({"kind": "command"}, (), "has no command"),
        ({"kind": "claude", "command": "'open"}, ("command",), "is not a command line"),
        ({"kind": "claude", "command": " "}, ("command",), "is not a command line"),
        ({"kind": "codex", "args": "--fast"}, ("args",), "is not a list of words"),
        ({"kind": "codex", "args": [3]}, ("args",), "is not a list of words"),
        ({"kind": "codex", "pass": ["sk-s3cret"]}, ("pass",), "is not a list of names of variables"),
        ({"kind": "codex", "pass": ["INTERLOCK_TOKEN"]}, ("pass",), "names a setting"),
        ({"kind": "opencode", "url": "http://h/v1"}, (), "has a url, and no model"),
        ({"kind": "opencode", "server": "x"}, ("server",), "is not the address of a server"),
        ({"kind": "claude", "server": "http://h"}, ("server",), "there is no such key"),
        ({"kind": "claude", "file": "x"}, ("file",), "there is no such key"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_program_is_told_with_its_key(
    table: dict[str, object], key: tuple[str, ...], wrong: str
) -> None:
    with pytest.raises(Wrongs) as no:
        read_agents({"ada": table})

    assert [(one.wrong, one.within) for one in no.value.each] == [(wrong, ("ada", *key))]
    assert "s3cret" not in "".join(one.wrong + one.right for one in no.value.each)


@pytest.mark.parametrize("bad", ["{", 3, "[]", {"a": 3}])
def test_what_is_no_table_is_refused(bad: object) -> None:
    with pytest.raises(Wrong):
        read_agents(bad)
