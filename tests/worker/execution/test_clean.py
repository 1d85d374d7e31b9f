"""What is transient goes, code and evidence stay."""

import asyncio
from pathlib import Path

from tests.worker.execution.ground import ground_in


def test_homes_and_copies_go_vault_and_tree_stay(tmp_path: Path) -> None:
    ground = ground_in(tmp_path)
    tree = ground.tree
    asyncio.run(tree.fresh(ground.head()))
    (tree.home / "secret").write_text("x")

    report = ground.do("clean")

    assert report == {
        "status": "clean", "removed": ["runtime", "home"], "kept": ["vault.git", "tree"],
        "errors": [],
    }  # fmt: skip
    assert not tree.home.exists()
    assert ground.do("clean")["removed"] == []
