"""A look from outside: at this very process, and at a file with its log."""

import os
from contextlib import ExitStack
from pathlib import Path

from tools.soak.load import Tally
from tools.soak.sample import SqliteDisk, sample


def test_a_process_is_seen_from_outside(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    file.write_bytes(bytes(300))
    one = sample(1.5, os.getpid(), SqliteDisk(file), Tally())
    with ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(file.open("rb"))
        other = sample(2.5, os.getpid(), SqliteDisk(file), Tally())

    assert (one.at_s, one.commands, one.wal, one.database) == (1.5, 0, 0, 300)
    assert one.memory > 10_000_000
    assert one.threads >= 1
    # Others in this process may close some meanwhile.
    assert other.descriptors > one.descriptors + 25


def test_the_log_beside_a_file_counts_for_itself(tmp_path: Path) -> None:
    (tmp_path / "a.db-wal").write_bytes(bytes(70))

    assert SqliteDisk(tmp_path / "a.db").sizes() == (70, 0)
