"""Whoever can call a command by its name can stand behind the methods."""

from interlock.client import Client
from interlock.client.caller import Caller


def test_the_client_is_one() -> None:
    assert issubclass(Client, Caller)
