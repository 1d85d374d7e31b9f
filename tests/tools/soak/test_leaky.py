"""The leaks that are planted: each command loses something, and is answered all the same."""

import asyncio
from pathlib import Path

import pytest

from interlock.app import migrate, open_app
from interlock.commands.verbs import LocalVerbs
from interlock.config import Settings
from tools.soak import leaky


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Settings:
    """Put back what is planted; return where commands can be called."""
    monkeypatch.setattr(LocalVerbs, "call", LocalVerbs.call)
    monkeypatch.setattr(leaky, "_lost", [])
    return Settings(data=tmp_path)


async def _called(settings: Settings) -> int:
    await migrate(settings)
    async with open_app(settings) as app:
        verbs = await app.verbs()
        answer = await verbs.call("list_active_plans", {})
        assert answer.data["plans"] == []
        await verbs.call("list_active_plans", {})
    return len(leaky._lost)


@pytest.mark.parametrize("kind", leaky.LEAKS)
def test_every_command_loses_something(call: Settings, kind: str) -> None:
    leaky.plant(kind)

    assert asyncio.run(_called(call)) == 2


def test_without_a_leak_nothing_is_lost(call: Settings) -> None:
    assert asyncio.run(_called(call)) == 0
