"""Webhooks and links are made at a terminal; secrets are shown once."""

from pathlib import Path
from typing import cast

import pytest

from tests.cli.home import Document, Home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """An empty data folder whose webhooks may go to this machine."""
    monkeypatch.setenv("INTERLOCK_WEBHOOKS_PRIVATE", "true")
    return Home(tmp_path)


def test_a_webhook_is_made_listed_switched_and_taken_away(home: Home) -> None:
    made = home.told("webhook", "create", "http://127.0.0.1:9/", "--event", "finished")
    data = cast("Document", made["data"])
    name, secret = str(data["hook_id"]), str(data["secret"])
    assert secret.startswith("whsec_")
    listed = home.ask("webhook", "list").out
    assert listed.splitlines()[0] == f"{name}  on  http://127.0.0.1:9/  finished"
    assert secret not in listed

    assert home.ask("webhook", "disable", name).out.startswith(f"✓ {name} off")
    assert "was disabled: Disabled by owner." in " ".join(home.ask("webhook", "list").out.split())
    assert home.ask("webhook", "enable", name).out.startswith(f"✓ {name} on")
    tried = cast("Document", home.told("webhook", "test", name)["data"])
    delivery = str(tried["delivery_id"])
    assert f"{delivery}  test  pending" in home.ask("webhook", "deliveries").out
    assert home.ask("webhook", "replay", delivery).out.startswith(f"✓ {delivery} is sent again")
    assert home.ask("webhook", "delete", name).out.startswith(f"✓ {name} deleted")
    assert home.ask("webhook", "list").out.splitlines()[0] == "no webhooks"


def test_an_address_within_is_refused_unless_the_operator_allows_it(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INTERLOCK_WEBHOOKS_PRIVATE")
    refused = home.ask("webhook", "create", "https://169.254.169.254/")

    assert (refused.code, refused.err.split()[0]) == (2, "ADDRESS_REFUSED")


def test_a_link_to_a_decision_is_made(home: Home) -> None:
    step, lease = home.claim(home.plan())
    told = home.told("plan", "review", step, "-m", "enough?", "--lease", lease)
    gate = cast("Document", cast("Document", told["data"])["gate"])
    made = home.ask("link", str(gate["gate_id"]))

    assert made.out.splitlines()[0].startswith("http://127.0.0.1:7400/decide/")
