"""Ideas 7 and 12: tools get everything and owe what is mapped; what is wrong is told all at once."""

from dataclasses import replace
from typing import Any

from interlock.service.verify import verify
from interlock.toolbox.around import Around
from interlock.toolbox.child import run_in_child
from interlock.toolbox.shelf import Shelf
from tests.ideas.doors import WHY, Doors, doors
from tests.missions import asset, equip, new_chain
from tests.stage import HOME, Stage, staged

Told = dict[str, Any]

LONG = [{"number": number, "text": "line after line " * 4} for number in range(4_000)]
"""Content that no page, gate or context shows whole."""


# -- idea 7 ------------------------------------------------------------------------------------


@staged
async def test_a_tool_gets_the_whole_content_and_never_what_is_shown_of_it(stage: Stage) -> None:
    stage.engine = replace(stage.engine, tools=Shelf(Around()).describe)
    async with doors(stage) as door:
        mission = await door.begin(
            inputs=[{"name": "numbers", "content": LONG}], outputs=[{"name": "sum"}], assets=[]
        )
        # What people and models are shown of it is its digest.
        context = await door.agent("mission_context", mission_id=mission)
        assert "content" not in asset(context, "numbers")
        await door.build(mission)
        query = {"value": {"asset": f"{mission}.1"}, "path": {"literal": "[3999].number"}}
        goes = {"value": {"asset": f"{mission}.2"}, "count": {"discard": True}}
        step = {"tool": "json_query", "parameter_mapping": query, "result_mapping": goes}
        await door.design(mission, [step])
        await door.execute(mission)
        work = await door.claim("tool_step")
        call = work["call"]
        assert call["arguments"]["value"] == LONG
        # And so does the child that runs it: the last of all rows is found.
        came = await run_in_child(
            call["tool"], call["arguments"], around=Around(), deadline_s=call["deadline_s"]
        )
        said = {"part_id": work["part_id"], "lease": work["lease"]["token"]}
        await door.agent("submit_tool_result", **said, outputs=came.result)

        context = await door.agent("mission_context", mission_id=mission)
        assert asset(context, "sum")["content"] == 3999
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_step_that_returns_not_what_is_mapped_fails(stage: Stage) -> None:
    equip(stage)
    async with doors(stage) as door:
        for outputs in ({}, {"row": [1]}, {"rows": "none"}):
            mission = await door.begin()
            await door.run(mission)
            await door.finish(outputs=outputs)
            shown = await door.status(mission)
            step = shown["tool_steps"][0]
            assert (step["status"], step["error"]["class"]) == ("FAILED", "validation"), outputs
            assert "rows" in step["error"]["message"]
            assert (shown["held"], asset(shown, "rows")["status"]) == (True, "ERROR")
            assert "content" not in asset(shown, "rows")
            await door.person("cancel", id=mission, **WHY)


# -- idea 12 -----------------------------------------------------------------------------------


def wrong_chain(mission: str) -> list[Told]:
    """Return a chain with a mistake of each kind, in several steps."""
    first, second = new_chain(mission)
    return [
        {**first, "parameter_mapping": {"rows": {"asset": "numbers"}}},
        {**first, "tool": "dubble"},
        {**first, "parameter_mapping": {"rows": {"asset": f"{mission}.1"}, "sort": {"literal": 1}}},
        {**first, "parameter_mapping": {}},
        {**second, "parameter_mapping": {"rows": {"literal": "x"}}},
        {**second, "parameter_mapping": {"rows": {"step": 9}}},
        {**second, "result_mapping": {"sum": {"asset": f"{mission}.2"}}},
        {**second, "result_mapping": {"total": {"asset": "sum"}}},
        {"tool": "fetch", "result_mapping": {"body": {"discard": True}}},
    ]


EXPECTED = (
    # step, field, what is said of it, what to do
    (1, "parameter_mapping.rows", "'numbers' is the name of an asset, not its id.", 'Say {"asset": "%s.1"}.'),
    (2, "tool", "There is no tool 'dubble'.", "Did you mean double?"),
    (3, "parameter_mapping.sort", "double has no parameter sort.", "It takes rows."),
    (4, "parameter_mapping.rows", "double needs rows.", "Map it to an asset, to an earlier step or to a literal."),
    (5, "parameter_mapping.rows", "", "Send a literal that fits."),
    (6, "parameter_mapping.rows", "9 is no earlier step of the chain.", "Name one from 1 to 5."),
    (7, "result_mapping.sum", "total returns no sum.", "It returns total, count."),
    (8, "result_mapping.total", "'sum' is the name of an asset, not its id.", 'Say {"asset": "%s.2"}.'),
    (9, "resources", "fetch needs http, which is not configured.", "Configure it, or use another tool."),
)  # fmt: skip


async def refused_chain(door: Doors, mission: str) -> Told:
    """Hand the wrong chain in; return how it is refused."""
    hop = await door.claim("hop")
    said = {"hop_id": hop["part_id"], "lease": hop["lease"]["token"]}
    before = await door.status(mission)
    no = await door.no_agent("submit_resolution", **said, steps=wrong_chain(mission))
    assert await door.status(mission) == before
    return no


@staged
async def test_every_mistake_of_a_chain_is_told_at_once_with_step_field_and_fix(
    stage: Stage,
) -> None:
    equip(stage)
    async with doors(stage) as door:
        mission = await door.begin()
        await door.build(mission)
        no = await refused_chain(door, mission)

    assert no["code"] == "VALIDATION_FAILED"
    for step, field, said, fix in EXPECTED:
        place = f"Step {step}, {field}: {said}"
        assert place in no["message"], place
        mend = fix.replace("%s", mission)
        rest = no["message"].partition(place)[2]
        assert mend in rest.partition(f"Step {step + 1},")[0], (place, mend)


@staged
async def test_a_design_that_is_no_longer_valid_is_told_the_same_way_when_it_runs(
    stage: Stage,
) -> None:
    equip(stage)
    async with doors(stage) as door:
        mission = await door.begin()
        hop = await door.build(mission)
        await door.design(mission)
        tools = {
            name: tool for name, tool in (await stage.engine.tools()).items() if name != "total"
        }

        async def fewer() -> Any:  # noqa: ANN401  what the engine has
            return tools

        stage.engine = replace(stage.engine, tools=fewer)
        async with doors(stage, "otto") as later:
            digest = await later.digest(mission)
            told = await later.person("execute_hop", hop_id=hop, content_digest=digest)
            assert await later.stands(mission) == "BUILDING_HOP: READY_TO_RESOLVE"

        (wrong,) = told["errors"]
        assert (wrong["step"], wrong["field"]) == (2, "tool")
        assert wrong["message"] == "There is no tool 'total'."
        assert wrong["fix"]
