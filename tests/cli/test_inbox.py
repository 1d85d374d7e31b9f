"""What waits for a person is listed at a terminal, looked at, and decided once."""

from pathlib import Path
from typing import cast

import pytest

from tests.cli.home import Document, Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def _review(home: Home) -> Document:
    step, lease = home.claim(home.plan())
    told = home.told("plan", "review", step, "-m", "enough?", "--lease", lease)
    return cast("Document", cast("Document", told["data"])["gate"])


def test_what_waits_is_listed_and_decided_once(home: Home) -> None:
    assert home.ask("inbox").out.splitlines()[0] == "nothing waits for you"
    gate = str(_review(home)["gate_id"])
    listed = home.ask("inbox").out.splitlines()
    assert listed[0] == f"{gate}  awaiting_input  enough?"
    assert listed[1].startswith("  asked by user owner, ")

    decided = home.ask("decide", gate, "modify", "-m", "one more")
    assert decided.out.splitlines()[0] == f"✓ {gate} modify; the unit is executing"
    again = home.ask("approve", gate)
    assert (again.code, again.err.split()[0]) == (2, "GATE_DECIDED")
    assert "modify by user owner at" in " ".join(again.err.split())
    assert "modify by user owner" in home.ask("inbox", "--state", "decided").out


def test_approving_names_what_was_seen(home: Home) -> None:
    gate = _review(home)
    digest = str(gate["content_digest"])
    wrong = home.ask("approve", str(gate["gate_id"]), "--digest", "0" * 64)
    right = home.ask("approve", str(gate["gate_id"]), "--digest", digest)

    assert (wrong.code, wrong.err.split()[0]) == (2, "STALE_APPROVAL")
    assert right.out.startswith(f"✓ {gate['gate_id']} approve")
