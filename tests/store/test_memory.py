"""What a process remembers of units: what it committed, no more, and the newest of it."""

from dataclasses import replace

import pytest

from interlock.kernel.seen import Part, Unit
from interlock.store import memory as module
from interlock.store.memory import Memory
from interlock.store.rows import PartRow, UnitRow, part_body
from interlock.store.script import Around, Change, Load, Loaded, Surroundings
from interlock.store.weight import part_weight, unit_weight

QUEUE = (("step", ("pending",)),)


def _unit(version: int, name: str = "u") -> UnitRow:
    return UnitRow(name, "plan", "d", Unit("executing", {}), {}, version, "h", 1, "step")


def _part(
    number: int, status: str = "pending", parent: str | None = None, branches: int = 0
) -> PartRow:
    part = Part("step", status, {}, parent)
    return PartRow(f"u.{number}", number, part, number, branches=branches)


def _change(before: int, *parts: PartRow, gone: tuple[int, ...] = ()) -> Change:
    return Change(
        "t", before, _unit(before + 1), (), 0, parts=parts, gone=gone, kinds=QUEUE,
        bodies={row.number: part_body(row.part) for row in parts},
    )  # fmt: skip


@pytest.fixture
def memory() -> Memory:
    """Remembers version 2 of a unit, with one part and the head of its queue."""
    found = Memory("inc")
    found.committed(_change(1, _part(1)), {"step": (_part(2),)})
    return found


def test_what_was_committed_is_remembered_and_marked_as_such(memory: Memory) -> None:
    loaded = memory.load("t", Load("u", "u.1", QUEUE))

    assert loaded is not None
    assert (loaded.unit.version, loaded.is_cached, loaded.incarnation) == (2, True, "inc")
    assert loaded.part is not None
    assert (loaded.part.id, [part.id for part in loaded.heads["step"]]) == ("u.1", ["u.2"])


@pytest.mark.parametrize(
    ("tenant", "ask"),
    [
        ("t", Load("v")),
        ("other", Load("u")),
        ("t", Load("u", "u.9")),
        ("t", Load("u", None, (("bead", ("pending",)),))),
        ("t", Load("u", is_fresh=True)),
    ],
)
def test_what_is_not_remembered_whole_is_not_answered(
    memory: Memory, tenant: str, ask: Load
) -> None:
    assert memory.load(tenant, ask) is None


def test_the_next_commit_changes_what_is_remembered_and_its_heads(memory: Memory) -> None:
    memory.committed(_change(2, _part(1, "completed")), None)
    loaded = memory.load("t", Load("u", "u.1"))

    assert loaded is not None
    assert loaded.part is not None
    assert (loaded.unit.version, loaded.part.part.status) == (3, "completed")
    assert memory.load("t", Load("u", None, QUEUE)) is None


def test_a_queue_that_was_stirred_has_the_head_that_came_back_or_none(memory: Memory) -> None:
    memory.committed(_change(2, _part(2, "completed")), {"step": (_part(3),)})
    third = memory.load("t", Load("u", None, QUEUE))
    memory.committed(_change(3, _part(3, "completed")), {})
    empty = memory.load("t", Load("u", None, QUEUE))

    assert third is not None
    assert [part.id for part in third.heads["step"]] == ["u.3"]
    assert empty is not None
    assert empty.heads == {"step": ()}


def test_a_queue_that_was_not_stirred_keeps_its_head(memory: Memory) -> None:
    change = _change(2, _part(1, "completed"))
    change.kinds = (("step", ("returned",)),)
    memory.committed(change, {})
    loaded = memory.load("t", Load("u", None, (("step", ("pending", "returned")),)))

    assert loaded is not None
    assert [part.id for part in loaded.heads["step"]] == ["u.2"]


def test_a_commit_on_a_version_that_is_not_remembered_begins_anew(memory: Memory) -> None:
    memory.committed(_change(7, _part(3)), {})

    assert memory.load("t", Load("u", "u.1")) is None
    assert memory.load("t", Load("u", "u.3")) is not None


def test_a_part_that_is_gone_is_not_remembered(memory: Memory) -> None:
    memory.committed(_change(2, gone=(1,)), {})

    assert memory.load("t", Load("u", "u.1")) is None


def test_what_was_loaded_is_remembered_unless_something_newer_is_known(memory: Memory) -> None:
    def loaded(version: int, status: str) -> Loaded:
        return Loaded(_unit(version), _part(1, status), {}, None, "inc")

    memory.loaded("t", loaded(1, "old"))
    kept = memory.load("t", Load("u", "u.1"))
    memory.loaded("t", loaded(5, "new"))
    renewed = memory.load("t", Load("u", "u.1"))

    assert kept is not None
    assert kept.part is not None
    assert (kept.unit.version, kept.part.part.status) == (2, "pending")
    assert renewed is not None
    assert renewed.part is not None
    assert (renewed.unit.version, renewed.part.part.status) == (5, "new")
    assert memory.load("t", Load("u", None, QUEUE)) is None


def test_surroundings_are_answered_where_all_of_them_are_remembered(memory: Memory) -> None:
    child = _part(5, parent="u.1")
    asked = Around("u", child, ("parent", "current", "conditions"), "u.2", None)

    found = memory.around("t", asked)

    assert found is not None
    assert found.parent is not None
    assert found.current is not None
    assert (found.parent.id, found.current.id) == ("u.1", "u.2")


@pytest.mark.parametrize(
    "ask",
    [
        Around("u", _part(5, parent="u.9"), ("parent",), None, None),
        Around("u", _part(5), ("current",), "u.9", None),
        Around("u", _part(5), ("children",), None, "u.5"),
        Around("u", _part(5), ("dependents",), None, None),
        Around("u", _part(5, branches=1), ("conditions",), None, None),
        Around("v", _part(5), ("parent",), None, None),
    ],
)
def test_surroundings_that_are_not_remembered_are_asked_for(memory: Memory, ask: Around) -> None:
    assert memory.around("t", ask) is None


def test_a_part_without_a_parent_or_branches_has_no_surroundings_to_ask_for(memory: Memory) -> None:
    ask = Around("u", _part(5), ("parent", "current", "conditions"), None, None)

    assert memory.around("t", ask) == Surroundings()


def test_units_and_everything_can_be_forgotten(memory: Memory) -> None:
    memory.committed(Change("t", 1, _unit(2, "v"), (), 0), {})
    memory.forget("t", "u")
    memory.forget("t", "never known")

    assert memory.load("t", Load("u")) is None
    assert memory.load("t", Load("v")) is not None

    memory.clear()

    assert memory.load("t", Load("v")) is None


def test_the_longest_unused_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "UNITS_MAX", 2)
    memory = Memory("inc")
    for name in ("a", "b", "a", "c"):
        memory.committed(Change("t", 1, _unit(2, name), (), 0), {})

    assert [memory.load("t", Load(name)) is None for name in "abc"] == [False, True, False]


@pytest.mark.parametrize("how", ["changed", "made"])
def test_of_a_large_unit_only_the_last_parts_are_remembered(
    monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(module, "PARTS_MAX", 2)
    memory = Memory("inc")
    changed = _change(1, *(_part(number) for number in range(5)))
    memory.committed(changed if how == "changed" else _large("u", 5), {})

    assert [memory.load("t", Load("u", f"u.{n}")) is None for n in range(5)] == [
        True, True, True, False, False,
    ]  # fmt: skip


def _large(name: str, parts: int, before: int = 1) -> Change:
    made = tuple(_part(number) for number in range(parts))
    return Change("t", before, _unit(before + 1, name), (), 0, made=made, kinds=QUEUE)


def _room(units: int, parts: int) -> int:
    """Return the bytes of so many units and parts as they are made here."""
    return units * unit_weight(_unit(1)) + parts * part_weight(_part(1))


def test_of_many_large_units_no_more_is_remembered_than_fits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "BYTES_MAX", _room(3, 10))
    memory = Memory("inc")
    for name in ("a", "b", "c", "d"):
        memory.committed(_large(name, 4), {})

    assert [memory.load("t", Load(name)) is None for name in "abcd"] == [True, True, False, False]
    assert memory.bytes == _room(2, 8)


def test_what_is_large_leaves_room_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BYTES_MAX", 100_000)
    memory = Memory("inc")
    memory.committed(_large("a", 4), {})
    huge = PartRow("u.1", 1, Part("step", "pending", {"text": "x" * 97_000}), 1)
    memory.committed(_change(1, huge), {})
    kept = [memory.load("t", Load(name)) is None for name in "au"]
    memory.committed(_change(2, replace(huge, part=Part("step", "pending", {}))), {})

    assert kept == [True, False]
    assert memory.bytes == _room(1, 1)


def test_a_unit_that_alone_is_too_large_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BYTES_MAX", _room(1, 2))
    memory = Memory("inc")
    memory.committed(_large("a", 3), {})

    assert memory.load("t", Load("a")) is None
    assert memory.bytes == 0


def test_what_was_forgotten_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BYTES_MAX", _room(2, 10))
    memory = Memory("inc")
    memory.committed(_large("a", 8), {})
    memory.forget("t", "a")
    memory.committed(_large("b", 8), {})
    # Begun anew on a version that is not remembered, and left with one part.
    memory.committed(_large("b", 1, before=7), {})
    memory.committed(_large("c", 9), {})
    assert [memory.load("t", Load(name)) is None for name in "abc"] == [True, False, False]

    memory.clear()
    memory.committed(_large("d", 10), {})
    assert memory.load("t", Load("d")) is not None
    assert memory.bytes == _room(1, 10)


def test_whatever_came_and_went_what_is_left_is_what_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PARTS_MAX", 3)
    memory = Memory("inc")
    memory.committed(_change(1, _part(1), _part(2)), {"step": (_part(3),)})
    memory.committed(_change(2, _part(1), gone=(2, 9)), {"step": (_part(4),)})
    memory.loaded("t", Loaded(_unit(3), _part(5), {"step": (_part(6),)}, None, "inc"), QUEUE)
    known = memory.find("t", Load("u"))
    assert known is not None
    memory.learn(known, {("step", "returned"): _part(7), ("step", "failed"): None})

    assert [*known.parts] == ["u.5", "u.6", "u.7"]
    assert memory.bytes == memory.recall().weight == _room(1, 3)
    memory.forget("t", "u")
    assert memory.bytes == 0


def test_a_head_is_known_as_long_as_its_part_is_remembered(
    monkeypatch: pytest.MonkeyPatch, memory: Memory
) -> None:
    monkeypatch.setattr(module, "PARTS_MAX", 2)
    change = _change(2, _part(3, "completed"), _part(4, "completed"))
    change.kinds = ()
    memory.committed(change, {})

    assert memory.load("t", Load("u")) is not None
    assert memory.load("t", Load("u", None, QUEUE)) is None


@pytest.mark.parametrize("by", ["commit", "load"])
def test_a_unit_that_has_ended_is_not_remembered(memory: Memory, by: str) -> None:
    ended = replace(_unit(3), ended_at=5)
    if by == "commit":
        memory.committed(Change("t", 2, ended, (), 0, parts=(_part(1),)), {})
    else:
        memory.loaded("t", Loaded(ended, _part(1), {}, None, "inc"))

    assert memory.load("t", Load("u")) is None
    assert memory.bytes == 0


def test_what_has_a_new_body_is_weighed_again_and_nothing_else() -> None:
    memory = Memory("inc")
    memory.committed(_change(1, _part(1)), {})
    before = memory.bytes
    long = PartRow("u.1", 1, Part("step", "pending", {"text": "x" * 5_000}), 1)
    memory.committed(replace(_change(2, long), bodies={}), {})
    moved = memory.bytes - before
    memory.committed(_change(3, long), {})
    heavier = memory.bytes - before
    wordy = replace(_unit(5), unit=Unit("executing", {"text": "x" * 5_000}))
    memory.committed(replace(_change(4), unit=wordy), {})
    same = memory.bytes - before
    memory.committed(replace(_change(5), unit=replace(wordy, version=6), body="{}"), {})

    assert (moved, same) == (0, heavier)
    assert heavier > 4_000
    assert memory.bytes - before - heavier > 4_000
