"""The end of a run: everything is asked again, people end what is open, and all is proved."""

from typing import Final

from interlock.kernel.rules import USER
from interlock.service.engine import Principal
from interlock.service.order import Asked, Order
from interlock.service.run import advance
from interlock.service.verify import verify
from tests.conformance.traffic import TENANTS
from tests.service.desk import said
from tests.simulation.ledger import Sent
from tests.simulation.machine import Machine
from tests.simulation.mirror import Unit

ENDINGS: Final = {
    "plan": ("fail_plan",), "mission": ("abandon_recovery", "cancel_mission"),
    # What is delivered is not cancelled any more: it is finished, once it is not blocked.
    "ticket": ("cancel", "retry", "finish"),
}  # fmt: skip
"""With what a person ends a unit, wherever it stands: at most three commands."""


async def end(machine: Machine) -> None:
    """Ask everything again, let people end what is open, and prove all that is left."""
    for sent in machine.ledger.keyed:
        if sent.text or sent.is_open:
            machine.counts["asked again"] += 1
            await machine.send(sent)
    await machine.look()
    for unit in list(machine.mirror.units.values()):
        if not unit.is_over:
            await _finish(machine, unit)
    await machine.look()
    machine.ledger.settle()
    for tenant in TENANTS:
        verdict = await verify(machine.engine, tenant)
        machine.counts["entries verified"] += verdict.entries
        for finding in verdict.findings:
            machine.mirror.find("verify", str(finding))
        await _check_gates(machine, tenant)
    machine.tell(" ".join(unit.hashes[-1] for unit in machine.mirror.units.values()))


async def _finish(machine: Machine, unit: Unit) -> None:
    """End a unit as a person can: in a few commands, with every agent dead."""
    for event in ENDINGS[unit.flow.name]:
        tag = machine.cast.tag()
        by = Principal(unit.tenant, USER, "pat", channel=tag)
        asked = Asked(event, args={"reason": "no longer wanted"})
        order = Order(unit.tenant, by.actor(), unit.me.name, (asked,), said)
        sent = Sent(
            tag, by, f"end {unit.me.name} with {event}",
            lambda engine, order=order: advance(engine, order), is_named=False,  # type: ignore[misc]  # bound at once
        )  # fmt: skip
        await machine.send(sent)
        await machine.look()
        if unit.is_over:
            return
    stands = unit.me.status
    machine.mirror.find(unit.me.name, f"no person can end it where it stands: {stands}")


async def _check_gates(machine: Machine, tenant: str) -> None:
    """Each gate was decided by one command, and by one that was sent."""
    mirror = machine.mirror
    for unit in mirror.units.values():
        if unit.tenant != tenant:
            continue
        for gate in await machine.engine.store.gates.of_unit(tenant, unit.me.name):
            machine.counts["gates"] += 1
            sent = machine.ledger.sent.get(gate.channel)
            closed = mirror.closed.get(gate.id)
            if gate.channel and (sent is None or not (sent.text or sent.is_open)):
                mirror.find(gate.id, f"was decided by {gate.channel}, which was refused")
            if closed is not None and gate.channel != closed[0]:
                told = f"was decided by {closed[0]}, and {gate.channel} is said to have"
                mirror.find(gate.id, told)
