"""Burr: an application with one action that goes round once a step, and keeps every result.

Set up to be durable: its own persisters, on PostgreSQL and on SQLite in WAL with synchronous=FULL
(by itself it keeps SQLite's older journal, which is slower); one connection for each plan.

- *run*: one ``run`` goes through all steps and saves the state after each. Not like for like:
  nobody pulls, and a step is one saved state where ours are two commits.
- *rebuild + step*: for each step the application is built again from what was saved and makes one
  step with a result from outside, as a caller that keeps nothing would. Not like for like: there is
  no lease and no fence; two callers that build it at the same time both go on from the same state.
- The results stay in the state, so every saved state holds all of them; ours are kept once each.
"""

import sqlite3
import uuid
from collections.abc import Sequence
from typing import Any

import psycopg2
from burr.core import ApplicationBuilder, State, action, default, when
from burr.core.persistence import SQLitePersister
from burr.integrations.persisters.b_psycopg2 import PostgreSQLPersister

from tools.bench.payload import brought
from tools.bench.peers.child import Play, Watch, serve, where

TABLE = "bench"


@action(reads=["done", "results"], writes=["done", "results", "over"])
def step(state: State, steps: int, result: Any, watch: Any) -> State:  # noqa: ANN401 (Burr hands inputs over as they are)
    """Take the result of one step."""
    done = state["done"] + 1
    watch.step()
    brought_home = result(done) if callable(result) else result
    return state.update(done=done, over=done == steps).append(results=brought_home)


@action(reads=[], writes=["ended"])
def end(state: State) -> State:
    """End."""
    return state.update(ended=True)


class Burr:
    """Plans as applications."""

    package = "apache-burr"

    def __init__(self, mode: str, url: str) -> None:
        self._is_pulled = mode == "pull"
        self._url = url
        self._file = where(url)
        self._open: list[Any] = []
        self._persister().initialize()

    def _persister(self) -> Any:  # noqa: ANN401 (one of two classes that are not there when this is checked)
        if self._file is None:
            self._open.append(psycopg2.connect(self._url))
            return PostgreSQLPersister(self._open[-1], TABLE)
        self._open.append(sqlite3.connect(self._file, check_same_thread=False))
        return SQLitePersister(str(self._file), TABLE, connection=self._open[-1])

    def finish(self) -> None:
        """Close what was opened for the plans."""
        while self._open:
            self._open.pop().close()

    def prepare(self, plans: int, steps: int) -> Sequence[Play]:
        """Name an application for each plan."""
        return [self._pulled(steps) if self._is_pulled else self._linear(steps)
                for _ in range(plans)]  # fmt: skip

    def _linear(self, steps: int) -> Play:
        name, persister = str(uuid.uuid4()), self._persister()
        application = _built(name, persister)

        def play(watch: Watch) -> None:
            inputs = {"steps": steps, "watch": watch, "result": lambda n: brought(f"{name}.{n}")}
            _, _, state = application.run(halt_before=["end"], inputs=inputs)
            _seen(state, steps)

        return play

    def _pulled(self, steps: int) -> Play:
        name, persister = str(uuid.uuid4()), self._persister()

        def play(watch: Watch) -> None:
            state = None
            for number in range(steps):
                inputs = {"steps": steps, "watch": watch, "result": brought(f"{name}.{number}")}
                _, _, state = _built(name, persister).step(inputs=inputs)
            _seen(state, steps)

        return play


def _built(name: str, persister: Any) -> Any:  # noqa: ANN401 (a library that is not there when this is checked)
    """Build an application from what was saved, or from nothing."""
    return (
        ApplicationBuilder()
        .with_actions(step=step, end=end)
        .with_transitions(("step", "end", when(over=True)), ("step", "step", default))
        .with_identifiers(app_id=name, partition_key="bench")
        .initialize_from(
            persister, resume_at_next_action=True, default_entrypoint="step",
            default_state={"done": 0, "results": [], "over": False},
        )
        .with_state_persister(persister)
        .build()
    )  # fmt: skip


def _seen(state: Any, steps: int) -> None:  # noqa: ANN401 (same)
    if len(state["results"]) != steps:
        raise AssertionError(state)


if __name__ == "__main__":
    serve(Burr)
