"""Whatever could lose an acknowledged commit is found, and nothing else."""

import pytest

from interlock.store.postgres.lasting import NO_STANDBY, Lasting, waits_less

FINE = {"fsync": "on", "full_page_writes": "on", "synchronous_standby_names": ""}
PAIR = {**FINE, "synchronous_standby_names": "ANY 1 (b)"}


@pytest.mark.parametrize(
    ("facts", "waits", "losses"),
    [
        (FINE, {"on"}, ()),
        (FINE, {"local", "remote_write"}, ()),
        (FINE, {"on", "off"}, ("synchronous_commit is off",)),
        ({**FINE, "fsync": "off"}, {"on"}, ("fsync",)),
        ({**FINE, "full_page_writes": "off"}, {"on"}, ("full_page_writes",)),
        (PAIR, {"on", "remote_apply"}, ()),
        (PAIR, {"on", "local"}, ("synchronous_commit is local",)),
        (PAIR, {"remote_write"}, ("synchronous_commit is remote_write",)),
    ],
)
def test_what_a_server_could_lose(
    facts: dict[str, str], waits: set[str], losses: tuple[str, ...]
) -> None:
    assert Lasting().losses(facts, waits) == losses


def test_a_standby_that_is_not_named_any_more_is_missed_until_one_is_named_again() -> None:
    lasting = Lasting()

    told = [lasting.losses(facts, {"on"}) for facts in (FINE, PAIR, FINE, FINE, PAIR)]

    assert told == [(), (), (NO_STANDBY,), (NO_STANDBY,), ()]


def test_settings_are_ranked_by_what_they_wait_for() -> None:
    assert waits_less("off", "local")
    assert waits_less("remote_write", "on")
    assert not waits_less("on", "on")
