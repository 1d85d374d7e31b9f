"""The repository itself keeps the house rules. What each rule means: tests/tools/test_house_rules.py."""

from pathlib import Path

import pytest

from tools.house_rules import breaches

ROOT = Path(__file__).parents[1]


def test_this_repository_keeps_every_house_rule() -> None:
    assert [str(breach) for breach in breaches(ROOT)] == []


@pytest.mark.parametrize("name", ["run.txt", "dev.txt"])
def test_a_lock_is_there_and_names_no_address(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")

    assert "==" in text
    assert "--hash=sha256:" in text
    assert "://" not in text


def test_the_development_lock_agrees_with_the_run_lock() -> None:
    run, dev = (
        {line for line in (ROOT / "requirements" / name).read_text().splitlines() if "==" in line}
        for name in ("run.txt", "dev.txt")
    )

    assert run - dev == set()
