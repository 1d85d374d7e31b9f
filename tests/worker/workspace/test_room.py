"""The site: its name stays, what is half is removed, and what others are at is left alone."""

from pathlib import Path

from interlock.clock import SystemClock
from interlock.worker.workspace.locks import taken
from interlock.worker.workspace.room import SITE_ID, Site
from tests.worker.workspace.ground import TICKET, done, gathered, ground


def opened(data: Path) -> Site:
    return done(Site.open(data, SystemClock()))


def test_a_site_has_one_name_for_ever(tmp_path: Path) -> None:
    first, second = gathered(*(Site.open(tmp_path, SystemClock()) for _ in range(2)))
    assert first.id == second.id == opened(tmp_path).id
    assert SITE_ID.fullmatch(first.id)
    assert opened(tmp_path / "other").id != first.id
    (tmp_path / "site").write_text("nonsense")
    assert SITE_ID.fullmatch(opened(tmp_path).id)


def test_what_is_half_is_removed_and_asking_twice_changes_nothing(tmp_path: Path) -> None:
    here = ground(tmp_path)
    room = here.site.room
    for name in (f"{TICKET}.making-abc", "ticket-other.making-1", f"{TICKET}/trees/3.making-x"):
        (room / name / "deep").mkdir(parents=True)
    (room / ".locks" / "ticket-long-gone").touch()
    (room / "notes").mkdir()

    found = done(here.site.reconcile({"ticket-b"}))
    assert sorted(found.removed) == [
        "3.making-x", f"{TICKET}.making-abc", "ticket-other.making-1",
    ]  # fmt: skip
    assert found.unknown == (TICKET,)
    assert sorted(one.name for one in room.iterdir()) == [".locks", "notes", TICKET]
    assert [one.name for one in (room / ".locks").iterdir()] in ([], [TICKET])
    assert done(here.site.reconcile({TICKET})) == ((), ())
    assert here.look().is_clean


def test_what_somebody_makes_right_now_is_left_alone(tmp_path: Path) -> None:
    site = opened(tmp_path)
    (site.room / "ticket-a.making-1").mkdir()
    assert taken(site.room / ".locks" / "ticket-a") is not None
    assert done(site.reconcile()).removed == ()
    assert (site.room / "ticket-a.making-1").exists()


def test_trees_are_told_by_their_tickets(tmp_path: Path) -> None:
    here = ground(tmp_path)
    assert here.site.trees() == (TICKET,)
    with here.site.intents("worker-a") as intents:
        assert intents.left() == ()


def test_a_tree_and_its_home_are_found_where_they_are(tmp_path: Path) -> None:
    here = ground(tmp_path)
    tree = here.site.tree(TICKET)

    assert here.site.around(TICKET) == (tree.folder, tree.home)
    assert here.site.around("ticket-other") == (None, None)
    assert here.site.around("../x") == (None, None)
