"""A data folder of its own for a test of the command line, and what is said there."""

import json
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import apsw

from interlock.config import SQLITE_NAME
from tests.cli.terminal import Said, ask

Document = dict[str, object]


@dataclass(frozen=True, slots=True)
class Home:
    """A data folder; every command that is asked here works on it."""

    folder: Path

    def ask(self, *words: str) -> Said:
        """Run a command on this folder, in this process."""
        return ask("--data", str(self.folder), *words)

    def told(self, *words: str) -> Document:
        """Run a command that must succeed; return the one document that it prints."""
        said = self.ask(*words, "--json")
        assert (said.code, said.err) == (0, ""), said
        return cast("Document", json.loads(said.out))

    def plan(self, *steps: str, name: str = "A plan") -> str:
        """Make a plan and return its id."""
        words = [word for step in steps or ("first", "second") for word in ("--step", step)]
        made = self.told("plan", "create", name, "--question", "What is so?", *words)
        return str(cast("Document", made["data"])["plan_id"])

    def claim(self, plan: str, *words: str) -> tuple[str, str]:
        """Claim the next step; return its id and the token of its lease."""
        data = cast("Document", self.told("plan", "next", plan, *words)["data"])
        step = cast("Document", data["step"])
        return str(step["step_id"]), str(cast("Document", step["lease"])["token"])

    def sql(self, statement: str) -> None:
        """Change the file behind the program's back."""
        with closing(apsw.Connection(str(self.folder / SQLITE_NAME))) as file:
            file.execute(statement)

    def state(self) -> str:
        """Return everything that is there, as it is listed and audited."""
        return self.ask("list", "--json").out + self.ask("audit", "export").out
