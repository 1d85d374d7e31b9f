"""Leases and fences as the kernel sees them: who has a part, by which number, and is it overdue.

Every kind of part that can be claimed carries the fields of ``workflow.lease``. The number of
the last claim is the fence: what comes with an older number comes from a zombie. When a lease
runs out is for a clock to say, and the clock is outside: here it is only the event that says so.
"""

from interlock.kernel.draft import Draft
from interlock.kernel.entries import Write, make
from interlock.kernel.forms import Functions


def is_mine(draft: Draft) -> bool:
    """Say whether the caller may act on the part as its holder.

    With a fence: it must be the number of the last claim. Without one: the part was never
    claimed, or nobody holds it, or the last claim was made by the same session (or by the same
    principal, where no session is given).
    """
    fields = draft.part.fields
    fence = draft.event.args.get("fence")
    if fence is not None:
        return bool(fence == fields["fence"])
    holder = fields["holder"]
    actor = draft.event.actor
    return not fields["fence"] or holder is None or holder == (actor.session or actor.id)


def is_unclaimed(draft: Draft) -> bool:
    """Say whether nobody has ever claimed the part."""
    return not draft.part.fields["fence"]


def is_takeable(draft: Draft) -> bool:
    """Say whether nobody stands in the way: the part is unheld or its lease has run out."""
    fields = draft.part.fields
    return fields["holder"] is None or bool(fields["lapsed"])


def grant(draft: Draft) -> None:
    """Give the part to the caller, with a new fence."""
    actor, part = draft.event.actor, draft.part
    fields, kind = part.fields, part.kind
    fence = fields["fence"]
    number = fence + 1 if isinstance(fence, int) else 1
    holder = actor.session or actor.id
    part.fields = {**fields, "fence": number, "holder": holder}
    draft.entries.append(make(Write, ("part", kind, "fence", number)))
    draft.entries.append(make(Write, ("part", kind, "holder", holder)))
    if fields["lapsed"]:
        draft.write("part", "lapsed", value=False)


def keep(draft: Draft) -> None:
    """Record a sign of life: the lease is not overdue any more."""
    draft.write("part", "lapsed", value=False)


def lapse(draft: Draft) -> None:
    """Record that the lease ran out; the fence stays good until somebody else claims."""
    draft.write("part", "lapsed", value=True)


LEASE_FUNCTIONS: Functions = {
    "lease_is_mine": is_mine,
    "never_claimed": is_unclaimed,
    "lease_is_takeable": is_takeable,
    "grant_lease": grant,
    "keep_lease": keep,
    "lapse_lease": lapse,
}
