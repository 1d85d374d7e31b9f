"""``interlock worker``: whom it works for, as whom, and how it ends where it cannot."""

import json
import signal
from pathlib import Path

from interlock.cli.worker import Jobs
from interlock.config import Settings, load
from interlock.sources import variable
from interlock.worker.agents.script import Script
from interlock.worker.agents.scripted import Scripted
from interlock.worker.work import Wanted
from tests.cli.home import Home
from tests.cli.terminal import start
from tests.doors.mcp.clients import command, environment
from tests.forking import PIPE, Process
from tests.worker.shop import MODULE, PATIENCE_S, open_shop, wait_for


def test_it_must_be_told_what_to_run(tmp_path: Path) -> None:
    said = Home(tmp_path).ask("worker")

    assert (said.code, said.out) == (2, "")
    assert "--tools" in said.err
    assert "--agents" in said.err


def test_agents_must_be_there_and_have_their_keys(tmp_path: Path) -> None:
    none = Home(tmp_path).ask("worker", "--agents")
    (tmp_path / "interlock.toml").write_text(
        '[agents.big]\nkind = "openai"\nurl = "http://127.0.0.1:1/v1"\nkey_env = "NO_SUCH_KEY"\n'
    )
    keyless = start("--data", str(tmp_path), "worker", "--agents")

    assert none.err.startswith("NO_AGENT The settings name no agent")
    assert keyless.err.startswith("NO_AGENT The agent big has no key: NO_SUCH_KEY")
    assert (none.code, keyless.code) == (2, 2)


def test_it_asks_for_its_members_or_for_whatever_comes_and_for_working_trees_if_told() -> None:
    crew = {"demo": Scripted(Script("s.yaml", {}))}
    ada = Wanted("ticket", member="ada", site="here")
    bob = Wanted("ticket", member="bob", site="here")
    trees = Wanted("ticket", role="workspace", site="here")

    assert Jobs(crew, ("ada", "bob"), has_tools=True).wanted("here") == (ada, bob)
    assert Jobs(crew, (), has_tools=False).wanted("here") == (Wanted("ticket", site="here"),)
    assert Jobs(crew, ("ada",), has_tools=False, has_hands=True).wanted("here") == (ada, trees)
    assert Jobs({}, ("ada",), has_tools=True).wanted("here") == ()
    assert Jobs({}, (), has_tools=False, has_hands=True).wanted("here") == (trees,)


def test_one_that_asks_agents_waits_for_work_until_it_is_told_to_stop(tmp_path: Path) -> None:
    shop = open_shop(tmp_path, {})
    folder = tmp_path / "w"
    folder.mkdir()
    (folder / "answers.yaml").write_text("members: {}\n")
    (folder / "interlock.toml").write_text(
        '[agents.demo]\nkind = "scripted"\nfile = "answers.yaml"\n'
    )
    told = environment() | {"INTERLOCK_TOKEN": shop.token, "INTERLOCK_TOOLS": MODULE}
    with shop.base.serving() as server:
        line = command(
            folder, "worker", "--agents", "--tools", "--member", "ada", "--server", server.url
        )
        with Process(line, told, stderr=PIPE) as worker:
            # It comes back for the tool step after it has asked for the member's work.
            wait_for(lambda: shop.statuses()[0] == "COMPLETED")
            worker.send_signal(signal.SIGINT)
            _, said = worker.communicate(timeout=PATIENCE_S)

    assert worker.returncode == 0, said
    assert "note done in" in said


def test_how_it_works_can_be_set(tmp_path: Path) -> None:
    given = {
        "worker": "no", "worker_slots": "3", "worker_grace_s": "4", "worker_heartbeat_s": "5",
        "worker_retry_ms": "6", "worker_retry_max_ms": "7",
    }  # fmt: skip
    found = load({"data": tmp_path}, {variable(name): value for name, value in given.items()})

    assert found == Settings(
        tmp_path, worker=False, worker_slots=3, worker_grace_s=4, worker_heartbeat_s=5,
        worker_retry_ms=6, worker_retry_max_ms=7,
    )  # fmt: skip


def test_without_a_server_or_a_token_it_says_what_is_missing(tmp_path: Path) -> None:
    nobody = Home(tmp_path).ask("worker", "--tools")
    nameless = Home(tmp_path).ask("worker", "--tools", "--server", "http://127.0.0.1:1")

    assert nobody.err.startswith("NO_SERVER No server is named")
    assert nameless.err.startswith("NO_SERVER There is no token")
    assert (nobody.code, nameless.code) == (2, 2)


def test_a_number_of_slots_that_is_none_is_refused(tmp_path: Path) -> None:
    said = Home(tmp_path).ask("worker", "--tools", "--slots", "0")

    assert said.code == 2
    assert "--worker-slots" in said.err or "slots" in said.err


def test_a_token_that_is_not_good_ends_it(tmp_path: Path) -> None:
    shop = open_shop(tmp_path, {})
    with shop.base.serving() as server:
        words = ("--data", str(tmp_path / "w"), "worker", "--tools", "--server", server.url)
        said = start(*words, INTERLOCK_TOKEN="il_" + 40 * "7")

    assert said.code == 2
    assert "UNAUTHENTICATED" in said.err


def test_beside_a_server_it_finds_it_by_itself_and_tells_a_line_of_json_for_each_work(
    tmp_path: Path,
) -> None:
    shop = open_shop(tmp_path, {})
    told = environment() | {"INTERLOCK_TOOLS": MODULE}
    line = command(shop.base.folder, "worker", "--tools")
    with shop.base.serving():
        (shop.base.folder / "worker.token").write_text(shop.token)
        with Process(line, told, stderr=PIPE) as worker:
            wait_for(lambda: shop.statuses()[0] == "COMPLETED")
            worker.send_signal(signal.SIGINT)
            _, said = worker.communicate(timeout=PATIENCE_S)

    lines = [json.loads(one) for one in said.splitlines()]
    (work,) = [one for one in lines if one["message"].startswith("tool_step ")]
    assert worker.returncode == 0
    assert "note done in" in work["message"]
    assert work["part"].startswith(shop.mission)
    assert shop.token not in said
