"""What each event about an asset does: content is supplied, or its time to live ends.

All else an asset does follows from the tool step that makes it (``workflow``). The mission keeps
the ids of its ready assets in the field ``ready``, so that the inputs and outputs of hops and of
the mission can be asked about without loading them; scratch of a hop is not among them, and of
what earlier hops have made only what the current one names. Content
that came with the proposal of an input is supplied with ``set_asset``, in the name of whoever
accepts the mission, as soon as it has been accepted: bulk moves know no content.
"""

from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.forms import Functions, Is, Not
from interlock.kernel.rules import Do, Fire, Guard, Rule
from interlock.workflows.mission.guards import CLOCK, EITHER, OPEN, part_is

EXPIRES: Final = Guard(
    Not(Is("part", "ttl", (None,))),
    "KEPT",
    "The asset has no time to live, so it does not expire.",
    "Nothing needs to be done.",
)


def _is_of_mission(draft: Draft) -> bool:
    return draft.part.parent is None


def _ready(draft: Draft) -> set[object]:
    return set(cast("tuple[object, ...]", draft.unit.fields["ready"]))


def _keep_content(draft: Draft) -> None:
    draft.write("part", "content", draft.event.args.get("content"))


def _now_ready(draft: Draft) -> None:
    if _is_of_mission(draft) and draft.part.status == "READY":
        ready = {*_ready(draft), draft.event.part}
        draft.write("unit", "ready", tuple(sorted(ready, key=str)))


def _no_longer_ready(draft: Draft) -> None:
    left = _ready(draft) - {draft.event.part}
    draft.write("unit", "ready", tuple(sorted(left, key=str)))


FUNCTIONS: Final[Functions] = {
    "keep_content": _keep_content,
    "now_ready": _now_ready,
    "no_longer_ready": _no_longer_ready,
}

SEES: Final = ("part", "parent", "children", "current")

# fmt: off
RULES: Final = (
    Rule(
        "set_asset", "asset", EITHER, command="set_asset",
        doc="Supply the content of an asset that no tool step is making; a proposed one stays proposed.",
        guards=(OPEN, part_is("PROPOSED", "PENDING", "READY", "ERROR", "EXPIRED")),
        walk=(
            Fire("part", "mend", maybe=True), Fire("part", "refresh", maybe=True),
            Fire("part", "supply", maybe=True), Do("keep_content"), Do("now_ready"),
        ),
        sees=SEES, examples=({"content": "what it says"},),
    ),
    Rule(
        "expire_asset", "asset", CLOCK,
        doc="The time to live of the asset has ended.",
        guards=(OPEN, part_is("PENDING", "IN_PROGRESS", "READY"), EXPIRES),
        walk=(Fire("part", "expire"), Do("no_longer_ready")),
        sees=SEES,
    ),
)
# fmt: on
