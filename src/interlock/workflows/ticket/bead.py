"""Beads: the pieces of the blueprint that CODING works through, one after the other.

A bead is claimed itself, no assignment stands for it: pending -> in_progress is the claim. An
attempt that fails puts it back until its attempts are spent. A bead that is in progress with
nobody holding it was left so by a finalising RETRY, and goes first.
"""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.forms import Both, Count, Either, Free, Functions, In, Is
from interlock.kernel.machine import Machine, Status, edges
from interlock.kernel.workflow import Field, PartKind, lease
from interlock.workflows.ticket.assignment import name_of, note_attempt

BEADS_MAX: Final = 500
"""How many beads a blueprint may have."""

FINAL_REASONS: Final = ("reset_failed", "commit_failed")
"""Why an attempt cannot be followed by another one, however many are left."""

BLUEPRINT: Final = ("WAITING_BEADS_APPROVAL",)

# fmt: off
BEAD: Final = Machine(
    name="bead",
    initial="pending",
    statuses=(
        Status("pending",     "active",   "Pending"),
        Status("in_progress", "active",   "In progress"),
        Status("done",        "terminal", "Done", is_success=True),
        Status("error",       "gate",     "Error", is_trouble=True),
    ),
    edges=edges(
        # from         signal      to
        ("pending",     "start",    "in_progress"),
        ("in_progress", "complete", "done"),
        ("in_progress", "retry",    "pending"),
        ("in_progress", "fail",     "error"),
        ("in_progress", "restore",  "pending"),
        ("in_progress", "withdraw", "pending"),
        ("error",       "restore",  "pending"),
        ("error",       "finalise", "in_progress"),
    ),
)
# fmt: on

BUILDER: Final = "implementer"

UNHELD: Final = Is("part", "holder", (None,))

BEAD_KIND: Final = PartKind(
    machine=BEAD,
    fields=(
        *lease("in_progress"),
        # A bead that ended in error starts with all its attempts again when it is retried.
        Field("tries", 0, during=("pending", "in_progress")),
        Field("title", "", is_read=False),
        # What it is called in the blueprint.
        Field("key", "", is_read=False),
        # Who builds it, and where the ticket's tree is.
        Field("role", "", is_read=False),
        Field("member", "", is_read=False),
        Field("site", "", is_read=False),
        # What was learnt from attempts that failed; a green one that could not be committed;
        # what became of it in the end.
        Field("notes", (), is_read=False),
        Field("green", is_read=False),
        Field("commit", "", is_read=False),
        Field("report", "", is_read=False),
    ),
    closed=frozenset({"done"}),
    # As for assignments: what a worker that has died was building goes on before long.
    lease_ms=10 * 60 * 1000,
    claim="claim_bead",
    claimable=Both(
        (
            In("unit", ("CODING",)),
            Either(
                (
                    Both(
                        (
                            In("part", ("pending",)),
                            Free(),
                            Count("bead", ("in_progress",), "<", "parallel"),
                        )
                    ),
                    Both((In("part", ("in_progress",)), UNHELD)),
                )
            ),
        )
    ),
    first=In("part", ("in_progress",)),
    verbs={
        "submit": "submit_bead",
        "heartbeat": "heartbeat_bead",
        "fail": "fail_bead",
        "lapse": "lapse_bead",
    },
)


def read_beads(draft: Draft) -> tuple[Mapping[str, object], ...] | None:
    """Return the rows of a blueprint that came with the event, or None where they do not fit.

    There is at least one, and each needs only earlier ones: the list is a topological order.
    """
    rows = draft.event.args.get("beads")
    if not isinstance(rows, Sequence) or not 0 < len(rows) <= BEADS_MAX:
        return None
    fits = all(isinstance(row, Mapping) and _fits(row, place) for place, row in enumerate(rows))
    return tuple(rows) if fits else None


def _fits(row: Mapping[str, object], place: int) -> bool:
    needs = row.get("needs", ())
    return isinstance(needs, Sequence) and all(
        type(need) is int and 0 <= need < place for need in needs
    )


def _make(draft: Draft) -> None:
    draft.drop_all("bead", reason="replaced")
    for row in read_beads(draft) or ():
        fields = {
            **BEAD_KIND.defaults(),
            "title": str(row.get("title", "")),
            "key": str(row.get("id", "")),
            "role": BUILDER,
            "member": name_of(draft, 0),
            "site": draft.unit.fields["site"],
        }
        needs = tuple(cast("Sequence[int]", row.get("needs", ())))
        draft.create(New("bead", BEAD.initial, fields, needs=needs))


def _archive(draft: Draft) -> None:
    draft.drop_all("bead", reason="reopened")


def _count_try(draft: Draft) -> None:
    draft.write("part", "tries", cast("int", draft.part.fields["tries"]) + 1)
    note_attempt(draft)
    # A green attempt can be finished later on, if it was the last that happened.
    draft.write("part", "green", draft.event.args.get("green"))


def _forget_green(draft: Draft) -> None:
    """A bead that is begun anew is built anew, whatever was green before."""
    if draft.part.fields["green"] is not None:
        draft.write("part", "green", None)


def _is_spent(draft: Draft) -> bool:
    if draft.event.args.get("reason") in FINAL_REASONS:
        return True
    tries = cast("int", draft.part.fields["tries"])
    return tries >= cast("int", draft.unit.fields["tries_max"])


def _end_leases(draft: Draft) -> None:
    draft.write_all("bead", "holder", None)


BEAD_FUNCTIONS: Final[Functions] = {
    "make_beads": _make,
    "archive_beads": _archive,
    "count_try": _count_try,
    "forget_green": _forget_green,
    "attempts_are_spent": _is_spent,
    "end_bead_leases": _end_leases,
}
