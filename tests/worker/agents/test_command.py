"""Any command line is an agent: its output is the answer, its complaints are how it gets on."""

import asyncio
from dataclasses import replace
from pathlib import Path

from interlock.worker.agents.command import Command
from interlock.worker.agents.program import Program, Told
from tests.worker.agents.tasks import DRAFT


def test_it_reads_the_prompt_and_prints_the_answer(tmp_path: Path) -> None:
    script = (
        'echo "as $AGENT_MODEL, $AGENT_REACH" >&2; read -r prompt;'
        ' echo "Here it is:"; echo "{\\"questions\\": [\\"$prompt\\", \\"$1\\"]}"'
    )
    told = Told("own", ("sh", "-c", script, "sh"), args=("more",), model="small")
    heard: list[str] = []
    task = replace(DRAFT, prompt="Draft.\n", model="", hear=heard.append)

    said = asyncio.run(Program(Command(), told, tmp_path).run(task))

    assert said.answer == {"questions": ["Draft.", "more"]}
    assert said.warnings == ("there were words around it",)
    assert heard == ["as small, none"]
