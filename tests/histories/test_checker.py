"""Histories written by hand: each thing that no order explains is told by name."""

from pathlib import Path

import pytest

from tests.histories.checker import check
from tests.histories.operation import READ, History, Operation, Written, read_back, write_down

UNIT = "plan-1"


def write(name: str, when: tuple[int, int], version: int, **more: object) -> Operation:
    """Return a write by whoever its name begins with."""
    told: dict[str, object] = {"command": "note", "head": f"h{version}", **more}
    return Operation(name, name[0], unit=UNIT, invoked_ns=when[0], returned_ns=when[1],
                     version=version, **told)  # type: ignore[arg-type]  # a test names its fields  # fmt: skip


def read(name: str, when: tuple[int, int], version: int, **more: object) -> Operation:
    """Return a read by whoever its name begins with."""
    return write(name, when, version, **{"command": READ, **more})


def log(*requests: str, ends: tuple[int, ...] = ()) -> tuple[Written, ...]:
    """Return a log of so many requests, with an entry each, or those up to where they end."""
    last = ends or tuple(range(1, len(requests) + 1))
    first = [1, *(end + 1 for end in last)]
    return tuple(
        Written(one, begin, end, f"h{end}")
        for one, begin, end in zip(requests, first, last, strict=False)
    )


def kinds(*operations: Operation, kept: tuple[Written, ...]) -> set[str]:
    """Return by name what is wrong with a history."""
    return {one.kind for one in check(History(operations, {UNIT: kept}))}


MADE = write("m1", (0, 1), 1)
A2 = write("a2", (10, 20), 2)
B3 = write("b3", (30, 40), 3)
LOG = log("m1", "a2", "b3")


def test_what_overlaps_may_come_in_any_order() -> None:
    late = write("b3", (12, 19), 3)
    early = read("c1", (11, 22), 1)
    new = read("d1", (11, 22), 3)

    assert kinds(MADE, A2, late, early, new, kept=LOG) == set()


def test_what_comes_one_after_the_other_fits() -> None:
    told = (MADE, A2, read("c1", (25, 26), 2), B3, read("c2", (45, 46), 3))

    assert kinds(*told, kept=LOG) == set()


# fmt: off
BAD = {
    "an acknowledged write whose version somebody else has": (
        (MADE, A2, B3, write("c3", (31, 41), 3, head="other")), LOG, {"lost update", "cycle"},
    ),
    "a write decided on a version that was replaced": (
        (MADE, A2, write("b3", (30, 40), 3, based_on=1)), LOG, {"lost update", "cycle"},
    ),
    "an acknowledged write that is nowhere": (
        (MADE, A2, B3, write("c4", (50, 60), 4)), LOG, {"lost write"},
    ),
    "a read that begins after an ack and does not see it": (
        (MADE, A2, B3, read("c1", (45, 46), 2)), LOG, {"stale read", "cycle"},
    ),
    "a read older than one that somebody else had before": (
        (MADE, A2, write("b3", (30, 90), 3), read("c1", (40, 41), 3), read("d1", (50, 51), 2)), LOG,
        {"stale read", "cycle"},
    ),
    "a client that reads backwards": (
        (MADE, A2, write("b3", (30, 90), 3), read("c1", (40, 41), 3), read("c2", (50, 51), 2)), LOG,
        {"non-monotonic read", "cycle"},
    ),
    "a client that does not see its own write": (
        (MADE, A2, B3, read("b4", (45, 46), 2)), LOG, {"non-monotonic read", "cycle"},
    ),
    "a read of what is written later": (
        (MADE, A2, B3, read("c1", (21, 22), 3)), LOG, {"future read", "real-time order", "cycle"},
    ),
    "writes in another order than they were answered": (
        (MADE, write("a2", (30, 40), 2), write("b3", (10, 20), 3)), LOG,
        {"real-time order", "cycle"},
    ),
    "a read of what was undone": (
        (MADE, A2, B3, read("c1", (45, 46), 4)), LOG, {"aborted read"},
    ),
    "a read of another content of a version": (
        (MADE, A2, B3, read("c1", (45, 46), 3, head="other")), LOG, {"aborted read"},
    ),
    "a read of half a commit": (
        (MADE, write("a2", (10, 20), 4), read("c1", (11, 12), 3)), log("m1", "a2", ends=(1, 4)),
        {"intermediate read"},
    ),
    "a write that nobody sent": ((MADE, A2), LOG, {"phantom"}),
    "a write that happened twice": ((MADE, A2), log("m1", "a2", "a2"), {"phantom", "lost write"}),
    "a write that was refused": (
        (MADE, A2, write("b3", (30, 40), 0, refused="NO")), LOG, {"phantom"},
    ),
    "an answer that is wrong by itself": (
        (MADE, A2, B3, read("c1", (45, 46), 3, wrong="torn read")), LOG, {"wrong answer"},
    ),
    "a part that is claimed while it is held": (
        (MADE, write("a2", (10, 20), 2, command="claim", part="p"),
         write("b3", (30, 40), 3, command="claim", part="p")), LOG, {"two holders"},
    ),
    "a part that is handed in by who does not hold it": (
        (MADE, write("a2", (10, 20), 2, command="claim", part="p"),
         write("b3", (30, 40), 3, command="submit", part="p")), LOG, {"stale fence"},
    ),
    "a gate that takes two decisions": (
        (MADE, write("a2", (10, 20), 2, command="claim", part="p"),
         write("a3", (30, 40), 3, command="request_review", part="p"),
         write("c4", (50, 60), 4, command="modify", part="p"),
         write("d5", (51, 61), 5, command="approve", part="p")),
        log("m1", "a2", "a3", "c4", "d5"), {"two decisions"},
    ),
}
# fmt: on


@pytest.mark.parametrize("name", BAD)
def test_what_no_order_explains_is_told_by_name(name: str) -> None:
    operations, kept, expected = BAD[name]

    assert kinds(*operations, kept=kept) == expected


def test_a_finding_names_the_operations_that_make_it() -> None:
    found = check(History((MADE, A2, B3, read("c1", (45, 46), 2)), {UNIT: LOG}))

    assert [str(one) for one in found] == [
        "stale read of plan-1: c1 (read, version 2) began after b3 (note, version 3) had ended",
        "cycle of plan-1: b3 (note, version 3) -rt-> c1 -rw-> b3",
    ]


def test_what_was_noted_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    write_down(path, [MADE, A2])

    assert read_back([path]) == (MADE, A2)
