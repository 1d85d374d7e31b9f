"""A request is opened with the agent's words, or with ours."""

from pathlib import Path
from typing import Any

import pytest

from interlock.worker.agents.script import Turn
from interlock.worker.execution.job import CannotWork
from tests.worker.execution.ground import Ground
from tests.worker.execution.test_integrate import coded, ground
from tests.worker.workspace.repositories import plain

__all__ = ["ground"]
SAID = {
    "title": "Pears for\nall", "summary": ["Sells pears."], "why": [], "validation": ["Tested."],
    "what_changed": ["pears.py"], "follow_ups": [],
}  # fmt: skip


def published(ground: Ground, **more: object) -> dict[str, Any]:
    coded(ground)
    candidate = ground.do("integrate")["candidate"]
    return ground.do("publish", tree=tree(candidate), candidate=candidate, **more)


def tree(candidate: str) -> dict[str, str]:
    return {"branch": "interlock/ticket-1", "head": candidate, "candidate": candidate}


def test_the_words_of_the_agent_are_put_in_order(ground: Ground) -> None:
    ground.says(publish=Turn(SAID))

    report = published(ground)

    assert (report["number"], report["state"], report["base"]) == (1, "draft", "main")
    assert report["title"] == "Pears for all"
    assert report["body"].startswith("## Summary\n\n- Sells pears.\n\n## What changed")
    assert plain(ground.bare, "rev-parse", "refs/pull/1/head") == report["head"]


@pytest.mark.parametrize("turn", [Turn(fault="error"), Turn(text="hm", fault="invalid"), None])
def test_without_usable_words_they_are_ours_and_nothing_is_held_up(
    ground: Ground, turn: Turn | None
) -> None:
    if turn is not None:
        ground.says(publish=turn)
    member = {} if turn else {"member": {"name": "ada", "agent": "nobody"}}

    report = published(ground, **member)

    assert report["title"] == "Sell pears"
    assert report["body"].startswith("## Summary\n\n- Sell pears")


def test_a_forge_that_is_away_is_told(ground: Ground, tmp_path: Path) -> None:
    project = {"repository": str(tmp_path / "gone"), "base_branch": "main"}

    with pytest.raises(CannotWork, match="cannot be reached"):
        published(ground, project=project)


def test_an_address_that_the_agent_plants_in_the_vault_leads_nobody_away(
    ground: Ground, tmp_path: Path
) -> None:
    canary, evil = tmp_path / "canary", tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {canary}\n")
    evil.chmod(0o700)
    words = f'[core]\n\tbare = true\n\tgitProxy = {evil}\n[url "git://127.0.0.1:1/"]\n'
    plant = tmp_path / "config"
    plant.write_text(f"{words}\tinsteadOf = {ground.bare}\n")
    ground.says(publish=Turn(SAID, run=f"cp {plant} ../vault.git/config"))

    assert published(ground)["number"] == 1
    assert not canary.exists()
