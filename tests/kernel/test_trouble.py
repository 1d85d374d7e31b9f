"""Trouble: how a workflow wants it told that a unit was found corrupt, checked when it is made."""

from dataclasses import replace

import pytest

from interlock.kernel.export import export
from interlock.kernel.trouble import CODE, Trouble
from interlock.kernel.workflow import InvalidWorkflow
from interlock.workflows.built_in import WORKFLOWS

TICKET = WORKFLOWS["ticket"]
GOOD = Trouble("error", "BLOCKED_ERROR", "previous", "is_lost", "error", "occurrence")


def test_what_is_wrong_is_counted() -> None:
    told = GOOD.told({"occurrence": 2}, "no status")

    assert told == {"error": {"code": CODE, "message": "no status"}, "occurrence": 3}
    assert GOOD.told({"occurrence": "many"}, "")["occurrence"] == 1


@pytest.mark.parametrize(
    ("trouble", "wrong"),
    [
        (replace(GOOD, event="eror"), "'eror' is no event; did you mean 'error'"),
        (replace(GOOD, event="cancel"), "'cancel' is not for system"),
        (replace(GOOD, status="BLOCKED"), "ticket has no status 'BLOCKED'"),
        (replace(GOOD, previous="prev"), "has no field 'prev'"),
        (replace(GOOD, lost="lost"), "has no field 'lost'"),
        (replace(GOOD, error="eror"), "has no field 'eror'"),
        (replace(GOOD, count="counted"), "has no field 'counted'"),
    ],
)
def test_one_that_does_not_fit_is_refused_with_the_nearest_name(
    trouble: Trouble, wrong: str
) -> None:
    with pytest.raises(InvalidWorkflow, match=wrong):
        replace(TICKET, trouble=trouble)


def test_it_is_exported_where_there_is_one() -> None:
    assert export(TICKET)["trouble"] == {
        "event": "error", "status": "BLOCKED_ERROR", "previous": "previous", "lost": "is_lost",
        "error": "error", "count": "occurrence",
    }  # fmt: skip
    assert "trouble" not in export(replace(TICKET, trouble=None))
