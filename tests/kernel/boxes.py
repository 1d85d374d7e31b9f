"""A shelf of boxes with items in them: a tiny workflow with parents, children and a current part.

For what cases made of items alone cannot show. It is not meant to be sound.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from interlock.kernel.decide import decide
from interlock.kernel.draft import Draft
from interlock.kernel.entries import Decision, New
from interlock.kernel.forms import All, Count, In
from interlock.kernel.look import look
from interlock.kernel.machine import Machine, Status, edges
from interlock.kernel.rules import AGENT, NO_ARGS, USER, Cascade, Do, Fire, Guard, Lift, Rule
from interlock.kernel.seen import Event, Part, PartId
from interlock.kernel.snapshot import Snapshot, begin, new_part
from interlock.kernel.workflow import Field, PartKind, Workflow
from tests.workflows.story import ME

ANYONE: Final = frozenset({AGENT, USER})


def _point(draft: Draft) -> None:
    draft.write("unit", "current", draft.event.part)


def _add(draft: Draft) -> None:
    draft.create(New("item", "loose", draft.flow.kind("item").defaults(), parent="part"))


def _empty(draft: Draft) -> None:
    draft.drop_all("item", children=True, reason="emptied")


def _lose_loose(draft: Draft) -> None:
    draft.drop_all("item", statuses=("loose",), reason="swept")


FUNCTIONS: Final = {"point_at_it": _point, "add_item": _add, "empty": _empty, "sweep": _lose_loose}

SHELF: Final = Machine(
    "shelf", "made",
    (Status("made"), Status("used"), Status("full", "terminal", is_success=True),
     Status("gone", "terminal")),
    edges(("made", "use", "used"), ("used", "fill", "full"), ("made used", "clear", "gone")),
)  # fmt: skip
BOX: Final = Machine(
    "box", "shut",
    (Status("shut"), Status("opened"), Status("packed", "terminal", is_success=True),
     Status("lost", "terminal")),
    edges(("shut", "open", "opened"), ("opened", "pack", "packed"), ("shut opened", "lose", "lost")),
)  # fmt: skip
ITEM: Final = Machine(
    "item", "loose",
    (Status("loose"), Status("packed", "terminal", is_success=True), Status("lost", "terminal")),
    edges(("loose", "pack", "packed"), ("loose", "lose", "lost")),
)  # fmt: skip


def box_is(*statuses: str) -> Guard:
    """Return the guard that asks where the part stands."""
    return Guard(In("part", statuses))


RULES: Final = (
    Rule("open_box", "box", ANYONE, (box_is("shut"),),
         (Fire("unit", "use", maybe=True), Fire("part", "open"), Do("point_at_it")), ("part", "current")),
    Rule("pack", "item", ANYONE, (box_is("loose"), Guard(In("parent", ("opened",)))),
         (Fire("part", "pack"),), ("part", "parent", "current", "children")),
    Rule("add_item", "box", ANYONE,
         (box_is("shut", "opened"), Guard(Count("item", (), "<", 2, "children"), "FULL")),
         (Do("add_item"),), ("part", "current", "children")),
    Rule("empty", "box", ANYONE, (), (Do("empty"),), ("part", "current", "children")),
    Rule("empty_around", "item", ANYONE, (), (Do("empty"),), ("part", "current", "children")),
    Rule("empty_current", "shelf", ANYONE, (), (Do("empty"),), ("current", "children")),
    Rule("sweep", "shelf", ANYONE, (), (Do("sweep"),), ("current",)),
    Rule("lose", "box", ANYONE, (box_is("shut", "opened"),), (Fire("part", "lose"),),
         ("part", "current", "children")),
    Rule("clear", "shelf", frozenset({USER}), (Guard(In("unit", ("made", "used"))),),
         (Fire("unit", "clear"),), ("current",)),
)  # fmt: skip

SHELVES: Final = Workflow(
    name="shelves",
    unit=SHELF,
    parts=(
        PartKind(BOX, (Field("size"),), is_ordered=False),
        PartKind(ITEM, parent="box", is_ordered=False),
    ),
    rules=RULES,
    lifts=(
        Lift("every item is packed", All("item", ("packed",), "children"), "pack", who="parent"),
        Lift("the current box is packed", In("current", ("packed",)), "fill"),
    ),
    cascades=(
        Cascade("what was in a lost box is lost", of="box", enters=("lost",), to="item",
                fire="lose", whom="children", reason="box lost"),
    ),
    fields=(Field("current", during=("used",)),),
    functions=FUNCTIONS,
)  # fmt: skip


def shelf(words: str, current: str | None = None, flow: Workflow = SHELVES) -> Snapshot:
    """Read ``"used: opened(loose packed) shut()"``; boxes are a, b, ... and items a1, a2, ..."""
    status, _, rest = words.partition(":")
    parts: dict[PartId, Part] = {}
    for letter, word in zip("abcdef", rest.replace(")", ");").split(";"), strict=False):
        box, _, inside = word.strip().rstrip(")").partition("(")
        if not box:
            continue
        parts[letter] = replace(new_part(flow, "box"), status=box)
        for number, item in enumerate(inside.split(), 1):
            parts[f"{letter}{number}"] = replace(new_part(flow, "item", parent=letter), status=item)
    unit = replace(begin(flow, unit={"current": current}).unit, status=status)
    return Snapshot(unit, tuple(parts.values()), tuple(map(str, parts)))


def words(snapshot: Snapshot) -> str:
    """Say a shelf as ``shelf`` reads it, items by the name of their box."""
    told = [
        f"{name} {part.status}" for name, part in zip(snapshot.ids, snapshot.parts, strict=True)
    ]
    return f"{snapshot.unit.status}: {', '.join(told)}"


def send(
    snapshot: Snapshot,
    event: str,
    part: PartId | None = None,
    *,
    flow: Workflow = SHELVES,
    args: Mapping[str, object] = NO_ARGS,
) -> Decision:
    """Decide one event; what is refused raises."""
    sent = Event(event, ME, part, args)
    return decide(flow, look(flow, snapshot, sent), sent)
