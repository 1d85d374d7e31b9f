"""Parcels: a small workflow that has one of everything, for tests of what is made from rows.

A parcel is packed item by item, looked at by a person and shipped; an item may carry labels.
``NUMBERED`` is a machine too large to draw edge by edge.
"""

from types import MappingProxyType
from typing import Final

from interlock.kernel.draft import Draft
from interlock.kernel.forms import All, Any, Both, By, Count, Either, Free, In, Is, Named, Not, Says
from interlock.kernel.machine import Edge, Machine, Status, edges
from interlock.kernel.rules import AGENT, USER, Cascade, Do, Fire, Guard, Lift, Pair, Rule
from interlock.kernel.workflow import Field, PartKind, Workflow, lease


def weigh(draft: Draft) -> None:
    """Note the weight; a heavy parcel is lost on the way."""
    _send(draft, "heavy" in draft.event.args)


def _send(draft: Draft, is_heavy: bool) -> None:  # noqa: FBT001  tells the story of one flag
    draft.fire("unit", "drop_out" if is_heavy else "ship")


def is_sealed(draft: Draft) -> bool:
    """Say whether somebody has sealed the parcel."""
    return bool(draft.unit.fields["sealed"])


PARCEL_MACHINE: Final = Machine(
    name="parcel",
    initial="packing",
    statuses=(
        Status("packing", "active", "Packing", "yard"),
        Status("looked_at", "gate", "Somebody looks", "yard", is_asked=True),
        Status("mending", "gate", "Mending", "yard", is_trouble=True, shown={"view": "bench"}),
        Status("shipped", "terminal", "Shipped", "road", is_success=True),
        Status("lost", "terminal", "Lost", "road"),
    ),
    edges=(
        *edges(
            ("packing", "full", "looked_at"),
            ("looked_at", "ship", "shipped"),
            ("looked_at", "send", "shipped"),
            ("looked_at", "break", "mending"),
            ("packing looked_at mending", "drop_out", "lost"),
        ),
        Edge(
            "mending", "mended", "@before", frozenset({USER}),
            (Guard(Is("unit", "before", ("packing",)), "NOWHERE", "It was nowhere.", "Ask."),),
        ),
    ),
)  # fmt: skip

ITEM: Final = Machine(
    name="item",
    initial="loose",
    statuses=(
        Status("loose", "active", "Loose"),
        Status("packed", "terminal", "Packed", is_success=True),
        Status("left", "terminal", "Left"),
    ),
    edges=edges(("loose", "pack", "packed"), ("loose", "leave", "left")),
)

LABEL: Final = Machine(
    name="label",
    initial="blank",
    statuses=(Status("blank"), Status("written", "terminal", is_success=True)),
    edges=edges(("blank", "write", "written")),
)

PARCEL: Final = Workflow(
    name="parcel",
    doc="A parcel that is packed item by item.",
    unit=PARCEL_MACHINE,
    parts=(
        # The last kind in the table stands beside nothing but the one before it.
        PartKind(LABEL, (Field("text", "", is_read=False),), parent="item", is_ordered=False),
        PartKind(
            ITEM, lease("loose"), closed=frozenset({"packed", "left"}), claim="pack",
            claimable=Both((In("part", ("loose",)), Free())), first=Is("part", "lapsed"),
        ),
    ),
    fields=(Field("sealed", default=False), Field("before", during=("mending",)), Field("most", 9)),
    rules=(
        Rule(
            "pack", "item", frozenset({AGENT, USER}), command="pack_item", lease=True,
            doc="Put an item in.", sees=("part",),
            guards=(
                Guard(In("unit", ("packing",)), "CLOSED", "The parcel is closed.", "Open it."),
                Guard(Not(Named("is_sealed"))),
                Guard(Either((By((USER,)), Count("item", (), "<=", "most")))),
            ),
            walk=(
                Fire("part", "pack", when=Says("event.fits === true"), reason="it fits"),
                Fire("part", "leave", maybe=True),
            ),
            examples=({"fits": True}, {"fits": False, "why": ("too", "long")}),
        ),
        Rule(
            "send", "parcel", frozenset({USER}), doc="Send it away.",
            walk=(Do("weigh", when=In("unit", ("looked_at",))),),
        ),
        Rule(
            "choose", "parcel", frozenset({USER}), doc="Say what becomes of it.",
            walk=(Fire("unit", "", from_arg="what"),), examples=({"what": "break"},),
        ),
    ),
    lifts=(
        Lift("everything is packed", All("item", ("packed", "left")), "full", reason="packed"),
        Lift("a label is written", Any("label", ("written",), "children"), "pack", who="parent"),
        Lift("it fell apart", Named("is_sealed"), "drop_out"),
    ),
    cascades=(
        Cascade("leave the rest", of="parcel", enters=("shipped", "lost"), to="item", fire="leave",
                reason="gone"),
        Cascade("write what is left", of="item", leaves=("loose",), to="label", fire="write",
                whom="children", when=Is("unit", "sealed")),
        Cascade("weigh it again", of="parcel", leaves=("mending",), do="weigh"),
    ),
    pairs=(Pair("a closed parcel is full", ("shipped",), Not(Any("item", ("loose",)))),),
    functions={"weigh": weigh, "is_sealed": is_sealed},
    groups=MappingProxyType({"yard": "In the yard", "road": "On the road"}),
)  # fmt: skip

COUNT: Final = 14
NUMBERED: Final = Machine(
    name="numbered",
    initial="n1",
    statuses=(
        *(
            Status(f"n{i}", "active", f"Number {i}", "low" if i < 8 else "high")
            for i in range(1, COUNT)
        ),
        Status("away", "terminal", "Away", "high"),
    ),
    edges=edges(
        *((f"n{i}", "next", f"n{i + 1}") for i in range(1, COUNT - 1)),
        (" ".join(f"n{i}" for i in range(1, COUNT)), "go", "away"),
    ),
)
