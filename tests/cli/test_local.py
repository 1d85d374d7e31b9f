"""How the command line reaches the engine: settings, one call, and what is shown of the answer."""

import re
from pathlib import Path

import pytest

from interlock.cli.local import plain
from tests.cli.home import Home
from tests.cli.terminal import ask
from tests.doors.mcp.clients import serving


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("as it is", "as it is"),
        ("[bold]no[/bold]", r"\[bold]no\[/bold]"),
        ("\x1b[31mred\x07", "�[31mred�"),
        ("two\nlines\r", "two\nlines�"),
        (7, "7"),
        (None, "None"),
    ],
)
def test_text_of_others_is_only_shown(text: object, shown: str) -> None:
    assert plain(text) == shown


def test_a_flag_beats_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLOCK_DATA", str(tmp_path / "environment"))
    ask("--data", str(tmp_path / "flag"), "list")
    assert [path.name for path in tmp_path.iterdir()] == ["flag"]

    ask("list")
    assert (tmp_path / "environment" / "interlock.db").exists()


def test_with_json_exactly_one_document_is_printed(tmp_path: Path) -> None:
    home = Home(tmp_path)
    plan = home.plan()

    answer = home.told("plan", "status", plan)

    assert answer["status"] == "planning"
    assert "durability" not in answer
    assert "receipt" not in answer


def test_without_it_the_next_action_comes_last(tmp_path: Path) -> None:
    home = Home(tmp_path)
    plan = home.plan()

    said = home.ask("plan", "status", plan)

    assert said.out.splitlines() == [
        "A plan  planning, 0 % done",
        "  ·   1  first  pending",
        "  ·   2  second  pending",
        "next  Call get_next_step with plan_id to go on.",
    ]


def test_what_may_be_lost_is_said_with_every_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    plan = home.plan()
    monkeypatch.setenv("INTERLOCK_SYNCHRONOUS", "off")
    monkeypatch.setenv("INTERLOCK_ALLOW_DEGRADED", "yes")

    for words in (("plan", "status", plan), ("plan", "next", plan), ("list",), ("explain", plan)):
        assert home.told(*words)["durability"] == "degraded"
        assert "durability: degraded  acknowledged work may be lost" in home.ask(*words).out


def test_a_weak_setting_that_nobody_accepted_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERLOCK_SYNCHRONOUS", "off")

    said = Home(tmp_path).ask("list")

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("CONFIG_ERROR INTERLOCK_SYNCHRONOUS: 'off' may lose acknowledged")
    assert list(tmp_path.iterdir()) == []


def test_a_token_decides_who_is_calling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path)
    plan = home.plan()
    secret = str(home.told("token", "create", "reader", "--scope", "read")["token"])
    monkeypatch.setenv("INTERLOCK_TOKEN", secret)

    assert home.told("plan", "status", plan)["status"] == "planning"
    said = home.ask("plan", "next", plan)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("NOT_ALLOWED get_next_step needs the scope 'work'")


def test_a_claim_takes_what_was_left_before_what_is_pending(tmp_path: Path) -> None:
    home = Home(tmp_path)
    file = tmp_path / "plan.json"
    steps = '[{"instructions": "a", "stall_after": 1}, {"instructions": "b"}]'
    file.write_text(f'{{"name": "n", "research_question": "q", "steps": {steps}}}')
    made = home.told("plan", "create", "--file", str(file))["data"]
    assert isinstance(made, dict)
    plan = str(made["plan_id"])
    step, lease = home.claim(plan)
    home.sql("UPDATE parts SET due = 1 WHERE due IS NOT NULL")

    again, other = home.claim(plan)

    assert (again, other != lease) == (step, True)


def test_a_server_is_spoken_to_as_this_process_would_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = Home(tmp_path / "here"), Home(tmp_path / "there")
    words = ("token", "create", "pat", "--kind", "user", "--scope", "read", "--scope", "work")
    secret = str(there.told(*words)["token"])
    with serving(tmp_path / "there") as server:
        monkeypatch.setenv("INTERLOCK_SERVER", server.url)
        monkeypatch.setenv("INTERLOCK_TOKEN", secret)
        remote = Home(tmp_path / "nothing")
        said = [_story(remote)]
        only = remote.ask("audit", "verify")
        monkeypatch.delenv("INTERLOCK_TOKEN")
        stranger = remote.ask("list")
        monkeypatch.delenv("INTERLOCK_SERVER")
        said.append(_story(here))

    assert said[0] == said[1]
    assert not (tmp_path / "nothing" / "interlock.db").exists()
    assert (only.code, only.err.split()[0]) == (2, "ONLY_HERE")
    assert (stranger.code, stranger.err.split()[0]) == (2, "UNAUTHENTICATED")


def _story(home: Home) -> list[str]:
    """Work on a plan; return what was said, without what differs from plan to plan."""
    plan = home.plan()
    step, lease = home.claim(plan)
    handed_in = ("--lease", lease, "--summary", "s")
    said = [
        home.ask("plan", "status", plan),
        home.ask("plan", "submit", step, *handed_in),
        home.ask("plan", "submit", step, *handed_in),
        home.ask("plan", "show", plan),
        home.ask("plan", "next", "plan-000000000000"),
        home.ask("explain", plan),
    ]
    return [
        re.sub(r"[a-z]+-[0-9a-z]{12}|\w{6}\.\d|\d\d:\d\d\S*|owner", "…", f"{one.code}{one.out}{one.err}")
        for one in said
    ]  # fmt: skip
