"""``interlock tenant``: what everything here is called."""

from pathlib import Path

from tests.cli.home import Home


def test_a_tenant_is_shown_and_renamed(tmp_path: Path) -> None:
    home = Home(tmp_path)

    assert home.ask("tenant", "show").out == "local  This machine\n"
    assert "it is called Home" in home.ask("tenant", "rename", "Home").out
    assert home.told("tenant", "show")["data"]["name"] == "Home"  # type: ignore[index]  # a tenant
    assert home.ask("tenant", "rename", "").code == 2
