"""All stories of missions and all their pairs, told against any workflow.

``broken`` is what the mutation harness calls with a workflow that lacks a row: it returns what
has gone wrong, and for the workflow as it is it returns nothing.
"""

from interlock.kernel.workflow import Workflow
from tests.workflows.mission import (
    asset_stories,
    hop_stories,
    mission_stories,
    resolution_stories,
    tool_stories,
)
from tests.workflows.mission.oracle import misjudged
from tests.workflows.mission.telling import Story, tell


def stories() -> tuple[Story, ...]:
    """Return every story."""
    return (
        *mission_stories.STORIES,
        *hop_stories.STORIES,
        *resolution_stories.STORIES,
        *tool_stories.STORIES,
        *asset_stories.STORIES,
    )


def broken(flow: Workflow) -> list[str]:
    """Return the stories that do not come true, and the snapshots that are misjudged."""
    return [wrong for story in stories() if (wrong := tell(flow, story))] + misjudged(flow)
