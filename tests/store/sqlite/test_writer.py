"""The writer: commands in groups, each its own to undo; a disk that fails stops everything."""

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import apsw
import pytest

from interlock.store.chain import Link
from interlock.store.errors import StoreBroken, StoreFull, StoreUnavailable
from interlock.store.script import Change, Committed, Key, Load, Loaded, Nothing, Script, Stale
from interlock.store.sqlite import pace
from interlock.store.sqlite import writer as written
from interlock.store.sqlite.writer import GROUP_MAX, Writer
from tests.still import StillClock
from tests.store.sqlite.failing_disk import FailingDisk
from tests.store.sqlite.opened import HOME
from tests.store.sqlite.scripts import (
    Making,
    at_once,
    fail,
    made,
    make,
    move,
    new_file,
    stale,
    stands,
    unit,
)

THREAD = "interlock-writer"


@pytest.fixture(params=("by the thread", "where it is asked for"))
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where a command that comes alone is carried out."""
    is_here = request.param == "where it is asked for"
    monkeypatch.setattr(pace, "QUICK_S", 1_000.0 if is_here else 0.0)
    return str(request.param)


@pytest.fixture
def writer(tmp_path: Path, place: str) -> Iterator[Writer]:
    """A writer on a new file."""
    path, connection = new_file(tmp_path)
    found = Writer(connection, path, StillClock().now, "inc")
    assert found.pace.is_quick == (place == "where it is asked for")
    yield found
    found.close()


def test_a_command_is_answered_once_it_is_in_the_file(writer: Writer) -> None:
    assert at_once(writer, make("u")) == [Committed("made")]
    assert stands(writer) == {"u": "planning"}


def test_commands_that_wait_together_are_committed_together_and_see_each_other(
    writer: Writer,
) -> None:
    answers = at_once(writer, make("u"), move("u", "executing"), move("u", "completed"))

    assert answers == [Committed("made"), Committed("executing"), Committed("completed")]
    assert stands(writer) == {"u": "completed"}


def test_more_commands_than_a_group_holds_are_all_carried_out(writer: Writer) -> None:
    many = GROUP_MAX * 2 + 5
    answers = at_once(writer, *(make(f"u{place}") for place in range(many)))

    assert answers == [Committed("made")] * many
    assert len(stands(writer)) == many


def test_an_error_in_one_command_of_a_group_undoes_only_that_one(writer: Writer) -> None:
    wrong = ValueError("a bug")
    answers = at_once(
        writer, make("a"), fail(wrong), make("a"), stale("a"), make("b"), move("a", "moved")
    )

    assert answers[0] == Committed("made")
    assert answers[1] is wrong
    assert isinstance(answers[2], Exception)
    assert isinstance(answers[3], Stale)
    assert answers[4:] == [Committed("made"), Committed("moved")]
    assert stands(writer) == {"a": "moved", "b": "planning"}


def test_an_error_in_a_command_alone_leaves_nothing_behind(writer: Writer) -> None:
    at_once(writer, make("a"))
    (twice,) = at_once(writer, make("a"))
    answers = at_once(writer, move("a", "moved"))

    assert isinstance(twice, Exception)
    assert answers == [Committed("moved")]


def test_what_was_undone_is_not_remembered(writer: Writer) -> None:
    """The second change of the unit fails after it was remembered; the third must not see it."""

    @made
    def half(name: str) -> Script:
        yield from ()
        # The entry is there already, so writing fails after the unit's row was written.
        entries = (Link(1, 2, "{}", "b"),)
        return Change(HOME, 1, unit(name, 2, "wrong"), entries, 2)

    answers = at_once(writer, make("u"), half("u"), move("u", "right"))

    assert isinstance(answers[1], Exception)
    assert answers[2] == Committed("right")
    assert stands(writer) == {"u": "right"}


def test_a_key_that_is_known_is_answered_again_and_makes_nothing(writer: Writer) -> None:
    key = Key("ada", "r1", "asked")
    answers = at_once(
        writer, make("u", key, "first"), make("v", key, "second"), make("w", key, "third")
    )

    assert answers == [
        Committed("first"),
        Committed("first", is_replay=True, asked="asked"),
        Committed("first", is_replay=True, asked="asked"),
    ]
    assert stands(writer) == {"u": "planning"}


def test_a_request_that_was_answered_before_changes_nothing_that_is_remembered(
    writer: Writer,
) -> None:
    key = Key("ada", "r1", "asked")

    def once() -> Script:
        loaded = yield Load("u", key=key)
        assert isinstance(loaded, Loaded)
        if loaded.reply is not None:
            return Nothing(loaded.reply.text, loaded.reply.asked)
        version = loaded.unit.version
        entries = (Link(version + 1, 2, "{}", "b"),)
        after = unit("u", version + 1, f"moved {version}")
        return Change(HOME, version, after, entries, 2, key=key, reply=f"from {version}")

    at_once(writer, make("u"))
    alone = [*at_once(writer, once), *at_once(writer, once)]
    together = at_once(writer, move("u", "elsewhere"), once, make("v"), once)

    again = Committed("from 1", is_replay=True, asked="asked")
    assert alone == [Committed("from 1"), again]
    assert together == [Committed("elsewhere"), again, Committed("made"), again]
    assert stands(writer) == {"u": "elsewhere", "v": "planning"}


def test_a_script_that_writes_nothing_is_answered_too(writer: Writer) -> None:
    def nothing() -> Script:
        yield Load("u")
        return Nothing("as it was", "asked")

    assert at_once(writer, nothing) == [Committed("as it was", is_replay=True, asked="asked")]


def test_the_tenants_that_were_changed_are_rung_for_after_the_commit(writer: Writer) -> None:
    rung: list[tuple[set[str], dict[str, str]]] = []
    writer.ring = lambda tenants: rung.append((set(tenants), stands(writer)))
    at_once(writer, make("u"))
    at_once(writer, fail(ValueError("x")))
    writer.close()

    assert rung == [({HOME}, {"u": "planning"})]


def test_what_another_process_wrote_is_noticed_before_the_next_command(writer: Writer) -> None:
    at_once(writer, make("u"))
    other = apsw.Connection(str(writer._path))
    other.execute("UPDATE units SET version = 5, status = 'elsewhere'")
    other.close()

    def ask() -> Script:
        loaded = yield Load("u")
        assert isinstance(loaded, Loaded)
        return Nothing(f"{loaded.unit.unit.status} {loaded.unit.version}")

    assert at_once(writer, ask) == [Committed("elsewhere 5")]


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("many", [1, 9])
def test_a_closed_writer_takes_nothing_more_but_finishes_what_it_has(
    tmp_path: Path, many: int
) -> None:
    path, connection = new_file(tmp_path)
    writer = Writer(connection, path, StillClock().now, "inc")

    async def story() -> list[object]:
        made = (make(f"u{number}") for number in range(many))
        sent = [asyncio.ensure_future(writer.run(HOME, make)) for make in made]
        await asyncio.sleep(0)
        await asyncio.to_thread(writer.close)
        done = await asyncio.gather(*sent, return_exceptions=True)
        with pytest.raises(StoreUnavailable):
            await writer.run(HOME, make("late"))
        return list(done)

    assert asyncio.run(story()) == [Committed("made")] * many


# -- who carries it out ------------------------------------------------------------------------


def _who(seen: list[str]) -> Making:
    """Say on which thread one is carried out."""

    def ask() -> Script:
        yield from ()
        seen.append(threading.current_thread().name)
        return Nothing("")

    return ask


def test_what_comes_alone_is_carried_out_where_it_is_asked_for_if_that_is_quick(
    writer: Writer, place: str
) -> None:
    seen: list[str] = []
    at_once(writer, _who(seen))
    at_once(writer, _who(seen), _who(seen))

    alone = threading.current_thread().name if place == "where it is asked for" else THREAD
    assert seen == [alone, THREAD, THREAD]


@pytest.mark.parametrize("place", ["where it is asked for"], indirect=True)
def test_a_chore_that_takes_its_time_does_not_send_commands_to_the_thread(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As quick as it is now is quick, and nothing slower.
    monkeypatch.setattr(pace, "QUICK_S", writer.pace._mean_s)
    seen: list[str] = []

    async def story() -> None:
        await writer.call(lambda _: time.sleep(0.05))
        with writer._pen:  # the thread has put it down
            pass
        await writer.run(HOME, _who(seen))

    asyncio.run(story())
    assert seen == [threading.current_thread().name]


def test_nobody_s_event_loop_waits_for_another_process(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: set[str] = set()
    waits, lock = Event(), Event()

    def sleep(seconds: float) -> None:
        waited.add(threading.current_thread().name)
        waits.set()
        lock.wait(seconds)

    monkeypatch.setattr("interlock.store.sqlite.connect.time.sleep", sleep)

    async def story() -> Committed:
        other = apsw.Connection(str(writer._path))
        other.execute("BEGIN IMMEDIATE")
        sent = asyncio.ensure_future(writer.run(HOME, make("u")))
        await asyncio.to_thread(waits.wait)
        other.execute("COMMIT")
        other.close()
        return await sent

    assert asyncio.run(story()) == Committed("made")
    assert waited == {THREAD}
    assert stands(writer) == {"u": "planning"}


def test_the_log_is_copied_by_the_thread_alone(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(written, "CHECKPOINT_PAGES", 1)
    seen: list[str] = []
    copy = Writer._checkpoint

    def checkpoint(self: Writer) -> None:
        seen.append(threading.current_thread().name)
        copy(self)

    monkeypatch.setattr(Writer, "_checkpoint", checkpoint)
    at_once(writer, make("u"))
    writer.close()

    assert set(seen) == {THREAD}
    assert writer._pages == 0


# -- when the disk fails -----------------------------------------------------------------------


@pytest.mark.usefixtures("place")
def test_a_full_disk_undoes_the_command_and_later_ones_may_succeed(tmp_path: Path) -> None:
    path, connection = new_file(tmp_path)
    ((pages,),) = connection.execute("PRAGMA page_count")
    connection.execute(f"PRAGMA max_page_count = {pages}")
    writer = Writer(connection, path, StillClock().now, "inc")
    large = "x" * 200_000

    def huge() -> Script:
        yield from ()
        return Change(HOME, 0, unit("big", 1), (Link(1, 1, large, "a"),), 1, body="{}")

    (answer,) = at_once(writer, huge)
    small = at_once(writer, make("u"))
    found = stands(writer)
    writer.close()

    assert isinstance(answer, StoreFull)
    assert answer.retryable
    assert small == [Committed("made")]
    assert found == {"u": "planning"}


@pytest.mark.usefixtures("place")
def test_a_broken_disk_stops_every_further_command(tmp_path: Path) -> None:
    disk = FailingDisk("failing")
    path, connection = new_file(tmp_path, "failing")
    writer = Writer(connection, path, StillClock().now, "inc")
    before = at_once(writer, make("u"))
    disk.is_broken = True
    during = at_once(writer, make("v"), make("w"))
    disk.is_broken = False
    after = at_once(writer, make("x"))
    writer.close()

    assert before == [Committed("made")]
    assert [type(one) for one in (*during, *after)] == [StoreBroken] * 3
    assert stands(writer) == {"u": "planning"}
