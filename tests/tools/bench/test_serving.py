"""A server as a process: it says where it serves and is gone at the end; one that cannot says so."""

from pathlib import Path

import pytest

from tools.bench.serving import started
from tools.postgres.processes import is_alive


def test_it_serves_and_is_gone_at_the_end() -> None:
    with started("tools.bench.mcp_floor") as (port, pid):
        assert port > 0
        assert is_alive(pid)

    assert not is_alive(pid)


def test_a_server_that_does_not_start_ends_the_benchmark(tmp_path: Path) -> None:
    (tmp_path / "interlock.toml").write_text('lease_ms = "none"\n')

    with (
        pytest.raises(AssertionError, match="did not start"),
        started("interlock", "--data", str(tmp_path), "serve", "--port", "0"),
    ):
        pass
