"""Ways to an engine in this process that fail as a network does: a call is lost, or its answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from interlock.client.caller import Caller
from interlock.client.errors import Unreachable
from interlock.commands.verbs import LocalVerbs
from interlock.service.engine import Principal
from interlock.wire.envelope import Envelope
from tests.stage import ADA, Stage


@dataclass
class Way(Caller):
    """A way to a stage. ``lost`` answers are lost after the command was carried out."""

    stage: Stage
    by: Principal = ADA
    lost: int = 0
    # Called with the name of each command that was carried out.
    after: Callable[[str], None] = lambda _: None
    sent: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)

    async def call(self, command: str, arguments: Mapping[str, object]) -> Envelope:
        """Carry out a command; the answer may be lost."""
        self.sent.append((command, arguments))
        answer = await LocalVerbs(self.stage.engine, self.by).call(command, arguments)
        self.after(command)
        if self.lost:
            self.lost -= 1
            raise Unreachable("It does not answer.")
        return answer

    def ids(self, command: str) -> list[object]:
        """Return the request ids that a command was sent with."""
        return [told.get("request_id") for name, told in self.sent if name == command]
