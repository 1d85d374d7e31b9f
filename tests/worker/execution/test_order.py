"""A piece of work as the server tells it is read once."""

import pytest

from interlock.worker.execution.order import order_of
from interlock.worker.forges.forge import Request
from interlock.worker.work import Work


def work(**task: object) -> Work:
    return Work("ticket-1", "ticket-1.2", "bead", "1.1", 10, {"task": task} if task else {})


def test_what_is_told_is_read() -> None:
    order = order_of(
        work(
            task="code", ticket_id="ticket-1", title="Sell", deadline_s=3, number=2,
            project={"repository": "/r", "base_branch": "main", "forge": {"kind": "github"}},
            tree={"branch": "b", "base_commit": "c0", "head": "c1", "candidate": None},
            bead={"id": "pears", "test_commands": ["a", "b"]}, finalise={"tree": "t"},
        )
    )  # fmt: skip

    assert (order.task, order.ticket, order.title) == ("code", "ticket-1", "Sell")
    assert (order.deadline_s, order.number, order.forge) == (3.0, 2, "github")
    assert (order.repository, order.base_branch, order.branch) == ("/r", "main", "b")
    assert (order.base_commit, order.head, order.candidate) == ("c0", "c1", "")
    assert (order.bead, order.tests, order.finalise) == ("pears", ("a", "b"), "t")


def test_what_is_left_out_is_as_usual() -> None:
    order = order_of(work(task="merge", tree={"candidate": "c2", "branch": "b"}, finalise=None))

    assert (order.number, order.forge, order.ticket, order.finalise) == (1, "local", "ticket-1", "")
    assert order.request == Request(0, "", "", "c2", "", "b")


def test_the_request_is_as_it_was_last_told() -> None:
    told = {"number": 7, "url": "u", "state": "draft", "head": "h", "base": "main"}
    order = order_of(work(task="merge", pull_request=told, tree={"branch": "b"}))

    assert order.request == Request(7, "u", "draft", "h", "main", "b")


@pytest.mark.parametrize("task", [{}, {"task": ""}])
def test_whoever_is_not_told_what_to_do_does_nothing(task: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="what is to be done"):
        order_of(work(**task))
