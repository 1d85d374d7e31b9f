"""The command line with a worker for servers that have no commands for missions.

Calls are read from the mapping of a tool step, and handed in as any other work.
"""

from collections.abc import Mapping
from typing import cast

from interlock.cli import main
from interlock.wire.envelope import Envelope
from interlock.worker import tools
from interlock.worker.work import HandIn, Work

Fields = Mapping[str, object]
run = tools.Tools.run


async def translated(self: tools.Tools, work: Work, hand_in: HandIn) -> str:
    """Run a tool step that says nothing of its call."""
    fields = cast("Fields", work.told["fields"])
    mapping = cast("Mapping[str, Fields]", fields["parameter_mapping"])
    call = {
        "tool": fields["tool"], "attempt": cast("int", fields["tries"]) + 1,
        "arguments": {name: one["literal"] for name, one in mapping.items()},
    }  # fmt: skip

    async def as_work(_: str, arguments: Mapping[str, object]) -> Envelope:
        return await hand_in("submit_work", {"answer": arguments})

    return await run(self, work._replace(told={**work.told, "call": call}), as_work)


if __name__ == "__main__":
    tools.Tools.run = translated  # type: ignore[method-assign]
    main.run()
