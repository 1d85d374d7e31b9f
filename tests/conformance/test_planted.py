"""The conformance suite finds what it is for: each bug planted here is caught by a small sample.

A suite that has never failed proves nothing. The bugs are those a hurried change would bring in.
"""

import asyncio
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from interlock.kernel.entries import Cause, Decision, Drop, Move, New, Write
from interlock.kernel.offer import FIRST, Queue
from interlock.kernel.seen import Event, Part, Unit
from interlock.kernel.timer import GOES_ON
from interlock.service import turn
from interlock.service.engine import Running
from interlock.service.record import Body, Records
from interlock.service.sheet import Asking, Rows, Sheet
from interlock.service.timers import Standing, time_parts
from interlock.service.turn import _Turn
from interlock.store.rows import PartRow
from interlock.store.script import Answer, Ask, Change
from interlock.store.sqlite import write as sqlite_write
from interlock.store.sqlite.session import Session
from tests.conformance.stores import OPENINGS, Opened, engine_on, sqlite
from tests.conformance.trial import Count, Trial
from tests.conformance.tries import explored
from tests.still import StillClock

# Workflow, bound, and which of its states are tried, in the order they are reached.
SAMPLES = {
    "plan": ("plan", 2, slice(0, None, 25)),
    # The smallest plan in which a step can be added between two others, soon after its start.
    "plan of three": ("plan", 3, slice(0, 25)),
    "mission": ("mission of one tool step", 1, slice(0, None, 90)),
    "ticket": ("ticket", 1, slice(0, None, 180)),
}


def _sample(opened: Opened, name: str) -> Count:
    workflow, bound, which = SAMPLES[name]
    found = explored(workflow, bound)

    async def run() -> Count:
        clock = StillClock()
        async with opened(clock) as store:
            trial = Trial(engine_on(store, clock))
            await trial.all_of(found, range(len(found.states))[which])
            return trial.count

    return asyncio.run(run())


@pytest.mark.some(4)
@pytest.mark.parametrize("store", OPENINGS)
@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_clean_without_a_bug(
    tmp_path: Path, request: pytest.FixtureRequest, name: str, store: str
) -> None:
    count = _sample(OPENINGS[store](request, tmp_path), name)

    assert count.wrong == []
    assert count.accepted


# -- the bugs ----------------------------------------------------------------------------------

Plant = Callable[[pytest.MonkeyPatch], None]


def bulk_move_misses_a_row(patch: pytest.MonkeyPatch) -> None:
    right = Sheet._many

    def wrong(
        sheet: Sheet, entry: Move | Write | Drop, event: Event
    ) -> Generator[Ask, Answer, Rows]:
        rows = yield from right(sheet, entry, event)
        return rows[:-1] if len(rows) > 1 else rows

    patch.setattr(Sheet, "_many", wrong)


def waits_are_not_counted(patch: pytest.MonkeyPatch) -> None:
    def wrong(sheet: Sheet) -> Asking:
        del sheet
        yield from ()

    patch.setattr(Sheet, "_count_waits", wrong)


def fields_outlive_their_status(patch: pytest.MonkeyPatch) -> None:
    right = Sheet._changed

    def wrong(sheet: Sheet, part: Part, entry: Move | Write) -> Part:
        changed = right(sheet, part, entry)
        if isinstance(entry, Write):
            return changed
        return Part(part.kind, changed.status, part.fields, part.parent)

    patch.setattr(Sheet, "_changed", wrong)


def causes_are_lost(patch: pytest.MonkeyPatch) -> None:
    def wrong(records: Records, cause: Cause) -> Body:
        del records
        return {"kind": "event", "name": cause.name}

    patch.setattr(Records, "_cause", wrong)


def offers_stay_as_they_were(patch: pytest.MonkeyPatch) -> None:
    def wrong(sheet: Sheet, row: PartRow, part: Part) -> PartRow:
        del sheet
        return replace(row, part=part)

    patch.setattr(Sheet, "_queued", wrong)


def the_tally_is_not_written(patch: pytest.MonkeyPatch) -> None:
    right = sqlite_write._unit

    def wrong(session: Session, change: Change, now: int) -> None:
        if change.before:
            change = replace(change, unit=replace(change.unit, tally={}))
        right(session, change, now)

    patch.setattr(sqlite_write, "_unit", wrong)


def leases_are_not_extended(patch: pytest.MonkeyPatch) -> None:
    def wrong(turn: _Turn, *about: object) -> None:
        del turn, about

    patch.setattr(_Turn, "_extend", wrong)


def new_parts_need_nothing(patch: pytest.MonkeyPatch) -> None:
    def wrong(sheet: Sheet, part: str, need: str) -> None:
        del sheet, part, need

    patch.setattr(Sheet, "_link", wrong)


def new_parts_go_to_the_end(patch: pytest.MonkeyPatch) -> None:
    right = Sheet._new

    def wrong(
        sheet: Sheet, entry: New, event: Event, made: list[str]
    ) -> Generator[Ask, Answer, str]:
        return (yield from right(sheet, entry._replace(after=""), event, made))

    patch.setattr(Sheet, "_new", wrong)


def what_goes_first_waits_its_turn(patch: pytest.MonkeyPatch) -> None:
    right = Queue.rank

    def wrong(queue: Queue[PartRow], part: Part, waits: int) -> int | None:
        rank = right(queue, part, waits)
        return None if rank == FIRST else rank

    patch.setattr(Queue, "rank", wrong)


def the_event_is_misnamed(patch: pytest.MonkeyPatch) -> None:
    right = Records.begin

    def wrong(records: Records, decision: Decision) -> None:
        right(records, decision)
        records._head["event"] = "something"

    patch.setattr(Records, "begin", wrong)


def timers_outlive_their_status(patch: pytest.MonkeyPatch) -> None:
    def wrong(
        running: Running, unit: Unit, before: Standing, after: Mapping[str, PartRow], *rest: object
    ) -> None:
        leases = cast("dict[int, int]", rest[-1])
        for name in before:
            if name in after and after[name].part.kind in running.timers:
                leases[after[name].number] = GOES_ON

    patch.setattr(turn, "time_parts", wrong)


def timers_never_go_on(patch: pytest.MonkeyPatch) -> None:
    right = time_parts

    def wrong(*about: object) -> None:
        right(*about)  # type: ignore[arg-type]  # it is what it was called with
        leases = cast("dict[int, int]", about[-1])
        for number in [number for number, lasts in leases.items() if lasts == GOES_ON]:
            del leases[number]

    patch.setattr(turn, "time_parts", wrong)


def the_time_of_a_unit_is_not_kept(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(turn, "unit_lasts", lambda *_: None)


def an_ended_unit_leaves_its_timers(patch: pytest.MonkeyPatch) -> None:
    right = sqlite_write._parts

    def wrong(session: Session, change: Change, now: int) -> None:
        right(session, replace(change, stops=False), now)

    patch.setattr(sqlite_write, "_parts", wrong)


BUGS: tuple[tuple[str, Plant], ...] = (
    ("ticket", bulk_move_misses_a_row),
    ("plan", waits_are_not_counted),
    ("mission", waits_are_not_counted),
    ("plan", fields_outlive_their_status),
    ("ticket", causes_are_lost),
    ("plan", offers_stay_as_they_were),
    ("mission", the_tally_is_not_written),
    ("plan", leases_are_not_extended),
    ("mission", new_parts_need_nothing),
    ("plan of three", new_parts_go_to_the_end),
    ("plan", what_goes_first_waits_its_turn),
    ("ticket", the_event_is_misnamed),
    ("mission", timers_outlive_their_status),
    ("mission", timers_never_go_on),
    ("mission", the_time_of_a_unit_is_not_kept),
    ("mission", an_ended_unit_leaves_its_timers),
)


@pytest.mark.some(5)
@pytest.mark.parametrize(("name", "plant"), BUGS, ids=[f"{n}-{p.__name__}" for n, p in BUGS])
def test_a_planted_bug_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, plant: Plant
) -> None:
    plant(monkeypatch)

    assert _sample(sqlite(tmp_path / "interlock.db"), name).wrong
