"""Workflows as they are served: all of them, their machines as data, drawn."""

from typing import cast

from interlock.kernel.export import export
from interlock.workflows.built_in import WORKFLOWS
from tests.stage import Stage, staged


@staged
async def test_every_workflow_is_listed_and_can_be_read_whole(stage: Stage) -> None:
    listed = (await stage.call("list_workflows")).data["workflows"]
    rows = cast("list[dict[str, object]]", listed)

    assert [row["name"] for row in rows] == list(WORKFLOWS)
    for row in rows:
        found = (await stage.call("get_workflow", name=row["name"])).data
        assert found["machine"] == export(WORKFLOWS[str(row["name"])])
        assert found["digest"] == stage.engine.flows[str(row["name"])].digest
        assert str(found["mermaid"]).startswith(("---", "%%", "stateDiagram", "flowchart"))


@staged
async def test_a_workflow_that_is_not_there_is_not_found(stage: Stage) -> None:
    assert (await stage.refused("get_workflow", name="nope")).code == "NOT_FOUND"
