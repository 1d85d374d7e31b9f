"""Any command line as an agent: the prompt on its input, the answer on its output.

It tells no events, so nothing is known of what it cost; what comes on its standard error is passed
on while it works. What it may do is up to whoever wrote the settings: it is told its reach, and not
held to it.
"""

from typing import ClassVar

from interlock.worker.agents.heard import Event, Heard
from interlock.worker.agents.program import Dialect, Session, Start
from interlock.worker.process import Ended


class Command(Dialect):
    """Speaks with anything."""

    program: ClassVar[str] = ""

    def start(self, session: Session) -> Start:
        """Tell it the model and the reach in its environment."""
        env = {"AGENT_MODEL": session.model, "AGENT_REACH": session.reach}
        return Start((), env, session.prompt)

    def line(self, line: str, heard: Heard) -> None:
        """Take nothing: what it prints is its answer, and read at its end."""

    def complaint(self, line: str, heard: Heard) -> None:
        """Pass on how it is getting on."""
        heard.tell(line)

    def last_words(self, ended: Ended, heard: Heard) -> str:  # noqa: ARG002 (others need it)
        """Return all that it printed."""
        return ended.out

    def event(self, event: Event, heard: Heard) -> None:
        """Take nothing: it tells no events."""
