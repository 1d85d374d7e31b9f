"""LangGraph: a graph with one node that goes round once a step, and keeps every result.

Set up to be durable: ``durability="sync"`` on its own savers, SQLite with synchronous=FULL, one
connection and one saver for each plan, because a saver lets only one thread write at a time.

- *linear*: one ``invoke`` runs all steps. Not like for like: nobody pulls, nothing is claimed or
  submitted, and a step is one checkpoint where ours are two commits.
- *interrupt/resume*: the node stops at ``interrupt`` and the caller resumes it with the result of
  the step, so each step is pulled from outside. Not like for like: there is no lease and no fence,
  nobody is kept from resuming the same thread twice, and no audit is kept beside the checkpoints.
- The results stay in the state under the reducer that its guides use for lists, so every
  checkpoint holds all of them; ours are kept once each.
"""

import operator
import sqlite3
import uuid
from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from psycopg.rows import dict_row

from tools.bench.payload import brought
from tools.bench.peers.child import Play, Watch, serve, where


class State(TypedDict):
    """What a thread keeps: how many steps there are, and what they brought."""

    steps: int
    results: Annotated[list[dict[str, object]], operator.add]


class LangGraph:
    """Plans as threads of a graph."""

    package = "langgraph"

    def __init__(self, mode: str, url: str) -> None:
        self._is_pulled = mode == "pull"
        self._url = url
        self._file = where(url)
        self._open: list[Any] = []
        if self._file is None:
            self._saver().setup()

    def _saver(self) -> Any:  # noqa: ANN401 (one of two classes that are not there when this is checked)
        if self._file is None:
            settings = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
            self._open.append(psycopg.connect(self._url, **settings))
            return PostgresSaver(self._open[-1])
        self._open.append(sqlite3.connect(self._file, check_same_thread=False))
        return SqliteSaver(self._open[-1])

    def finish(self) -> None:
        """Close what was opened for the plans."""
        while self._open:
            self._open.pop().close()

    def prepare(self, plans: int, steps: int) -> Sequence[Play]:
        """Make a graph and a thread for each plan."""
        return [self._pulled(steps) if self._is_pulled else self._linear(steps)
                for _ in range(plans)]  # fmt: skip

    def _linear(self, steps: int) -> Play:
        name = str(uuid.uuid4())
        watches: list[Watch] = []

        def node(state: State) -> dict[str, object]:
            watches[-1].step()
            return {"results": [brought(f"{name}.{len(state['results'])}")]}

        graph, config = self._graph(node), _config(name, steps)

        def play(watch: Watch) -> None:
            watches.append(watch)
            _seen(graph.invoke(_first(steps), config, durability="sync"), steps)

        return play

    def _pulled(self, steps: int) -> Play:
        name = str(uuid.uuid4())

        def node(state: State) -> dict[str, object]:
            return {"results": [interrupt(f"{name}.{len(state['results'])}")]}

        graph, config = self._graph(node), _config(name, steps)
        told = graph.invoke(_first(steps), config, durability="sync")

        def play(watch: Watch) -> None:
            asked = told
            for _ in range(steps):
                step = asked["__interrupt__"][0].value
                asked = graph.invoke(Command(resume=brought(step)), config, durability="sync")
                watch.step()
            _seen(asked, steps)

        return play

    def _graph(self, node: Any) -> Any:  # noqa: ANN401 (a library that is not there when this is checked)
        graph = StateGraph(State)
        graph.add_node("step", node)
        graph.add_edge(START, "step")
        graph.add_conditional_edges("step", _onward)
        return graph.compile(checkpointer=self._saver())


def _onward(state: State) -> str:
    return "step" if len(state["results"]) < state["steps"] else END


def _config(name: str, steps: int) -> dict[str, object]:
    # One round a step; by itself it ends a run after 25.
    return {"configurable": {"thread_id": name}, "recursion_limit": steps + 2}


def _first(steps: int) -> dict[str, object]:
    return {"steps": steps, "results": []}


def _seen(state: dict[str, list[object]], steps: int) -> None:
    if len(state["results"]) != steps:
        raise AssertionError(state)


if __name__ == "__main__":
    serve(LangGraph)
