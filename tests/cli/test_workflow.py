"""``interlock workflow``: list, show, check, diagram, export. What ``explain`` says: test_explained."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from interlock.kernel.draw.dot import dot
from interlock.kernel.draw.mermaid import mermaid
from interlock.kernel.export import export
from interlock.picture import drawn_from, origin
from interlock.workflows.built_in import BUILT_IN, WORKFLOWS
from tests.cli.terminal import UNSOUND, Said, ask, names, start, start_unsound


@pytest.fixture
def unsound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interlock.cli.bounds.BUILT_IN", UNSOUND)


def test_the_list_introduces_every_workflow() -> None:
    said = ask("workflow", "list")

    assert said.code == 0
    assert [name for name in names() if f"{name}: {WORKFLOWS[name].shape()}" not in said.out] == []


def test_the_list_as_data() -> None:
    rows = json.loads(ask("workflow", "list", "--json").out)

    assert [row["name"] for row in rows] == list(names())
    assert rows[0] == {
        "name": "plan",
        "about": WORKFLOWS["plan"].doc,
        "kinds": ["plan", "step"],
        "statuses": 6,
        "rules": 20,
    }


@pytest.mark.parametrize("name", names())
def test_a_workflow_is_shown(name: str) -> None:
    said = ask("workflow", "show", name)

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"{name}  {WORKFLOWS[name].shape()}\n{WORKFLOWS[name].doc}\n")


@pytest.mark.parametrize("name", names())
def test_what_is_shown_as_data_is_the_export(name: str) -> None:
    shown = ask("workflow", "show", name, "--json")
    exported = ask("workflow", "export", name)

    assert json.loads(shown.out) == json.loads(exported.out)
    assert json.loads(exported.out) == json.loads(json.dumps(export(WORKFLOWS[name])))


@pytest.mark.parametrize("command", ["show", "check", "diagram", "export"])
def test_an_unknown_workflow_is_wrong_use_everywhere(command: str) -> None:
    assert ask("workflow", command, "tiket") == Said(
        2,
        "",
        "UNKNOWN_WORKFLOW There is no workflow 'tiket'; did you mean 'ticket'?\n"
        "`interlock workflow list` shows all of them.\n",
    )


def test_a_check_without_findings_says_what_it_covered() -> None:
    said = ask("workflow", "check", "plan", "--steps", "1")
    lines = said.out.splitlines()

    assert (said.code, said.err) == (0, "")
    assert lines[:2] == ["plan: plan > step", "bounds    steps: 1"]
    assert lines[-1] == "No findings: within these bounds the workflow is sound."


def test_a_process_prints_one_json_document_and_nothing_else() -> None:
    said = start("workflow", "check", "plan", "--steps", "1", "--json")
    document = json.loads(said.out)

    assert (said.code, said.err) == (0, "")
    assert {"states", "moves", "decides", "bounds", "seconds", "findings"} <= set(document)
    assert document["findings"] == []
    assert document["bounds"]["steps"] == 1


def test_a_process_with_findings_prints_one_json_document_too() -> None:
    said = start_unsound("workflow", "check", "plan", "--json")
    (first, *_) = json.loads(said.out)["findings"]

    assert said.code == 1
    assert (first["kind"], first["where"]) == ("ILLEGAL_PAIR", "submit on planning, pending")
    assert [call["event"] for call in first["trace"]] == ["submit"]


@pytest.mark.usefixtures("unsound")
def test_findings_are_numbered_and_say_how_to_see_and_keep_them() -> None:
    said = ask("workflow", "check", "plan", "--steps", "1")

    assert said.code == 1
    assert "✕ 1 ILLEGAL_PAIR  submit on planning, pending" in said.out
    assert "interlock workflow check plan --steps 1 --picture 1" in said.err
    assert "interlock workflow check plan --steps 1 --pytest" in said.err


@pytest.mark.usefixtures("unsound")
def test_a_finding_is_drawn_alone_on_standard_output() -> None:
    said = ask("workflow", "check", "plan", "--picture", "1")

    assert said.code == 1
    assert said.out.startswith("<svg")
    assert said.out.rstrip().endswith("</svg>")


@pytest.mark.usefixtures("unsound")
def test_a_finding_is_drawn_into_a_file_beside_the_report(tmp_path: Path) -> None:
    path = tmp_path / "finding.svg"
    said = ask("workflow", "check", "plan", "--picture", "2", "-o", str(path))

    assert said.code == 1
    assert "findings." in said.out
    assert path.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.usefixtures("unsound")
def test_a_picture_does_not_disturb_the_json(tmp_path: Path) -> None:
    path = tmp_path / "finding.svg"
    said = ask("workflow", "check", "plan", "--json", "--picture", "1", "-o", str(path))
    refused = ask("workflow", "check", "plan", "--json", "--picture", "1")

    assert json.loads(said.out)["workflow"] == "plan"
    assert path.exists()
    assert (refused.code, refused.out) == (2, "")
    assert "--output" in refused.err


@pytest.mark.usefixtures("unsound")
def test_a_finding_that_is_not_there_is_wrong_use() -> None:
    said = ask("workflow", "check", "plan", "--picture", "99")

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("IMPOSSIBLE_BOUNDS There is no finding 99.\n")


def test_without_findings_nothing_is_drawn_and_no_test_is_written(tmp_path: Path) -> None:
    path = tmp_path / "test_findings.py"
    drawn = ask("workflow", "check", "plan", "--steps", "1", "--picture", "1")
    kept = ask("workflow", "check", "plan", "--steps", "1", "--pytest", str(path))

    assert drawn.code == 2
    assert "none can be drawn" in drawn.err
    assert (kept.code, path.exists()) == (0, False)
    assert kept.err == f"no findings, so {path} was not written\n"


BUILT_IN_LINE = "from interlock.workflows.built_in import BUILT_IN"
UNSOUND_LINE = "from tests.cli.terminal import UNSOUND as BUILT_IN"


@pytest.mark.usefixtures("unsound")
@pytest.mark.parametrize(
    ("line", "outcome"),
    [(UNSOUND_LINE, "failed"), (BUILT_IN_LINE, "passed")],
    ids=["hole", "mended"],
)
def test_each_finding_becomes_a_test_that_fails_until_the_workflow_is_mended(
    line: str, outcome: str, tmp_path: Path
) -> None:
    path = tmp_path / "test_findings.py"
    said = ask("workflow", "check", "plan", "--steps", "1", "--pytest", str(path))
    text = path.read_text(encoding="utf-8")
    count = text.count("def test_")
    # What was written names the built-in workflow, and that one has no hole.
    path.write_text(text.replace(BUILT_IN_LINE, line), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    # The file needs no plugin, and to load ours takes longer than to run it.
    around = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        command, capture_output=True, check=False, text=True, timeout=120, env=around
    )

    assert said.code == 1
    assert f"{count} findings." in said.out
    assert done.stdout.splitlines()[-1].startswith(f"{count} {outcome} in "), done.stdout


@pytest.mark.parametrize("name", names())
def test_a_workflow_is_drawn_as_svg(name: str) -> None:
    said = ask("workflow", "diagram", name)

    assert (said.code, said.err) == (0, "")
    assert drawn_from(said.out) == origin(dot(WORKFLOWS[name]))


@pytest.mark.parametrize("name", names())
def test_a_workflow_is_drawn_as_mermaid(name: str) -> None:
    said = ask("workflow", "diagram", name, "--format", "mermaid")

    assert said == Said(0, mermaid(WORKFLOWS[name]).rstrip() + "\n", "")


def test_another_format_is_wrong_use() -> None:
    said = ask("workflow", "diagram", "plan", "--format", "png")

    assert (said.code, said.out) == (2, "")
    assert "'svg'" in said.err
    assert "'mermaid'" in said.err


@pytest.mark.parametrize("command", ["diagram", "export"])
def test_what_is_written_to_a_file_is_not_printed(command: str, tmp_path: Path) -> None:
    path = tmp_path / "plan"
    said = ask("workflow", command, "plan", "--output", str(path))

    assert (said.code, said.out) == (0, "")
    assert said.err == f"wrote {path}\n"
    assert path.read_text(encoding="utf-8") == ask("workflow", command, "plan").out


def test_a_process_that_cannot_write_says_so(tmp_path: Path) -> None:
    said = start("workflow", "export", "plan", "-o", str(tmp_path / "none" / "plan.json"))

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("NOT_WRITABLE ")
    assert "Traceback" not in said.err


def test_the_usual_bound_of_a_check_is_said_in_the_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticket = BUILT_IN["ticket"]
    one = type(ticket)(ticket.flow, ticket.scope, ticket.bound, usual=1, most=2)
    monkeypatch.setattr("interlock.cli.bounds.BUILT_IN", {"ticket": one})
    document = json.loads(ask("workflow", "check", "ticket", "--json").out)

    assert document["bounds"]["beads"] == 1
