"""The list of commands: whole, unambiguous, and true to the tables of the workflows."""

import json
import re
from collections import Counter

from interlock.commands import (
    audit,
    board,
    gates,
    health,
    hooks,
    library,
    logs,
    people,
    plans,
    project,
    queue,
    records,
    skills,
    tokens,
    work,
    workflows,
)
from interlock.commands.all import COMMANDS
from interlock.commands.mission import rows as mission
from interlock.commands.plan import rows as plan
from interlock.commands.row import PEOPLE
from interlock.commands.ticket import rows as ticket
from interlock.wire.envelope import Asking
from interlock.workflows.built_in import WORKFLOWS


def test_every_command_of_every_noun_is_there_once() -> None:
    rows = [
        *plan.COMMANDS, *plans.COMMANDS, *mission.COMMANDS, *project.COMMANDS, *ticket.COMMANDS, *library.COMMANDS,
        *skills.COMMANDS, *work.COMMANDS, *queue.COMMANDS, *logs.COMMANDS, *board.COMMANDS, *audit.COMMANDS, *records.COMMANDS, *workflows.COMMANDS, *gates.COMMANDS, *tokens.COMMANDS,
        *people.COMMANDS, *hooks.COMMANDS, *health.COMMANDS,
    ]  # fmt: skip

    assert [row.name for row in rows] == list(COMMANDS)
    assert len({row.name for row in rows}) == len(rows)
    words = [row.words for row in rows if row.words]
    assert len(set(words)) == len(words)


def test_every_row_says_what_it_is_for() -> None:
    assert [row.name for row in COMMANDS.values() if not row.doc.endswith(".")] == []
    assert {row.toolset for row in COMMANDS.values()} == {
        "research", "mission", "ticket", "work", "every", "people",
    }  # fmt: skip


def test_what_changes_something_names_its_event_and_takes_a_request_id() -> None:
    for row in COMMANDS.values():
        # What is told beside the work moves no unit, so it sends no event.
        is_people = row.toolset == PEOPLE and row.name != "delete_unit"
        is_people = is_people or row in project.COMMANDS
        is_beside = row in skills.COMMANDS or row in logs.COMMANDS or is_people
        assert bool(row.event) != (row.is_read or is_beside), row.name
        # What answers a request id is kept; an answer that holds a secret must not be.
        is_kept = not row.is_read and not is_people
        assert issubclass(row.takes, Asking) == is_kept, row.name


ADMIN_READS = {
    "list_calls", "list_tokens", "list_users", "list_invitations", "list_sessions", "list_acts",
    "list_webhooks", "list_deliveries",
}  # fmt: skip
"""Reads that not everybody who can read may make."""


def test_every_row_has_one_place_over_http_and_no_two_have_the_same() -> None:
    for row in COMMANDS.values():
        assert re.fullmatch(r"(GET|POST|PUT|DELETE) (/([a-z-]+|\{[a-z_]+\}))+", row.http), row.name
    # Whatever stands in braces, the same requests would come there.
    shapes = Counter(re.sub(r"\{\w+\}", "{}", row.http) for row in COMMANDS.values())

    assert [http for http, count in shapes.items() if count > 1] == []


def test_what_stands_in_a_path_is_a_field_that_must_be_given() -> None:
    for row in COMMANDS.values():
        fields = row.takes.model_fields
        assert [name for name in row.in_path if not fields[name].is_required()] == [], row.name
        assert len(set(row.in_path)) == len(row.in_path), row.name


def test_only_reads_are_got_and_all_of_them() -> None:
    got = {row.name for row in COMMANDS.values() if row.method == "GET"}

    assert got == {row.name for row in COMMANDS.values() if row.scope == "read"} | ADMIN_READS
    assert [row.name for row in COMMANDS.values() if row.marks and not row.is_read] == []


def test_every_event_is_one_that_the_tables_know() -> None:
    nouns = {"plan": plan.COMMANDS, "mission": mission.COMMANDS, "ticket": ticket.COMMANDS}
    for name, rows in nouns.items():
        for row in rows:
            if row.event not in ("", "begin"):
                rule = WORKFLOWS[name].rule(row.event)
                assert rule is not None, row.name
                assert rule.command.split()[0] == row.name
    verbs = {verb for one in WORKFLOWS.values() for kind in one.parts for verb in kind.verbs}
    for row in work.COMMANDS:
        assert row.event in verbs | {"", "claim"}, row.name


def test_what_takes_nothing_away_says_so_and_no_read_needs_to() -> None:
    may_destroy = [row.name for row in COMMANDS.values() if not (row.adds_only or row.is_read)]

    assert may_destroy == [
        "take_over_step", "submit_user_decision", "modify_plan", "fail_plan", "edit_mission",
        "set_asset", "revise_hop", "withdraw_hop", "reject_hop", "request_changes", "reset_hop", "delete_hop",
        "archive_hop", "submit_resolution", "fail_resolution", "execute_hop", "mark_hop_complete",
        "complete_early", "fix_hop", "abandon_recovery", "cancel", "reset_mission",
        "edit_project", "archive_project", "edit_ticket", "start", "skip_question", "skip_all", "edit_answer",
        "save_artifact", "approve", "reopen", "retry", "regenerate_setup_plan", "merge", "close_unmerged",
        "finish", "raise_budget", "report_merge", "fail_work",
        "take_over_work", "decide_gate", "revoke_token", "withdraw_invitation", "set_role", "disable_user",
        "enable_user", "end_session", "rename_tenant", "delete_unit", "disable_webhook", "delete_webhook",
        "void_gate_links",
    ]  # fmt: skip
    assert [row.name for row in COMMANDS.values() if row.adds_only and row.is_read] == []
    assert [row.name for row in COMMANDS.values() if row.reaches_out] == ["extract_data"]


def test_a_pattern_means_the_same_to_everybody_who_reads_it() -> None:
    """To JSON Schema the short classes are ASCII, to us they are all of Unicode."""
    for row in COMMANDS.values():
        told = json.dumps(row.takes.model_json_schema())
        assert not re.search(r'"pattern": "[^"]*\\\\[wWdDsSbB]', told), row.name
