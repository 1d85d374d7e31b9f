"""Things under change on the work sheet: whole copies, each there once, whoever it is for."""

from dataclasses import replace

from interlock.kernel.draft import Draft
from interlock.kernel.entries import Move
from interlock.kernel.look import look
from interlock.kernel.seen import SLICES, Event, Part
from interlock.kernel.workflow import Field
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.test_draft import BY_EVENT, on_shelf
from tests.kernel.tiny import CASES, added, draft, rule_that
from tests.workflows.story import ME


def facts(part: object) -> tuple[object, ...]:
    """Return all that a part is."""
    assert isinstance(part, Part)
    return part.kind, part.status, part.fields, part.parent, part.needs


def test_what_is_under_change_is_a_whole_copy_of_what_was_seen() -> None:
    flow = added(rule_that(sees=tuple(SLICES)), flow=SHELVES)
    snapshot = shelf("used: shut(loose) shut() opened()", "c")
    a, a1, b, c = snapshot.parts
    parts = (
        replace(a, needs=("b",), parent="b"), replace(a1, needs=("b",)), b,
        replace(c, needs=("a",), parent="b"),
    )  # fmt: skip
    event = Event("probe", ME, "a1")
    sheet = Draft(flow, look(flow, replace(snapshot, parts=parts), event), event, 0)

    for who, seen in (("part", parts[1]), ("parent", parts[0]), ("current", parts[3])):
        live = sheet.live_part(who)
        assert live is not seen
        assert facts(live) == facts(seen)


def test_all_of_a_kind_are_moved_wherever_they_are_held() -> None:
    sheet = on_shelf("used: opened() opened()", "a", "b")
    current = sheet.live_part("current")
    sheet.move_all("box", "lose")

    assert current is not None
    assert (sheet.part.status, current.status) == ("lost", "lost")


def test_a_field_that_lives_in_both_statuses_survives_the_move_between_them() -> None:
    (items,) = CASES.parts
    mark = Field("mark", 0, during=("waiting", "held"))
    since = Field("since", 0, during=("open", "busy"))
    flow = added(parts=(replace(items, fields=(*items.fields, mark)),), fields=(since,))
    one, all_of_them = (draft("open: waiting", flow=flow) for _ in range(2))
    for sheet in (one, all_of_them):
        sheet.write("part", "mark", 7)
        sheet.write("unit", "since", 7)
        sheet.fire("unit", "begin")
    one.fire("part", "take")
    all_of_them.move_all("item", "take")

    for sheet in (one, all_of_them):
        assert (sheet.unit.fields["since"], sheet.part.fields["mark"]) == (7, 7)
        sheet.move_all("item", "void")
        assert sheet.part.fields["mark"] == 0


def test_only_what_something_follows_from_is_kept_to_be_followed() -> None:
    sheet = draft("busy: waiting")
    sheet.fire("part", "take")
    before = sheet.reactions
    sheet.fire("unit", "drop")

    assert (before, sheet.reactions) == ((), (1,))


def test_the_current_part_may_be_the_part_itself_or_its_parent_and_exists_once() -> None:
    itself = on_shelf("used: opened()", "a", "a")
    assert itself.live("current") is itself.part

    below = on_shelf("used: opened(loose)", "a1", "a")
    assert below.live("current") is below.live("parent")
    below.fire("current", "pack")
    assert below.entries[-1] == Move("parent", "box", "pack", "opened", "packed", BY_EVENT)


def test_the_current_part_may_have_become_so_just_now() -> None:
    sheet = on_shelf("made: shut()", "a")
    sheet.write("unit", "current", "a")

    assert sheet.live("current") is sheet.part


def test_another_current_part_is_a_copy_of_what_was_seen() -> None:
    sheet = on_shelf("used: shut() opened()", "a", "b")
    sheet.fire("current", "lose")

    assert sheet.entries == [Move("current", "box", "lose", "opened", "lost", BY_EVENT)]
    seen, live = sheet.seen.current, sheet.live_part("current")
    assert isinstance(seen, Part)
    assert live is not None
    assert (seen.status, live.status) == ("opened", "lost")
    assert (live.fields, live.parent, live.needs) == (seen.fields, seen.parent, seen.needs)


def test_the_parent_may_be_the_current_part_of_a_rule_that_names_the_current_one_only() -> None:
    flow = added(rule_that(sees=("part", "current")), flow=SHELVES)
    event = Event("probe", ME, "a1")
    sheet = Draft(flow, look(flow, shelf("used: opened(loose)", "a"), event), event, 0)
    sheet.fire("current", "pack")

    assert sheet.entries == [Move("current", "box", "pack", "opened", "packed", BY_EVENT)]
