"""Long tests begin first in the share of each worker; none is lost, and files stay whole."""

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from tests.first import LONG, long_first


@dataclass(frozen=True)
class One:
    """What is looked at of a test."""

    path: Path
    number: int


def several(file: str, count: int) -> list[One]:
    return [One(Path(__file__).parent / file, number) for number in range(count)]


def ordered(items: list[One], workers: int) -> list[One]:
    return cast("list[One]", long_first(cast("list[pytest.Item]", items), workers))


def test_each_share_begins_with_long_ones_and_files_stay_whole() -> None:
    quick = several("kernel/test_a.py", 20)
    one, other = several("power/test_b.py", 3), several("worker/test_servers.py", 2)

    found = ordered([*quick[:10], *one, *quick[10:], *other], 2)

    assert found == [*one, *quick[:9], *other, *quick[9:]]


def test_alone_they_all_come_first() -> None:
    quick, slow = several("kernel/test_a.py", 2), several("browser/test_b.py", 2)

    assert ordered([*quick, *slow], 1) == [*slow, *quick]


@pytest.mark.parametrize("workers", [1, 2, 3, 7])
@pytest.mark.parametrize("counts", [(0, 0), (0, 5), (5, 0), (2, 30), (30, 2)])
def test_none_is_lost(workers: int, counts: tuple[int, int]) -> None:
    items = several("failover/test_a.py", counts[0]) + several("kernel/test_b.py", counts[1])

    found = ordered(items, workers)

    assert (len(found), set(found)) == (len(items), set(items))


def test_every_room_is_there() -> None:
    assert [str(room) for room in LONG if not room.exists()] == []
