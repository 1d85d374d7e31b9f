"""Claude Code itself codes a bead to done: in a ticket's tree, tested and committed by our hands."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from interlock.worker.agents.agent import Agent
from interlock.worker.agents.claude import Claude
from interlock.worker.agents.program import Program, Told
from tests.clients.model import Model, model
from tests.clients.running import had
from tests.clients.script import Call, Called
from tests.worker.execution.ground import DONE, Ground, ground_in
from tests.worker.workspace.repositories import plain
from tools.clients.programs import NODE_FOLDER


@dataclass
class Coding(Ground):
    """The ground with a real agent: its model writes a file, and answers."""

    program: Path = Path()
    content: str = "pears = 1\n"
    endpoint: list[Model] = field(default_factory=list)

    def script(self, calls: Sequence[Called], offered: Sequence[str]) -> Call | str:
        """Say what the model says."""
        assert "Write" in offered
        if calls:
            return f"Done.\n```json\n{json.dumps(DONE)}\n```"
        path = str(self.tree.folder / "pears.py")
        return Call("Write", {"file_path": path, "content": self.content})

    def crew(self) -> dict[str, Agent]:
        """Return the agent; it has the name that the member's has."""
        told = Told("a", (str(self.program),), url=self.endpoint[0].url, key="sk-no-such-key")
        return {"scripted": Program(Claude(), told, self.folder / "agents")}


@pytest.fixture
def coding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Coding]:
    monkeypatch.setenv("PATH", f"{NODE_FOLDER}:/usr/local/bin:/usr/bin:/bin")
    made = Coding(ground_in(tmp_path).folder, program=had("claude"))
    with model(made.script) as endpoint:
        made.endpoint.append(endpoint)
        yield made


def test_claude_code_codes_a_bead_to_done(coding: Coding) -> None:
    report = coding.do("code", deadline_s=60, reach="write")

    assert (report["status"], report["note"]) == ("done", "")
    vault = coding.tree.place.vault
    assert plain(vault, "show", f"{report['commit']}:pears.py") == "pears = 1"
    assert [one["path"] for one in report["files"]] == ["pears.py"]
    assert "> Write" in coding.lines()
    assert "sk-no-such-key" not in coding.lines()


def test_it_is_not_believed_either(coding: Coding) -> None:
    coding.content = "plums = 1\n"

    report = coding.do("code", deadline_s=60, reach="write")

    assert (report["status"], report["reason"]) == ("failed", "tests_failed")
