"""How a ticket's story is told: given a phase and its parts, when a call comes, then what stands.

Parts are written as words, ``status@holder:tries``, in order: ``"done in_progress@me:1"``. A ``#``
says that a part was claimed once and is held by nobody. Beads are named b1, b2, ... and
assignments w1, w2, ...; what is not said of the parts afterwards must be as it was before. No
story says when the time of its work begins and ends: that is the same in all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from interlock.kernel.decide import decide
from interlock.kernel.entries import Decision, Move, New
from interlock.kernel.look import look
from interlock.kernel.refusal import BrokenTable, Refusal
from interlock.kernel.replay import apply
from interlock.kernel.seen import Actor, Event, Part, SliceError
from interlock.kernel.snapshot import Snapshot, begin
from interlock.kernel.workflow import Workflow

DIGEST = "sha256:shown"

# Who sends a call unless the story says otherwise; the calls about a part, by kind.
HANDS = {
    "bead": ("claim_bead", "submit_bead", "heartbeat_bead", "fail_bead"),
    "work": (
        "claim_work", "submit_work", "heartbeat_work", "fail_work", "reject_work", "release_work",
        "retry_work",
    ),
}  # fmt: skip
CLOCK = {
    "bead": ("lapse_bead",),
    "work": ("lapse_work",),
    "": ("deadline", "error", "outside_merge"),
}
FENCED = (
    "submit_bead", "heartbeat_bead", "fail_bead", "submit_work", "heartbeat_work", "fail_work",
    "reject_work", "release_work", "retry_work",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Story:
    """One story. ``then`` is a phase and ``signals`` the ticket's own events; or it is refused."""

    title: str
    phase: str
    call: str
    then: str = ""
    signals: str = ""
    refused: str = ""
    by: str = ""
    args: Mapping[str, object] = field(default_factory=dict)
    fields: Mapping[str, object] = field(default_factory=dict)
    beads: str = ""
    needs: tuple[tuple[int, ...], ...] = ()
    work: str = ""
    about: str = ""
    fence: int | None = 1
    beads_after: str | None = None
    work_after: str | None = None
    after: Mapping[str, object] = field(default_factory=dict)
    # Fields of the part that the call is about, before and afterwards.
    own: Mapping[str, object] = field(default_factory=dict)
    own_after: Mapping[str, object] = field(default_factory=dict)


def told(flow: Workflow, story: Story) -> str:
    """Return what is wrong with how a workflow plays a story, or the empty string."""
    snapshot = given(flow, story)
    event = _event(story)
    try:
        decision = decide(flow, look(flow, snapshot, event), event)
    except Refusal as refusal:
        wrong = "" if refusal.code == story.refused else f"refused {refusal}"
    except (BrokenTable, SliceError, KeyError, IndexError) as broken:
        wrong = f"broke with {broken!r}"
    else:
        after = apply(flow, snapshot, decision, _name)
        wrong = (
            _compared(story, decision, after)
            or _owned(story, event, after)
            or _clocked(flow, snapshot, decision, after)
        )
    return f"{story.title}: {wrong}" if wrong else ""


def given(flow: Workflow, story: Story) -> Snapshot:
    """Return the ticket as the story begins."""
    unit = begin(flow, unit={**_counted(story), **story.fields}).unit
    unit.status = story.phase
    beads = [
        _part(flow, "bead", word, tuple(f"b{need + 1}" for need in needs))
        for word, needs in _zipped(story)
    ]
    work = [_part(flow, "assignment", word) for word in story.work.split()]
    _named(story, beads, work).update(story.own)
    ids = [f"b{n + 1}" for n in range(len(beads))] + [f"w{n + 1}" for n in range(len(work))]
    return Snapshot(unit, (*beads, *work), tuple(ids))


def _named(story: Story, beads: list[Part], work: list[Part]) -> dict[str, object]:
    """Return the fields of the part that the call is about."""
    kind, _ = _asked(story.call)
    name = story.about or {"bead": "b1", "work": "w1"}.get(kind, "")
    among = beads if name.startswith("b") else work
    place = int(name[1:]) - 1 if name else len(among)
    # They are the story's own: nobody else has them.
    return among[place].fields if place < len(among) else {}


def _counted(story: Story) -> Mapping[str, object]:
    """Return the number of the round that is under way, if one is."""
    is_open = {word.partition("@")[0] for word in story.work.split()} & {"offered", "claimed"}
    return {"round": 7} if is_open else {}


def _clocked(flow: Workflow, before: Snapshot, decision: Decision, after: Snapshot) -> str:
    """Time runs exactly while work is open, and begins with every offer of work."""
    timer = flow.timer
    if timer is None:
        return "no work has an end"
    is_open = any(
        part.kind == "assignment" and part.status in ("offered", "claimed") for part in after.parts
    )
    if bool(timer.lasts_ms(after.unit)) != is_open:
        return f"work is {'open' if is_open else 'over'}, and its time is not"
    is_offered = is_open and any(
        isinstance(e, New) and e.kind == "assignment" for e in decision.entries
    )
    goes = timer.goes(before.unit, after.unit)
    return "" if (goes or 0) > 0 or not is_offered else "the time of new work does not begin"


def words(snapshot: Snapshot, kind: str) -> str:
    """Write the parts of a kind as a story does."""
    return " ".join(_word(part) for part in snapshot.parts if part.kind == kind)


def _zipped(story: Story) -> list[tuple[str, tuple[int, ...]]]:
    named = story.beads.split()
    needs = story.needs or ((),) * len(named)
    return list(zip(named, needs, strict=True))


def _part(flow: Workflow, kind: str, word: str, needs: tuple[str, ...] = ()) -> Part:
    head, _, tries = word.partition(":")
    name, _, holder = head.partition("@")
    fields = flow.kind(kind).defaults()
    fields |= {"holder": holder or None, "fence": 1 if holder or "#" in name else 0}
    if tries:
        fields["tries"] = int(tries)
    return Part(kind, name.rstrip("#"), fields, None, needs)


def _word(part: Part) -> str:
    holder, tries = part.fields["holder"], part.fields.get("tries")
    return part.status + (f"@{holder}" if holder else "") + (f":{tries}" if tries else "")


def _event(story: Story) -> Event:
    kind, actor = _asked(story.call)
    args = dict(story.args)
    if story.call in FENCED and story.fence is not None:
        args["fence"] = story.fence
    part = story.about or {"bead": "b1", "work": "w1"}.get(kind)
    by = story.by or actor
    name = "me" if by == "agent" else by
    return Event(story.call, Actor(by, name, name), part, args)


def _asked(call: str) -> tuple[str, str]:
    for actor, table in (("agent", HANDS), ("system", CLOCK)):
        for kind, calls in table.items():
            if call in calls:
                return kind, actor
    return "", "user"


def _compared(story: Story, decision: Decision, after: Snapshot) -> str:
    if story.refused:
        return f"was accepted, not refused {story.refused}"
    moves = (e for e in decision.entries if isinstance(e, Move) and e.who == "unit")
    wanted = {
        "signals": story.signals,
        "phase": story.then,
        "beads": _plain(story.beads if story.beads_after is None else story.beads_after),
        "work": _plain(story.work if story.work_after is None else story.work_after),
        **story.after,
    }
    got = {
        "signals": " ".join(move.signal for move in moves),
        "phase": after.unit.status,
        "beads": words(after, "bead"),
        "work": words(after, "assignment"),
        **{name: after.unit.fields[name] for name in story.after},
    }
    return " and ".join(
        f"{name} {got[name]!r}, not {value!r}"
        for name, value in wanted.items()
        if got[name] != value
    )


def _owned(story: Story, event: Event, after: Snapshot) -> str:
    if not story.own_after or event.part is None:
        return ""
    fields = after.part(event.part).fields
    got = {name: fields[name] for name in story.own_after}
    return "" if got == story.own_after else f"the part holds {got!r}"


def _plain(text: str) -> str:
    return text.replace("#", "")


def _name(kind: str, number: int) -> str:
    return f"new {kind} {number}"
