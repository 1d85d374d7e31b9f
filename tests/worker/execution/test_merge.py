"""A reviewed request is merged once."""

from typing import Any

from interlock.worker.agents.script import Turn
from tests.worker.execution.ground import Ground
from tests.worker.execution.test_integrate import ground
from tests.worker.execution.test_publish import SAID, published, tree
from tests.worker.workspace.repositories import plain

__all__ = ["ground"]


def merge(ground: Ground, request: dict[str, Any]) -> dict[str, Any]:
    told = {name: request[name] for name in ("number", "url", "state", "head", "base")}
    return ground.do("merge", pull_request=told, tree=tree(request["head"]))


def test_asked_twice_it_is_merged_once(ground: Ground) -> None:
    ground.says(publish=Turn(SAID))
    request = published(ground)

    first, again = merge(ground, request), merge(ground, request)

    assert first == again
    assert (first["merged"], first["by"]) == (True, "interlock")
    assert plain(ground.bare, "rev-parse", "main") == first["merge_commit"] == first["base_head"]
    assert plain(ground.bare, "rev-list", "--merges", "--count", "main") == "1"
    assert plain(ground.bare, "show", "main:pears.py") == "pears"


def test_what_cannot_be_merged_is_told_and_changes_nothing(ground: Ground) -> None:
    ground.says(publish=Turn(SAID))
    request = published(ground)
    base = plain(ground.bare, "rev-parse", "main")
    plain(ground.bare, "update-ref", "refs/pull/1/head", base)

    report = merge(ground, request)

    assert not report["merged"]
    assert report["reason"].startswith("head_moved: ")
    assert plain(ground.bare, "rev-parse", "main") == base
