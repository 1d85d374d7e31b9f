"""How it is told what a unit waits for: who is to do what, since when, and how they say it.

What is waited for is in the workflow's table (``workflows/*/waiting``); here it gets the calls
with their arguments, the words of the command line, the page, and the time. How a workflow speaks
is a ``Speech``; that of missions is here.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from interlock.clock import lately, utc
from interlock.commands.mission.rows import COMMANDS
from interlock.commands.mission.words import DECISIONS
from interlock.commands.row import AnyCommand, Call
from interlock.kernel.rules import AGENT, USER, WORKER
from interlock.kernel.why import Fact, Wait, Why
from interlock.service.order import Reply
from interlock.service.read import Read
from interlock.service.record import Body, read_body
from interlock.store.gates import GateRow
from interlock.store.rows import part_number

LOOKED_AT: Final = 1_000
"""How many entries, from the end of the audit back, are looked at for a time."""

WHO: Final = {USER: "a person", AGENT: "an agent", WORKER: "a worker"}
ROWS: Final[Mapping[str, AnyCommand]] = {row.name: row for row in COMMANDS}
ENTERED: Final = "…"
OBVIOUS: Final = frozenset({
    "NOT_HELD", "MISSION_LIVE", "KEPT", "STALE_LEASE", "NOTHING_DUE", "CANNOT_REOPEN", "LOCKED",
})  # fmt: skip
"""Why something is refused that nobody would try: what is not held cannot be repaired."""

PULL: Final = "get_next_work"
NAMES: Final = ("mission_id", "hop_id", "asset_id", "part_id", "ticket_id", "id")
"""Arguments that name what is spoken of."""

SETTING: Final = (
    " This server is not told of {missing}; whoever runs it must have it (mcp_servers, model)."
)


class Speech(NamedTuple):
    """How a workflow speaks: its commands, what lets things go on at its gates, what is pulled.

    ``after`` is what the command line takes beside the id. Where ``by_gate`` holds a person is told
    to decide at the gate itself.
    """

    rows: Mapping[str, AnyCommand]
    decisions: Mapping[tuple[str, str], str]
    pulls: Mapping[str, str]
    after: Mapping[str, str]
    by_gate: bool = True


MISSION: Final = Speech(
    rows=ROWS, decisions=DECISIONS, pulls={"claim_hop": "hop", "claim_tool_step": "tool_step"},
    after={"mission propose": "FILE", "mission hop": "FILE", "mission supply": "--content …"},
)  # fmt: skip


class About(NamedTuple):
    """What the times and the calls are made from."""

    speech: Speech
    call: Call
    read: Read
    gates: Mapping[int, GateRow]
    bodies: Sequence[Body]


async def waits_of(
    call: Call, read: Read, why: Why, name: str, speech: Speech = MISSION
) -> tuple[list[Reply], int]:
    """Tell what a unit waits for, and since when what was asked about stands where it does."""
    row, tenant, store = read.whole.row, call.tenant, call.engine.store
    found = await store.gates.of_unit(tenant, row.id)
    first = max(row.version - LOOKED_AT, 0)
    entries = await store.audit(tenant, row.id, first, LOOKED_AT) if why.waits else ()
    about = About(
        speech, call, read, {one.part: one for one in found if one.is_open},
        [read_body(one.link.body) for one in reversed(entries)],
    )  # fmt: skip
    return [_told(about, wait) for wait in why.waits], _entered(about, name, why.status)


def _told(about: About, wait: Wait) -> Reply:
    unit = about.read.whole.row.id
    gate = about.gates.get(0 if wait.part is None else part_number(str(wait.part)))
    decisions = about.speech.decisions
    is_gate = gate is not None and decisions.get((gate.kind, gate.status)) == wait.events[0]
    told: Reply = {"state": wait.state, "who": list(wait.who), "what": wait.what}
    told["what"] = wait.what + _unset(about, wait)
    told["since"] = gate.opened_at if gate and is_gate else _since(about, wait)
    if wait.part is not None:
        told["part_id"] = wait.part
    # A repair is waited for until the mission's deadline, all else as long as the lease lasts.
    due = about.read.whole.due.get(unit if wait.state == "held" else str(wait.part))
    if due is not None:
        told["until"] = due
    if gate is not None and is_gate:
        told |= {"gate_id": gate.id, "content_digest": gate.digest}
    site = about.call.engine.site
    place = f"/gates/{gate.id}" if gate and is_gate else f"/units/{unit}"
    told["url"] = f"{site}{place}"
    told["calls"] = [_call(about, wait, event, gate if is_gate else None) for event in wait.events]
    return told


def _unset(about: About, wait: Wait) -> str:
    """Say which resources a tool step needs that are not in the settings here."""
    if not wait.part or wait.events[0] != "claim_tool_step":
        return ""
    needed = about.read.snapshot.part(wait.part).fields["resources"] or ()
    known = about.call.engine.resources
    missing = [str(one) for one in cast("tuple[object, ...]", needed) if one not in known]
    return SETTING.format(missing=", ".join(missing)) if missing else ""


def _since(about: About, wait: Wait) -> int:
    """Return when the last thing happened to what is waited for."""
    for body in about.bodies:
        ids = cast("Sequence[str]", body.get("ids", ()))
        if wait.part in ids if wait.part is not None else body.get("unit"):
            return cast("int", body["at"])
    return about.read.whole.row.changed_at


def _entered(about: About, name: str, status: str) -> int:
    """Return when a unit or a part of one came to the status that it is in."""
    is_unit = name == about.read.whole.row.id
    for body in about.bodies:
        is_meant = (
            body.get("unit") if is_unit else name in cast("Sequence[str]", body.get("ids", ()))
        )
        if is_meant and body.get("target", status) == status != body.get("source"):
            return cast("int", body["at"])
    return about.read.whole.row.changed_at


# -- calls -------------------------------------------------------------------------------------


def _call(about: About, wait: Wait, event: str, gate: GateRow | None) -> Reply:
    flow = about.read.running.flow
    rule = flow.rule(event)
    name = "" if rule is None else rule.command
    part = "" if wait.part is None else str(wait.part)
    if event in about.speech.pulls:
        arguments = _pulled(about, event, part)
        return {"command": name, "arguments": arguments, "http": "POST /v1/parts/next"}
    of_unit = rule is not None and rule.kind == flow.unit.name
    row = about.speech.rows.get(name)
    if row is None:  # one of the verbs that all workflows share
        unit: Reply = {"id": about.read.whole.row.id}
        held: Reply = {"part_id": part, "lease": _lease(about, part)}
        return {"command": name, "arguments": unit if of_unit else held}
    arguments = dict(_arguments(about, row, "" if of_unit else part, gate))
    place = row.path.format(**{word: arguments.get(word, ENTERED) for word in row.in_path})
    told: Reply = {"command": name, "arguments": arguments, "http": f"{row.method} /v1{place}"}
    line = _line(about.speech, row, arguments, event, gate)
    return told | {"command_line": line} if line else told


def _pulled(about: About, event: str, part: str) -> Reply:
    """Return with which filters a part is claimed."""
    told: Reply = {"workflow": about.read.running.flow.name, "kind": about.speech.pulls[event]}
    fields = about.read.snapshot.part(part).fields if part else {}
    return told | {name: fields[name] for name in ("member", "site") if fields.get(name)}


def _arguments(
    about: About, row: AnyCommand, part: str, gate: GateRow | None
) -> Iterator[tuple[str, object]]:
    """Yield what a command must be told: names as they are, the rest to be entered."""
    own = part or about.read.whole.row.id
    for name, field in row.takes.model_fields.items():
        if name == "lease":
            yield name, _lease(about, part)
        elif name in NAMES:
            yield name, own
        elif name == "content_digest" and gate is not None:
            yield name, gate.digest
        elif field.is_required():
            yield name, ENTERED


def _lease(about: About, part: str) -> str:
    fence = about.read.snapshot.part(part).fields.get("fence") if part else None
    return f"{about.read.whole.incarnation}.{fence}" if fence else ENTERED


def _line(
    speech: Speech, row: AnyCommand, arguments: Reply, event: str, gate: GateRow | None
) -> str:
    """Return how a person says it at a terminal, where they can."""
    reason = " -m …" if "reason" in arguments else ""
    if speech.by_gate and gate is not None and "content_digest" in row.takes.model_fields:
        return f"interlock decide {gate.id} {event}{reason}"
    if not row.words:
        return ""
    own = next((str(arguments[name]) for name in NAMES if name in arguments), "")
    after = f" {speech.after[row.words]}" if row.words in speech.after else ""
    return f"interlock {row.words} {own}{after}{reason}"


# -- words -------------------------------------------------------------------------------------


def action_of(told: Reply) -> str:
    """Say in one sentence who is to do what; nothing that anybody has written is in it."""
    call = cast("list[Reply]", told["calls"])[0]
    who = _who(told)
    line = f" ({call['command_line']})" if "command_line" in call else ""
    return f"{who[0].upper()}{who[1:]} is to call {_said(call)}{line}."


def text_of(name: str, why: Why, waits: Sequence[Reply], now: int) -> str:
    """Return the explanation for people: what is waited for first, then what else is possible."""
    since = "" if why.since is None else f" since {lately(why.since, now)}"
    holder = f", held by {why.holder}" if why.holder else ""
    head = f"{name} is {why.status}{holder}{since}."
    named = {(call["command"], one.get("part_id")) for one in waits for call in _calls(one)}
    calls = tuple(
        call
        for call in why.calls
        # Whose turn it is is said above: nobody pulls a part that is not next.
        if call.actors != ("system",) and call.command != PULL
        if (call.command, call.part) not in named and (call.command, None) not in named
    )
    facts = tuple(fact for fact in why.facts if not _is_obvious(fact))
    rest = Why(why.kind, why.status, why.is_ended, calls, facts, why.first)
    return "\n".join([head, *_lines(waits, now), *rest.sections()])


def _is_obvious(fact: Fact) -> bool:
    return fact.code in OBVIOUS


def _lines(waits: Sequence[Reply], now: int) -> Iterator[str]:
    if waits:
        yield "It waits for"
    for one in waits:
        until = f", until {utc(cast('int', one['until'])):%H:%M} UTC" if "until" in one else ""
        since = lately(cast("int", one["since"]), now)
        yield f"  · {_who(one)}, since {since}{until}: {one['what']}"
        for call in _calls(one):
            yield f"      {_said(call)}"
            if "command_line" in call:
                yield f"      {call['command_line']}"
        if str(one["url"]).startswith("http"):
            yield f"      {one['url']}"


def _calls(told: Reply) -> list[Reply]:
    return cast("list[Reply]", told["calls"])


def _said(call: Reply) -> str:
    arguments = cast("Reply", call["arguments"])
    return " ".join([str(call["command"]), *(f"{name}={one}" for name, one in arguments.items())])


def _who(told: Reply) -> str:
    return " or ".join(WHO[kind] for kind in cast("list[str]", told["who"]))
