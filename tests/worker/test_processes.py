"""Real workers on a real server: killed, told to stop, cut off; nothing is lost or done twice."""

import signal
import time
from pathlib import Path
from typing import Final

from tests.worker.shop import LEASE_MS, PATIENCE_S, Shop, is_alive, open_shop, wait_for

LEASED: Final = {"INTERLOCK_LEASE_MS": str(LEASE_MS)}


def shop_of(folder: Path, *kinds: str, database: str = "") -> Shop:
    """Make a mission with a tool step for each; one that waits does so until it may go."""
    calls = ({"until": str(folder / "go")} if one == "waits" else {} for one in kinds)
    return open_shop(folder, *calls, database=database)


def test_a_chain_is_run_in_order_and_once_however_many_slots_there_are(tmp_path: Path) -> None:
    shop = shop_of(tmp_path, "ends", "ends")
    with shop.base.serving(**LEASED) as server, shop.workers() as start:
        start(server.url, "--slots", "3")
        wait_for(lambda: shop.statuses()[0] == "COMPLETED")

    assert shop.statuses() == ["COMPLETED", "COMPLETED", "COMPLETED"]
    assert len(shop.runs()) == 2


def test_what_fails_in_passing_is_tried_again_in_place(tmp_path: Path) -> None:
    shop = open_shop(tmp_path, {"fails": 2})
    with shop.base.serving(**LEASED) as server, shop.workers() as start:
        worker = start(server.url)
        wait_for(lambda: shop.statuses()[0] == "COMPLETED")
        worker.send_signal(signal.SIGTERM)
        _, said = worker.communicate(timeout=PATIENCE_S)

    assert len(shop.runs()) == 3
    assert shop.count("claim_tool_step") == 1
    assert "attempt 3" in said


def test_a_worker_that_is_killed_takes_its_tool_along_and_another_one_goes_on(
    tmp_path: Path,
    where: str,
) -> None:
    shop = shop_of(tmp_path, "ends", "waits", database=where)
    with shop.base.serving(**LEASED) as server, shop.workers() as start:
        first = start(server.url)
        wait_for(lambda: len(shop.runs()) == 2)
        first.kill()
        first.wait()
        wait_for(lambda: not is_alive(shop.runs()[1]))
        start(server.url)
        wait_for(lambda: len(shop.runs()) == 3)
        shop.go.touch()
        wait_for(lambda: shop.statuses()[0] == "COMPLETED")

    # What was completed before is not run again, and the output was written once.
    assert len(shop.runs()) == 3
    assert shop.count("submit_tool_result") == 2
    assert shop.count("lapse_tool_step") == 1
    assert shop.made() == (1, 1)


def test_one_that_is_told_to_stop_hands_in_what_it_runs_and_takes_nothing_new(
    tmp_path: Path,
) -> None:
    shop = shop_of(tmp_path, "waits", "ends")
    with shop.base.serving(**LEASED) as server, shop.workers() as start:
        worker = start(server.url)
        wait_for(shop.runs)
        worker.send_signal(signal.SIGTERM)
        # Longer than a lease lasts: it is kept while we wait.
        until = time.monotonic() + 2 * LEASE_MS / 1000
        wait_for(lambda: time.monotonic() > until)
        shop.go.touch()
        assert worker.wait(PATIENCE_S) == 0

    assert shop.statuses() == ["EXECUTING_HOP", "COMPLETED", "READY_TO_EXECUTE"]
    assert shop.count("lapse_tool_step") == 0


def test_what_does_not_end_within_the_grace_is_given_back_at_once(tmp_path: Path) -> None:
    shop = shop_of(tmp_path, "waits")
    with shop.base.serving() as server, shop.workers() as start:
        worker = start(server.url, INTERLOCK_WORKER_GRACE_S="1")
        wait_for(shop.runs)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(PATIENCE_S) == 0
        assert not is_alive(shop.runs()[0])
        start(server.url)
        wait_for(lambda: len(shop.runs()) == 2)
        shop.go.touch()
        wait_for(lambda: shop.statuses()[0] == "COMPLETED")

    assert shop.count("release_tool_step") == 1


def test_told_twice_it_ends_at_once(tmp_path: Path) -> None:
    shop = shop_of(tmp_path, "waits")
    with shop.base.serving() as server, shop.workers() as start:
        worker = start(server.url)
        wait_for(shop.runs)
        worker.send_signal(signal.SIGTERM)
        worker.send_signal(signal.SIGINT)
        assert worker.wait(PATIENCE_S) == 1

    assert not is_alive(shop.runs()[0])


def test_a_server_that_is_killed_and_comes_back_gets_the_result_once(
    tmp_path: Path, where: str
) -> None:
    shop = shop_of(tmp_path, "waits", "ends", database=where)
    with shop.workers() as start:
        with shop.base.serving() as server:
            start(server.url, INTERLOCK_WORKER_HEARTBEAT_S="1")
            wait_for(shop.runs)
            server.process.kill()
        shop.go.touch()
        wait_for(lambda: not is_alive(shop.runs()[0]))
        with shop.base.serving("--port", str(server.port)):
            wait_for(lambda: shop.statuses()[0] == "COMPLETED")

    # The hop goes on where it was: the step that ran is handed in once, the next one follows.
    assert len(shop.runs()) == 2
    assert shop.count("submit_tool_result") == 2
    assert shop.made() == (1, 1)


def test_a_cancel_reaches_a_tool_that_runs(tmp_path: Path) -> None:
    shop = shop_of(tmp_path, "waits")
    with shop.base.serving() as server, shop.workers() as start:
        worker = start(server.url, INTERLOCK_WORKER_HEARTBEAT_S="1")
        wait_for(shop.runs)
        shop.order("cancel", id=shop.mission, reason="enough")
        # Within our patience: it would itself run until the test ends.
        wait_for(lambda: not is_alive(shop.runs()[0]))
        worker.send_signal(signal.SIGTERM)
        _, said = worker.communicate(timeout=PATIENCE_S)

    assert "lost: " in said
    assert shop.statuses() == ["CANCELLED", "CANCELLED"]
    assert shop.count("submit_tool_result") == 0


def test_a_result_that_no_command_could_hand_in_fails_the_step_once(tmp_path: Path) -> None:
    shop = open_shop(tmp_path, {"text": "0123456789" * 1000, "times": 500})
    with shop.base.serving(**LEASED) as server, shop.workers() as start:
        worker = start(server.url)
        wait_for(lambda: shop.statuses() == ["EXECUTING_HOP", "FAILED"])
        worker.send_signal(signal.SIGTERM)
        _, said = worker.communicate(timeout=PATIENCE_S)

    assert len(shop.runs()) == shop.count("submit_tool_result") == 1
    assert "note validation in " in said
    error = shop.error()
    assert error["class"] == "validation"
    assert "5,000,012 bytes" in error["message"]
    assert "body_bytes_max" in error["detail"]
