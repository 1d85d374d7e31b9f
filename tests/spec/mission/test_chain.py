"""Chains of tool steps: what a mapping may say, what validation finds, and that it tells all of it."""

import json
from typing import Any, Final

import pytest

from tests.missions import new_chain
from tests.spec.door import ADA, Document, Door, promise
from tests.spec.mission.places import bring
from tests.spec.mission.reading import part, status
from tests.spec.mission.working import claim, finish, resolve, run

pytestmark = pytest.mark.every_store

TOTAL: Final = {"total": {"asset": "sum"}}


def step(tool: str = "total", rows: Any = None, results: Any = None) -> Document:  # noqa: ANN401 (a step as it is submitted)
    """Return a step that adds the numbers up, or what differs from it."""
    source = {"rows": {"asset": "numbers"}} if rows is None else rows
    return {
        "tool": tool,
        "parameter_mapping": source,
        "result_mapping": TOTAL if results is None else results,
    }


def named(value: Any, mission: str) -> Any:  # noqa: ANN401 (any part of a chain)
    """Return a chain with the ids of assets in place of their names."""
    if isinstance(value, dict):
        ids = {"numbers": f"{mission}.1", "sum": f"{mission}.2", "between": f"{mission}.3"}
        return {
            key: ids.get(one, one) if key == "asset" else named(one, mission)
            for key, one in value.items()
        }  # fmt: skip
    return [named(one, mission) for one in value] if isinstance(value, list) else value


# fmt: off
WRONG: Final = [
    ("tool-exists", [step("totl")],                                        ["Step 1, tool"]),
    ("required",    [step(rows={})],                                       ["Step 1, parameter_mapping.rows"]),
    ("names",       [step(rows={"rows": {"asset": "numbers"}, "row": {"literal": 1}})], ["Step 1, parameter_mapping.row:"]),
    ("names",       [step(results=TOTAL | {"sums": {"discard": True}})],   ["Step 1, result_mapping.sums"]),
    ("names",       [step(rows={"rows": {"asset": "nothing"}})],           ["Step 1, parameter_mapping.rows"]),
    ("types",       [step(rows={"rows": {"literal": "many"}})],            ["Step 1, parameter_mapping.rows"]),
    ("types",       [step(rows={"rows": {"asset": "numbers", "path": "0"}})], ["Step 1, parameter_mapping.rows"]),
    ("available",   [step(rows={"rows": {"asset": "between"}})],           ["Step 1, parameter_mapping.rows"]),
    ("available",   [step(rows={"rows": {"step": 2}}), step("double", results={"rows": {"scratch": True}})], ["Step 1, parameter_mapping.rows"]),
    ("produced",    [step(results={"total": {"discard": True}})],          ["The chain, output"]),
    ("resources",   [step("fetch", {}, {"body": {"asset": "sum"}})],       ["Step 1, resources"]),
    ("one-step",    [],                                                    ["The chain, steps", "The chain, output"]),
    ("all-errors",  [step("totl"), step(rows={}), step(results={"total": {"discard": True}, "sums": {"discard": True}})],
                    ["Step 1, tool", "Step 2, parameter_mapping.rows", "Step 3, result_mapping.sums"]),
]
# fmt: on


@promise("chain.all-errors")
@pytest.mark.parametrize(
    ("chain", "places"),
    [pytest.param(one[1], one[2], marks=pytest.mark.promise(f"chain.{one[0]}")) for one in WRONG],
)
async def test_what_is_wrong_is_told_with_its_place_and_fix(
    door: Door, chain: list[Document], places: list[str]
) -> None:
    it = await bring(door.stage, "resolving")
    before = await door.sequence(it.mission)
    told = {"hop_id": it.hops["it"], "lease": it.lease, "steps": named(chain, it.mission)}
    no = await door.refuse("submit_resolution", ADA, **told)

    assert no["code"] == "VALIDATION_FAILED"
    for place in places:
        assert place in no["message"]
    count = f"({len(places)} mistake{'s' if len(places) > 1 else ''})"
    assert count in no["message"]
    assert await door.sequence(it.mission) == before


@promise("mapping.asset", "mapping.literal", "mapping.result", "mapping.discard")
async def test_parameters_come_from_assets_paths_and_literals_and_results_go_to_assets(
    door: Door,
) -> None:
    it = await bring(door.stage, "resolving")
    chain = [
        {"tool": "double", "parameter_mapping": {"rows": {"literal": [7]}}, "result_mapping": {"rows": {"discard": True}}},
        step("double", results={"rows": {"scratch": True}}),
        step(rows={"rows": {"step": 2}}, results=TOTAL | {"count": {"discard": True}}),
    ]  # fmt: skip
    await resolve(door, it, named(chain, it.mission))
    await run(door, it)
    asked = {"workflow": "mission", "kind": "tool_step", "tags": [it.tag]}
    seen = []
    for outputs in ({"rows": [14]}, {"rows": [2]}, {"total": 2, "count": 1}):
        work = (await door.ask("get_next_work", ADA, **asked))["data"]["part"]
        seen.append(json.loads(work["call"]["arguments"])["rows"])
        it.step, it.lease = work["part_id"], work["lease"]["token"]
        await finish(door, it, outputs=outputs)
    context = (await door.ask("mission_context", ADA, mission_id=it.mission))["data"]

    assert seen == [[7], [1, 2, 3], [2]]
    assert {one["name"]: one.get("content") for one in context["assets"]}["sum"] == 2
    assert (await status(door, it))["status"] == "READY_FOR_NEXT_HOP"


@promise("mapping.asset")
async def test_a_path_leads_into_what_an_asset_holds(door: Door) -> None:
    it = await bring(door.stage, "resolving")
    content = {"all": {"rows": [4, 5]}}
    await door.ask("set_asset", ADA, asset_id=f"{it.mission}.3", content=content)
    chain = [step(rows={"rows": {"asset": "between", "path": "all.rows"}})]
    await resolve(door, it, named(chain, it.mission))
    await run(door, it)
    asked = {"workflow": "mission", "kind": "tool_step", "tags": [it.tag]}
    work = (await door.ask("get_next_work", ADA, **asked))["data"]["part"]

    assert json.loads(work["call"]["arguments"]) == {"rows": [4, 5]}


@promise("command.step-fields", "chain.available")
async def test_a_step_keeps_what_it_was_told_and_takes_what_an_earlier_one_makes(
    door: Door,
) -> None:
    it = await bring(door.stage, "resolving")
    chain = new_chain(it.mission)
    chain[0]["description"] = "twice"
    await resolve(door, it, chain)
    first, second = (one["part_id"] for one in (await status(door, it))["tool_steps"])
    fields = (await part(door, it, first))["fields"]
    scratch = fields["result_mapping"]["rows"]["asset"]

    assert (fields["tool"], fields["description"]) == ("double", "twice")
    assert fields["parameter_mapping"] == {"rows": {"asset": f"{it.mission}.1"}}
    assert (await part(door, it, second))["fields"]["parameter_mapping"] == {
        "rows": {"asset": scratch}
    }
    await run(door, it)
    it.step, it.lease = await claim(door, it, "tool_step")
    await finish(door, it, outputs={"rows": [8]})
    fields = (await part(door, it, first))["fields"]
    assert (set(json.loads(fields["result"])), fields["error"]) == ({"rows"}, None)
