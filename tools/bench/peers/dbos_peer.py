"""DBOS: a workflow that does its steps in a loop.

Set up to be durable: its system database on the same server, or on SQLite in WAL with
synchronous=FULL (by itself it keeps SQLite's older journal, which is slower). It is told to look
for messages every millisecond, which is the shortest that it allows and matters on SQLite; on
PostgreSQL it is woken by NOTIFY.

- *steps*: the workflow calls a step function, whose output is recorded. Not like for like: nobody
  pulls, and a step is one recorded output where ours are two commits.
- *send/recv*: the workflow tells the next step as an event and receives its result as a message;
  the caller reads the event and sends. Not like for like: there is no lease and no fence, and a
  result that is sent twice is received twice unless its sender gives it a key.
- A workflow that crashed goes on by running its code again over the recorded outputs; ours goes on
  from rows. That cost is not measured here.
"""

import uuid
from collections.abc import Sequence

from dbos import DBOS, DBOSConfig, SetWorkflowID

from tools.bench.payload import brought
from tools.bench.peers.child import Play, Watch, serve, where

TOPIC = "result"
PATIENCE_S = 120
POOL = 40
"""Connections: one for each of many plans, and some for itself."""
_watches: dict[str, Watch] = {}
"""Who watches a workflow: its arguments are stored, and a watch cannot be."""


@DBOS.step()
def work(name: str, number: int) -> dict[str, object]:
    """Do one step."""
    _watches[name].step()
    return brought(f"{name}.{number}")


@DBOS.workflow()
def in_steps(name: str, steps: int) -> int:
    """Do all steps."""
    for number in range(steps):
        work(name, number)
    return steps


@DBOS.workflow()
def by_messages(name: str, steps: int) -> int:
    """Tell every step, and wait for its result."""
    for number in range(steps):
        DBOS.set_event(f"step-{number}", f"{name}.{number}")
        if DBOS.recv(TOPIC, timeout_seconds=PATIENCE_S) is None:
            raise AssertionError("nothing was sent")
    return steps


class Dbos:
    """Plans as workflows."""

    package = "dbos"

    def __init__(self, mode: str, url: str) -> None:
        self._is_pulled = mode == "pull"
        file = where(url)
        config: DBOSConfig = {
            "name": "bench",
            "system_database_url": url if file is None else f"sqlite:///{file}",
            "log_level": "ERROR",
            "notification_listener_polling_interval_sec": 0.001,
        }
        if file is None:
            config["sys_db_pool_size"] = POOL
        DBOS(config=config)
        DBOS.launch()

    def prepare(self, plans: int, steps: int) -> Sequence[Play]:
        """Name a workflow for each plan; where it is pulled, it is started."""
        return [self._pulled(steps) if self._is_pulled else _linear(steps) for _ in range(plans)]

    def finish(self) -> None:
        """Keep the pool, as it does while it runs."""

    def _pulled(self, steps: int) -> Play:
        name = str(uuid.uuid4())
        with SetWorkflowID(name):
            handle = DBOS.start_workflow(by_messages, name, steps)
        DBOS.get_event(name, "step-0", timeout_seconds=PATIENCE_S)

        def play(watch: Watch) -> None:
            for number in range(steps):
                step = DBOS.get_event(name, f"step-{number}", timeout_seconds=PATIENCE_S)
                DBOS.send(name, brought(str(step)), TOPIC)
                watch.step()
            if handle.get_result() != steps:
                raise AssertionError(name)

        return play


def _linear(steps: int) -> Play:
    name = str(uuid.uuid4())

    def play(watch: Watch) -> None:
        _watches[name] = watch
        with SetWorkflowID(name):
            if in_steps(name, steps) != steps:
                raise AssertionError(name)

    return play


if __name__ == "__main__":
    serve(Dbos)
