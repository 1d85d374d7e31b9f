"""Two processes on one database, and what is asked of them; each has a wall clock of its own."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.clocks.child import Spec
from tests.clocks.hands import Hands
from tests.crash.nursery import Child, Nursery


@dataclass(slots=True)
class Person:
    """A process that works for somebody."""

    name: str
    nursery: Nursery
    spec: Spec
    hands: Hands
    child: Child = field(init=False)
    _orders: int = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Start the process."""
        Path(self.spec.orders).unlink(missing_ok=True)
        os.mkfifo(self.spec.orders)
        self.child = self.nursery.start(self.spec)
        self._orders = os.open(self.spec.orders, os.O_RDWR)
        self.heard()

    def send(self, do: str, **more: str) -> None:
        """Give an order."""
        line = json.dumps({"do": do, "who": self.name, **more}) + "\n"
        os.write(self._orders, line.encode())

    def heard(self) -> dict[str, Any]:
        """Return what it says to the order that it was given first."""
        told = self.child.told()
        assert told is not None, f"{self.name} says nothing"
        return told

    def does(self, do: str, **more: str) -> dict[str, Any]:
        """Give an order, and return what it says."""
        self.send(do, **more)
        return self.heard()

    def stop(self) -> None:
        """Have the process stand still."""
        os.kill(self.child.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Have it go on."""
        os.kill(self.child.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill the process."""
        self.child.kill()
        os.close(self._orders)


@contextmanager
def two(
    nursery: Nursery, folder: Path, place: str, lease_ms: int, bug: str
) -> Iterator[list[Person]]:
    """Have two of them for as long as the block lasts."""
    people = []
    try:
        for name in ("ada", "bob"):
            hands, orders, told = (
                folder / f"{name}-{lease_ms}.{of}" for of in ("hands", "orders", "told")
            )
            spec = Spec(place, str(hands), str(orders), str(told), lease_ms, bug)
            people.append(Person(name, nursery, spec, Hands(hands)))
        yield people
    finally:
        for one in people:
            one.kill()
