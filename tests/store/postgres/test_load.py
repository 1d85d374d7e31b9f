"""What a script asks for is answered at one moment, or the script is told that it is stale."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

import pytest

from interlock.kernel.seen import Part
from interlock.store.postgres.load import number_of, queues
from interlock.store.postgres.store import PostgresStore
from interlock.store.rows import ORD_GAP, PartRow
from interlock.store.script import (
    Answer,
    Around,
    Ask,
    Branching,
    Condition,
    Find,
    Gap,
    Heads,
    Load,
    Loaded,
    Nothing,
    Place,
    Stale,
    Surroundings,
)
from tests.store.postgres.made import (
    ACME,
    OTHER,
    QUEUE,
    UNIT,
    asking,
    begin,
    database,
    job,
    opened,
    saying,
    then,
)
from tools.postgres.server import Server

Play = Callable[[PostgresStore], Awaitable[None]]


@pytest.fixture
def url(each_postgres_server: Server) -> Iterator[str]:
    with database(each_postgres_server) as found:
        yield found


def run(url: str, play: Play) -> None:
    async def main() -> None:
        async with opened(url) as store:
            await play(store)

    asyncio.run(main())


async def ask(store: PostgresStore, *asks: Ask, tenant: str = ACME) -> list[Answer]:
    answers: list[Answer] = []
    await store.run(tenant, lambda: asking(asks, answers, Nothing("")))
    return answers


def child(number: int, parent: int, status: str = "open") -> PartRow:
    row = job(number, status)
    return replace(row, part=Part("task", status, row.part.fields, f"{UNIT}.{parent}"), offer=None)


def family() -> tuple[PartRow, ...]:
    """Five jobs in a row, the second with two tasks; the fourth needs the second and the first."""
    return (
        job(1, feeds=1, branches=2), job(2, feeds=1), job(3, "done"), job(4, waits=2, offer=None),
        job(5), child(6, 2), child(7, 2, "done"),
    )  # fmt: skip


async def plant(store: PostgresStore) -> None:
    change = begin(
        *family(), links=((4, 2, 1), (4, 1, 2)),
        conditions=(
            Condition(1, 1, "a > 1", "skip", '{"why":"x"}', 4),
            Condition(1, 2, "true", "fail", "{}", None),
        ),
    )  # fmt: skip
    await store.run(ACME, lambda: saying(change))


def numbers(found: Answer) -> list[int]:
    assert isinstance(found, tuple)
    return [row.number for row in found if isinstance(row, PartRow)]


@pytest.mark.parametrize(
    ("find", "expected"),
    [
        (Find(UNIT, "all"), [1, 2, 3, 4, 5, 6, 7]),
        (Find(UNIT, "all", "task"), [6, 7]),
        (Find(UNIT, "all", "job", statuses=("done",)), [3]),
        (Find(UNIT, "children", "task", of=f"{UNIT}.2"), [6, 7]),
        (Find(UNIT, "children", "task", of=f"{UNIT}.1"), []),
        (Find(UNIT, "dependents", of=f"{UNIT}.2"), [4]),
        (Find(UNIT, "range", "job", of=f"{UNIT}.1", to=f"{UNIT}.4"), [2, 3]),
        (Find(UNIT, "range", "job", of=f"{UNIT}.4", to=f"{UNIT}.1"), []),
        (Find(UNIT, "ids", ids=(f"{UNIT}.5", f"{UNIT}.2", f"{UNIT}.99", "nonsense")), [5, 2]),
    ],
    ids=lambda one: f"{one.whom} {one.kind}" if isinstance(one, Find) else "",
)
def test_parts_are_found_by_what_they_are_to_each_other(
    url: str, find: Find, expected: list[int]
) -> None:
    async def play(store: PostgresStore) -> None:
        await plant(store)
        (found,) = await ask(store, find)

        assert numbers(found) == expected

    run(url, play)


def test_the_best_part_of_each_status_is_the_head_of_a_queue(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        rows = (
            job(1, "late", offer=1),
            job(2),
            job(3, offer=0),
            job(4, offer=0),
            job(5, "late", offer=0),
        )
        await store.run(ACME, lambda: saying(begin(*rows)))
        kinds = (("job", ("open", "late")), ("task", ("open",)))
        loaded, again = await ask(
            store, Load(UNIT, kinds=kinds, is_fresh=True), Heads(UNIT, kinds, (3, 5))
        )
        assert isinstance(loaded, Loaded)
        assert isinstance(again, dict)

        assert {kind: numbers(rows) for kind, rows in loaded.heads.items()} == {
            "job": [3, 5],
            "task": [],
        }
        assert {kind: numbers(rows) for kind, rows in again.items()} == {"job": [4, 1], "task": []}

    run(url, play)


def test_the_gap_after_an_order_ends_at_the_next_part(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        await plant(store)
        following, none = await ask(store, Gap(UNIT, ORD_GAP), Gap(UNIT, 99 * ORD_GAP))

        assert (following, none) == (2 * ORD_GAP, None)

    run(url, play)


def test_a_place_counts_the_parts_of_a_kind(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        await plant(store)
        found = await ask(store, *(Place(UNIT, "job", order * ORD_GAP) for order in (0, 1, 99)))
        rows = [one for one in family() if one.part.kind == "job"]

        assert found == [0, sum(row.ord <= ORD_GAP for row in rows), len(rows)]

    run(url, play)


def test_around_a_part_everything_is_seen_that_was_asked_for(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        await plant(store)
        task = family()[5]
        sees = ("parent", "current", "children")
        about_task, about_first, about_second = await ask(
            store,
            Around(UNIT, task, sees, f"{UNIT}.3", f"{UNIT}.2"),
            Around(UNIT, family()[0], ("conditions", "dependents"), None, None),
            Around(UNIT, family()[1], ("dependents",), None, None),
        )
        assert isinstance(about_task, Surroundings)
        assert isinstance(about_first, Surroundings)
        assert isinstance(about_second, Surroundings)

        assert (about_task.parent and about_task.parent.number) == 2
        assert (about_task.current and about_task.current.number) == 3
        assert about_task.children == {"task": {"open": 1, "done": 1}}
        assert about_first.dependents == about_second.dependents == {"job": {"open": 1}}
        assert about_first.conditions == (
            Branching(
                "a > 1",
                "skip",
                {"why": "x"},
                f"{UNIT}.4",
                "open",
                is_later=True,
                between={"open": 1, "done": 1},
            ),
            Branching("true", "fail", {}),
        )

    run(url, play)


def test_a_branch_whose_target_comes_before_passes_nothing(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        back = (Condition(3, 1, "true", "skip", "{}", 1),)
        change = begin(job(1), job(2), job(3, branches=1), conditions=back)
        await store.run(ACME, lambda: saying(change))
        (found,) = await ask(store, Around(UNIT, job(3, branches=1), ("conditions",), None, None))

        assert isinstance(found, Surroundings)
        assert found.conditions == (Branching("true", "skip", {}, f"{UNIT}.1", "open"),)

    run(url, play)


def test_another_tenant_finds_nothing(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        await plant(store)
        (found,) = await ask(store, Load(UNIT, f"{UNIT}.1", QUEUE), tenant=OTHER)
        assert found is None
        (found,) = await ask(store, Find(UNIT, "all"), tenant=OTHER)
        assert found == ()

    run(url, play)


def test_two_moments_are_never_mixed(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        change = begin(job(1))
        await store.run(ACME, lambda: saying(change))

        async with opened(url) as other:

            def torn():  # type: ignore[no-untyped-def]  # noqa: ANN202 (a script)
                yield Load(UNIT, is_fresh=True)
                moved.append(
                    asyncio.ensure_future(other.run(ACME, lambda: saying(then(change.unit))))
                )
                while True:
                    yield Gap(UNIT, 0)

            moved: list[asyncio.Future[object]] = []
            with pytest.raises(Stale):
                await store.run(ACME, torn)
            await moved[0]

    run(url, play)


def test_a_name_that_can_be_no_part_of_the_unit_has_no_number() -> None:
    assert number_of("work-1", "work-1.12") == 12
    for name in (None, "work-1", "work-1.x", "work-1.012", "work-2.1", f"work-1.{2**63}"):
        assert number_of("work-1", name) is None


def test_queues_are_spelt_as_two_lists() -> None:
    assert queues(()) == (None, None)
    assert queues((("a", ("x", "y")), ("b", ("z",)))) == (["a", "a", "b"], ["x", "y", "z"])
