"""The demo's mission: three hops over real orders, by agents over MCP, a person, and a worker.

A bank is busy and is asked again; server and worker are killed while a tool runs, and the hop goes
on; a design is sent back; a tool step fails, is repaired, and nothing that was done is done twice.
Every number comes from a tool, and is compared with a sum of our own.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from interlock.app import LOCAL
from interlock.cli.demo.bank import Bank, open_bank
from interlock.cli.demo.desk import ANN, Desk, at_desk, kill, running
from interlock.cli.demo.orders import REPORT, days, expected
from interlock.cli.demo.serving import WentWrong, Worker
from interlock.cli.demo.session import Document
from interlock.cli.demo.telling import say
from interlock.cli.screen import out, print_text
from interlock.kernel.rules import WORKER
from interlock.service.access import create_token
from interlock.service.read import read_unit
from interlock.service.record import read_body
from interlock.store.rows import PartRow

TOOLS: Final = "interlock.cli.demo.figures"
LEASE_MS: Final = 4_000
"""How long a worker is missed before what it held is given to another one."""

PATIENCE_S: Final = 60
NAP_S: Final = 0.1
ENDED: Final = ("COMPLETED", "FAILED")
NEW: Final = {
    "name": "What did November bring?",
    "goal": "A report that says what the month came to in euro, and what sold best.",
    "success_criteria": ["every order is in it", "the total is right to the cent"],
    "outputs": [{"name": "report", "schema": {"type": "string"}}],
    "tries_max": 5,
}
ROWS: Final = {"type": "array", "items": {"type": "object"}}
LAPSE: Final = "lapse_tool_step"
RAN_OUT: Final = "its lease ran out."
Steps = list[dict[str, object]]
Ids = list[str]


@dataclass(slots=True)
class Flight(Desk):
    """The desk, the worker and the bank, and what is known of the mission."""

    bank: Bank = field(default_factory=Bank)
    worker: Worker | None = None
    mission: str = ""
    hop: str = ""
    told: set[str] = field(default_factory=set)

    async def standing(self) -> Mapping[str, Any]:
        """Read how the mission stands, as the person sees it."""
        return await self.person("mission_status", mission_id=self.mission)

    async def asset(self, name: str) -> str:
        """Return the id of an asset."""
        assets = (await self.standing())["assets"]
        return next(str(one["asset_id"]) for one in assets if one["name"] == name)

    async def steps(self) -> list[PartRow]:
        """Return the tool steps of the hop in their order."""
        parts = (await read_unit(self.app.engine, LOCAL, self.mission)).whole.parts
        return [
            row for row in parts if row.part.kind == "tool_step" and row.part.parent == self.hop
        ]

    async def audit(self) -> list[Mapping[str, object]]:
        """Return everything that has happened to the mission."""
        rows = await self.app.engine.store.audit(LOCAL, self.mission, 0, 1_000)
        return [read_body(row.link.body) for row in rows]


async def play(folder: Path) -> str:
    """Fly the mission from its proposal to its report; return its id."""
    async with open_bank() as bank:
        around = {
            "tools": TOOLS, "mcp_servers": json.dumps({"bank": {"url": bank.url}}),
            "lease_ms": str(LEASE_MS),
        }  # fmt: skip
        async with at_desk(folder, "mission", around) as desk:
            token, _ = await create_token(desk.app.engine, desk.app.owner(), "worker", WORKER)
            given = {**around, "token": token}
            async with running(Worker(folder, desk.server.url, given)) as worker:
                flight = Flight(desk.server, desk.app, desk.token, desk.toolset, bank, worker)
                await _fly(flight)
    return flight.mission


async def _fly(flight: Flight) -> None:
    await _propose(flight)
    await _convert(flight)
    await _add_up(flight)
    await _write(flight)
    await _prove(flight)


async def _propose(flight: Flight) -> None:
    orders = days()
    count = sum(len(day["orders"]) for day in orders)
    given = [{"name": "days", "schema": ROWS, "content": orders}]
    async with flight.session("planner") as planner:
        made = await planner.call("propose_mission", **NEW, inputs=given)
        flight.mission = made["data"]["mission_id"]
        say("planner", f"proposes {flight.mission} over MCP: {NEW['name']} ({count} orders)")
        no = await planner.refused("accept_mission", "HUMAN_REQUIRED", mission_id=flight.mission)
        say("planner", f"tries to accept it itself: refused, {no['code']}")
    await _decide(flight, "accept_mission", "accepts it")


# -- the hops ----------------------------------------------------------------------------------


async def _convert(flight: Flight) -> None:
    """Bring all orders to euro; the bank is busy, then everything is killed."""
    await _accepted(
        flight, "Everything in euro", inputs=["days"], output="in euro",
        assets=[{"name": "in euro", "schema": ROWS}],
    )  # fmt: skip
    source, output = await flight.asset("days"), await flight.asset("in euro")
    rates = {"dollar": {"step": 2}, "pound": {"step": 3}}
    chain: Steps = [
        _step("json_query", "takes the orders out of their days", "value",
              value={"asset": source}, path={"literal": "[*].orders[*]"}),
        _step("bank.rate", "asks the bank for dollars", "rate", currency={"literal": "USD"}),
        _step("bank.rate", "asks the bank for pounds", "rate", currency={"literal": "GBP"}),
        _step("in_euro", "converts each order", "rows", output, orders={"step": 1}, **rates),
    ]  # fmt: skip
    await _resolved(flight, chain, wrong=[chain[0], {**chain[3], "tool": "in_euros"}])
    await _decide(flight, "execute_hop", "looks at the design and runs it")
    async with asyncio.timeout(PATIENCE_S):
        await flight.bank.is_stuck.wait()
    await _tell_steps(flight)
    await _pull_the_plug(flight)
    await _run(flight)


async def _pull_the_plug(flight: Flight) -> None:
    """Kill the server and the worker while a tool runs, and start both again."""
    programs = (flight.server, cast("Worker", flight.worker))
    kill(*programs)
    say("server", "KILLED (SIGKILL), and the worker with it, while the bank is asked for pounds")
    await asyncio.gather(*(asyncio.to_thread(program.start) for program in programs))
    say(
        "server",
        f"started again; when the lease has run out ({LEASE_MS // 1000} s) the hop goes on",
    )


async def _add_up(flight: Flight) -> None:
    """Add up; the first design is sent back, the second fails halfway and is repaired."""
    rows = await flight.asset("in euro")
    await _accepted(
        flight, "What sold where", inputs=[rows], output="figures",
        assets=[{"name": "figures", "schema": {"type": "object"}}],
    )  # fmt: skip
    output = await flight.asset("figures")

    def grouped(by: str) -> dict[str, object]:
        return _step(
            "group_reduce", f"adds up by {by}", "groups", rows={"asset": rows},
            by={"literal": by}, reduce={"literal": "sum"}, of={"literal": "euro_cents"},
        )  # fmt: skip

    both = {"shops": {"step": 1}, "products": {"step": 2}}
    last = _step("figures", "finds the total and the best", "figures", output, **both)
    await _resolved(flight, [grouped("currency"), grouped("product"), last])
    await _decide(flight, "request_changes", "sends it back", reason="by shop, not by currency")
    await _resolved(flight, [grouped("shop"), grouped("item"), last])
    await _decide(flight, "execute_hop", "runs it")
    await _run(flight, ends="FAILED")
    say("", f"{await _why(flight)} A person can repair that, so the mission waits for one")
    await _fix(flight, "the field is called product, not item")
    done = (await flight.steps())[0].id
    await _resolved(flight, [{"step_id": done}, grouped("product"), last])
    await _decide(flight, "execute_hop", "runs it; what was completed is kept")
    await _run(flight)


async def _write(flight: Flight) -> None:
    """Write the report, which completes the mission."""
    figures = await flight.asset("figures")
    await _accepted(flight, "The report", inputs=[figures], output="report", is_final=True)
    values = {"values": {"asset": figures}, "template": {"literal": REPORT}}
    output = await flight.asset("report")
    await _resolved(flight, [_step("template", "writes the report", "text", output, **values)])
    await _decide(flight, "execute_hop", "runs it")
    await _run(flight)


# -- who does what -----------------------------------------------------------------------------


def _step(
    tool: str, description: str, result: str, asset: str = "", **parameters: object
) -> dict[str, object]:
    """Return a step of a chain; what it makes goes to an asset, or is kept for later steps."""
    goes = {result: {"asset": asset} if asset else {"scratch": True}}
    return {"tool": tool, "description": description, "parameter_mapping": parameters,
            "result_mapping": goes}  # fmt: skip


async def _accepted(flight: Flight, name: str, **proposal: object) -> None:
    """Let the planner propose a hop and the person accept it."""
    async with flight.session("planner") as planner:
        told = {"mission_id": flight.mission, "name": name, "goal": name, **proposal}
        made = await planner.call("propose_hop", **told)
    flight.hop = made["data"]["hop_id"]
    final = ", the final one" if proposal.get("is_final") else ""
    out.print()
    say("planner", f"proposes a hop{final}: {name}")
    await _decide(flight, "accept_hop", "accepts it")


async def _resolved(flight: Flight, chain: Steps, wrong: Steps | None = None) -> None:
    """Let the designer take the hop and hand in a chain; first one that is wrong, if given."""
    async with flight.session("designer") as designer:
        await designer.call("mission_context", mission_id=flight.mission)
        work = await designer.call("get_next_work", workflow="mission", kind="hop")
        if work["data"].get("part", {}).get("part_id") != flight.hop:
            raise WentWrong(f"the hop should have been handed out: {work['next_action']}")
        lease = work["data"]["part"]["lease"]["token"]
        held = {"hop_id": flight.hop, "lease": lease}
        if wrong is not None:
            no = await designer.refused(
                "submit_resolution", "VALIDATION_FAILED", **held, steps=wrong
            )
            say("designer", f"hands in a chain with mistakes: refused, all {_counted(no)} at once")
        await designer.call("submit_resolution", **held, steps=chain)
    names = ", ".join(str(step.get("tool", "(kept)")) for step in chain)
    many = "s" if len(chain) > 1 else ""
    say("designer", f"resolves it into {len(chain)} tool step{many}: {names}")


def _counted(no: Document) -> str:
    return str(no["message"]).partition("(")[2].partition(")")[0]


async def _decide(flight: Flight, command: str, text: str, **said: object) -> None:
    """Let the person decide about what is shown at the gate."""
    gate = (await flight.standing())["gates"][-1]
    about = (
        {"mission_id": flight.mission} if command == "accept_mission" else {"hop_id": flight.hop}
    )
    told = await flight.person(command, **about, content_digest=gate["content_digest"], **said)
    _tell_person(text, told, said.get("reason"))


async def _fix(flight: Flight, reason: str) -> None:
    told = await flight.person("fix_hop", hop_id=flight.hop, reason=reason)
    _tell_person("has it repaired", told, reason)


def _tell_person(text: str, told: Mapping[str, Any], reason: object) -> None:
    why = f": {reason}" if reason else ""
    say(ANN, f"{text}{why}  -> {told['mission_status']}")


async def _run(flight: Flight, ends: str = "COMPLETED") -> None:
    """Wait until the worker has run the hop, and tell of each step when it has ended."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            data = await flight.standing()
            status = next(hop["status"] for hop in data["hops"] if hop["hop_id"] == flight.hop)
            await _tell_steps(flight)
            if status in ENDED:
                break
            await asyncio.sleep(NAP_S)
    if status != ends:
        raise WentWrong(f"the hop is {status}, not {ends}: {await _why(flight)}")
    held = ", held" if data.get("held") else ""
    say("", f"the hop is {status}, the mission {data['status']}{held}")


async def _tell_steps(flight: Flight) -> None:
    lost = await _lost(flight)
    for row in await flight.steps():
        if row.part.status in ENDED and row.id not in flight.told:
            flight.told.add(row.id)
            fields = row.part.fields
            failed = "  ✕" if row.part.status == "FAILED" else ""
            say("worker", f"{fields['tool']!s:<13}{fields['description']}{failed}")
            for number, why in enumerate(lost.get(row.id, ()), 1):
                say("", f"{'':<13}attempt {number} failed: {why} Attempt {number + 1} did it.")


async def _lost(flight: Flight) -> dict[str, list[str]]:
    """Return by tool step why attempts were lost that have not failed it, from the audit."""
    lost: dict[str, list[str]] = {}
    for body in await flight.audit():
        error = cast("Document", body.get("error") or {})
        if body["event"] == LAPSE and "failure" in body:
            lost.setdefault(str(cast("Ids", body["ids"])[0]), []).append(RAN_OUT)
        elif error.get("class") == "transient":
            lost.setdefault(str(cast("Ids", body["ids"])[0]), []).append(str(error["message"]))
    return lost


async def _why(flight: Flight) -> str:
    """Return what the failed step says."""
    errors = [row.part.fields["error"] for row in await flight.steps()]
    return next((str(cast("Document", one)["message"]) for one in errors if one), "nothing failed")


# -- proofs ------------------------------------------------------------------------------------


async def _prove(flight: Flight) -> None:
    """Compare what the tools came to with our own sum, and say what has happened."""
    context = await flight.person("mission_context", mission_id=flight.mission)
    held = {one["name"]: one.get("content") for one in context["assets"]}
    report = agreed(held["figures"], held["report"])
    print_text("\n".join(f"    {line}" for line in report.splitlines()))
    counts = await _counts(flight)
    missing = [name for name, count in counts.items() if not count]
    if context["status"] != "COMPLETED" or missing:
        raise WentWrong(f"the mission is {context['status']}, and has not shown {missing}")
    told = " · ".join(f"{count} {name}" for name, count in counts.items())
    print_text(f"  ✓ COMPLETED: {told} · every number agrees with an independent sum")


def agreed(figures: object, report: object) -> str:
    """Return the report; raises where anything in it differs from our own sum."""
    wanted = expected()
    right = REPORT.format(**wanted)
    if (figures, report) != (wanted, right):
        message = f"the mission says {figures} and {report!r}, our own sum {wanted} and {right!r}"
        raise WentWrong(message)
    return right


async def _counts(flight: Flight) -> dict[str, int]:
    """Count from the audit what the mission has been through."""
    moments = {(str(body["event"]), body["at"]) for body in await flight.audit()}
    events = Counter(event for event, _ in moments)
    parts = (await read_unit(flight.app.engine, LOCAL, flight.mission)).whole.parts
    done = Counter(row.part.kind for row in parts if row.part.status == "COMPLETED")
    lost = [why for whys in (await _lost(flight)).values() for why in whys]
    return {
        "hops": done["hop"], "redesigned": events["request_changes"], "repaired": events["fix_hop"],
        "tool steps": done["tool_step"], "retried in place": len(lost) - lost.count(RAN_OUT),
        "taken up after the kill": lost.count(RAN_OUT),
    }  # fmt: skip
