"""``interlock ticket`` after the blueprint: setup, merge, budget and the end, said at a terminal."""

from pathlib import Path

import pytest

from tests.cli.brought import brought
from tests.cli.home import Home

WORDS = {
    "regenerate_setup_plan": ("replan", ("--comment", "Less."), "drafted again"),
    "merge": ("merge", (), "to be merged"),
    "close_unmerged": ("close-unmerged", ("--reason", "Not now."), "closed unmerged"),
    "finish": ("finish", (), "is COMPLETED"),
    "raise_budget": ("raise-budget", ("--tokens", "1000"), "may spend more"),
}  # fmt: skip


@pytest.mark.parametrize("command", WORDS)
def test_it_is_said_with_the_noun(tmp_path: Path, command: str) -> None:
    home = Home(tmp_path)
    given = brought(home, command)
    word, options, told = WORDS[command]

    said = home.ask("ticket", word, given["ticket_id"], *options)

    assert (said.code, told in said.out) == (0, True), said


def test_a_merge_elsewhere_is_reported_with_its_commits(tmp_path: Path) -> None:
    home = Home(tmp_path)
    given = brought(home, "report_merge")
    commits = (given["merge_commit"], given["base_head"], given["head"])

    said = home.ask("ticket", "report-merge", given["ticket_id"], *commits)

    assert (said.code, "was merged" in said.out) == (0, True), said
