"""The locks of this repository. The house rules are looked at by `make rules`, before any test."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


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
