"""Links to a decision: for one person and one gate, spelled in one way, void with another key."""

import base64
import json
from dataclasses import replace
from typing import cast

import pytest

from interlock.errors import InterlockError
from interlock.service.errors import LinkNotGood, NotAllowed
from interlock.service.links import make_link, read_link
from interlock.store.gates import GateRow
from interlock.store.people import UserRow
from tests.commands.test_gates import ask
from tests.stage import ADA, EVE, HOME, PAT, Stage, staged


async def _gate(stage: Stage) -> GateRow:
    """Make a person, and a gate at which people decide."""
    row = UserRow(
        HOME, "pat", "pat@example.org", "Pat", "owner", None, stage.engine.store.now(), None
    )
    await stage.engine.store.people.add_first(row)
    plan = await stage.plan(1, review_policy="human")
    name = str((await ask(stage, plan))["gate_id"])
    found = await stage.engine.store.gates.find(HOME, plan, name)
    assert found is not None
    return found


async def _made(stage: Stage, gate: GateRow, **more: object) -> str:
    data = (await stage.call("link_gate", PAT, gate_id=gate.id, **more)).data
    return str(data["link"]).partition("/decide/")[2]


@staged
async def test_a_link_says_who_decides_what(stage: Stage) -> None:
    gate = await _gate(stage)
    link = await read_link(stage.engine, await _made(stage, gate))

    assert (link.person.id, link.person.kind, link.person.channel) == ("pat", "user", "link")
    assert (link.gate, link.digest) == (gate.id, gate.digest)
    said = {"gate_id": link.gate, "decision": "approve", "content_digest": link.digest}
    await stage.call("decide_gate", link.person, **said)
    told = (await stage.call("get_gate", PAT, gate_id=gate.id)).data
    assert (told["channel"], told["decided_by"]) == ("link", {"kind": "user", "id": "pat"})
    with pytest.raises(InterlockError, match="closed"):
        await make_link(stage.engine, PAT, await _again(stage, gate))


async def _again(stage: Stage, gate: GateRow) -> GateRow:
    return cast("GateRow", await stage.engine.store.gates.find(HOME, gate.unit, gate.id))


def _forged(signed: str) -> list[str]:
    """Return every link that is nearly this one."""
    said, _, mac = signed.partition(".")
    words = json.loads(base64.urlsafe_b64decode(said + "=" * (-len(said) % 4)))

    def spelled(value: object) -> str:
        text = json.dumps(value, separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(text).rstrip(b"=").decode()

    others: list[object] = [
        [*words[:place], f"{words[place]}x", *words[place + 1 :]] for place in range(4)
    ]
    others += [[*words[:4], words[4] + 1], ["no such", *words[1:]], words[:4], {}, None]
    return [
        *(f"{spelled(one)}.{mac}" for one in others),
        "", ".", said, f"{said}.", f".{mac}", f"{said}.{mac}=", f"{said}.{mac}x", f"{said}=.{mac}",
        f"{said}.{mac[:-1]}", f"{said}.{'A' * len(mac)}", f"{said} .{mac}", f"{said}.{mac}.{mac}",
        signed.swapcase(), "é.é", "A" * 3_000,
    ]  # fmt: skip


@staged
async def test_no_other_link_is_good_and_all_look_the_same(stage: Stage) -> None:
    gate = await _gate(stage)
    signed = await _made(stage, gate)
    told = set()
    for other in _forged(signed):
        assert other != signed
        with pytest.raises(LinkNotGood) as no:
            await read_link(stage.engine, other)
        told.add(no.value.message)

    assert len(told) == 1
    await read_link(stage.engine, signed)


@staged
async def test_a_link_ends_with_its_time_its_key_and_its_person(stage: Stage) -> None:
    gate = await _gate(stage)
    signed, ends = await make_link(stage.engine, PAT, gate, lasts_ms=1)
    assert ends <= stage.engine.store.now() + 1
    if stage.clock.now() >= ends or isinstance(stage.where, str):
        await stage.sql("SELECT 1")
    stage.clock.pass_ms(1_000)
    with pytest.raises(LinkNotGood):
        await read_link(stage.engine, signed)

    signed = await _made(stage, gate)
    await stage.call("void_gate_links", PAT)
    with pytest.raises(LinkNotGood):
        await read_link(stage.engine, signed)
    signed = await _made(stage, gate)
    for change in ("role = 'viewer'", "role = 'owner', disabled_at = 1"):
        await stage.sql(f"UPDATE users SET {change}")  # noqa: S608 (our own words)
        with pytest.raises(LinkNotGood):
            await read_link(stage.engine, signed)


@staged
async def test_only_people_make_links_and_for_others_only_who_administers(stage: Stage) -> None:
    gate = await _gate(stage)
    member = replace(PAT, id="sue", scopes=frozenset({"read", "work", "decide"}))
    said = {"gate_id": gate.id, "person": "pat"}

    for by in (ADA, replace(ADA, scopes=PAT.scopes), replace(ADA, scopes=PAT.scopes, id="pat")):
        assert (await stage.refused("link_gate", by, **said)).code == "NOT_ALLOWED"
    with pytest.raises(NotAllowed):
        await make_link(stage.engine, member, gate, "pat")
    assert (await stage.refused("link_gate", PAT, gate_id=gate.id, person="nobody")).code == "NOT_FOUND"  # fmt: skip
    assert (await stage.refused("link_gate", EVE, **said)).code == "NOT_FOUND"
