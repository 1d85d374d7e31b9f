"""The list of what an agent should never do."""

import subprocess

import pytest

from interlock.worker.agents.misbehaving import MISBEHAVIOUR


def test_everything_that_was_asked_for_is_there() -> None:
    assert set(MISBEHAVIOUR) == {
        "lies", "unasked", "dirty_index", "never_ends", "floods", "daemon", "commits",
        "rewrites_git", "hooks", "filters", "attributes", "fsmonitor", "config", "submodules",
        "symlinks", "options", "newlines", "deletes_tree",
    }  # fmt: skip


@pytest.mark.parametrize("script", MISBEHAVIOUR.values(), ids=MISBEHAVIOUR)
def test_it_is_a_script_that_a_shell_understands(script: str) -> None:
    subprocess.run(["/bin/sh", "-n", "-c", script], check=True)
