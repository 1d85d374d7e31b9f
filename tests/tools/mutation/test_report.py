"""The report: each way in which a group is not good enough, and what is told of it."""

import json

import pytest

from tools.mutation.report import WANTED, judged, table
from tools.mutation.survivors import Reason
from tools.mutation.verdicts import Fate, Mutant

ALL = Reason("it may well live", "*")


def _mutants(**fates: int) -> list[Mutant]:
    names: dict[str, Fate] = {
        "caught": "caught",
        "survived": "survived",
        "none": "no test",
        "open": "open",
    }
    return [
        Mutant(f"m.x_f__mutmut_{place}", "m.py", names[name], "a", "b")
        for name, count in fates.items()
        for place in range(count)
    ]


def test_enough_caught_and_the_rest_explained_is_good() -> None:
    assert WANTED == 85
    assert judged("one", _mutants(caught=85, survived=15), [ALL]).is_good


@pytest.mark.parametrize(
    ("mutants", "given"),
    [
        (_mutants(caught=84, survived=16), [ALL]),
        (_mutants(caught=84, none=16), [ALL]),
        (_mutants(caught=99, survived=1), []),
        (_mutants(caught=99, none=1), []),
        (_mutants(caught=100), [ALL]),
        (_mutants(caught=99, open=1), []),
        ([], []),
    ],
    ids=[
        "too few",
        "not reached",
        "no reason",
        "not reached, no reason",
        "idle reason",
        "open",
        "nothing tried",
    ],
)
def test_it_is_not_good_enough(mutants: list[Mutant], given: list[Reason]) -> None:
    assert not judged("one", mutants, given).is_good


def test_of_a_run_that_was_stopped_no_reason_is_called_idle() -> None:
    assert judged("one", _mutants(caught=9, open=1), [ALL]).idle == []


def test_the_table_tells_modules_the_group_and_what_is_left_over() -> None:
    told = table(judged("one", _mutants(caught=9, survived=1), [Reason("none", "other.py")]))

    assert [line.split()[0] for line in told[1:3]] == ["m.py", "one"]
    assert told[2].endswith("90.0%")
    assert told[3] == "  nobody explains: m.py f: a -> b (survived) [m.x_f__mutmut_0]"
    assert told[4] == "  explains nothing: other.py *: * -> *"


def test_the_figures_can_be_written_down() -> None:
    data = judged("one", _mutants(caught=9, survived=1), []).data()

    assert json.loads(json.dumps(data)) == data
    assert (data["score"], data["mutants"], data["survived"]) == (90, 10, 1)
