"""Reports as workers send them, for tests: good ones, to be spoilt one way at a time."""

from typing import Any, Final

Told = dict[str, Any]
BASE: Final = "a" * 40
NEXT: Final = "b" * 40
TREE: Final = "c" * 40
COMMANDS: Final = ("pytest -q", "ruff check")


def run(command: str, exit_code: int | None = 0, **more: object) -> Told:
    """Return a run of a command."""
    told: Told = {"command": command, "exit_code": exit_code, "timed_out": False, "seconds": 0.5}
    return told | {"output": "ok", "output_cut": False} | more


def code_answer(bead: str = "sell", **more: object) -> Told:
    """Return what a model says that has built a bead."""
    checks = dict.fromkeys(("tests", "lint", "typecheck", "qualitative"), "pass")
    return {"bead_id": bead, "status": "done", "checks": checks} | more


def bead_report(bead: str = "sell", **more: object) -> Told:
    """Return the report of a bead that was built."""
    return {
        "bead_id": bead, "status": "done", "answer": code_answer(bead),
        "runs": [run(one) for one in COMMANDS], "parent": BASE, "commit": NEXT, "tree": TREE,
        "files": [{"path": "shop.py", "status": "M", "added": 3, "removed": 1}], "diff": "diff",
        "diff_cut": False, "refused": [],
    } | more  # fmt: skip


def final_answer(*commands: str) -> Told:
    """Return what a model says that has tested a ticket."""
    return {
        "commands": list(commands or COMMANDS), "summary": "All of it.", "test_files": [],
        "modified_files": [], "file_effects": [], "tests_count": 3,
    }  # fmt: skip


def final_report(**more: object) -> Told:
    """Return the report of a final test that has passed."""
    return {
        "status": "passed", "answer": final_answer(), "runs": [run(one) for one in COMMANDS],
        "parent": BASE, "commit": "", "note": "",
    } | more  # fmt: skip


def setup_plan(**more: object) -> Told:
    """Return a setup plan as a model drafts it."""
    step = {
        "id": "deps", "title": "Dependencies", "purpose": "To import.", "commands": ["pip install ."],
        "required": True, "rationale": "", "cautions": [],
    }  # fmt: skip
    return {
        "summary": "Install it.",
        "readiness": {"status": "partial", "actions_required": True, "evidence": [], "gaps": []},
        "steps": [step, {**step, "id": "nice", "commands": ["make nice"], "required": False}],
        "probes": [{"id": "import", "command": "python -c 'import shop'", "purpose": "It imports."}],
        "project_commands": {
            "prepare": [], "test_full": ["pytest"], "lint_full": [], "typecheck_full": [],
        },
        "cautions": [],
    } | more  # fmt: skip


def setup_report(**more: object) -> Told:
    """Return the report of a setup that went well."""
    commands = ("pip install .", "make nice", "python -c 'import shop'")
    return {
        "status": "ready", "runs": [run(one) for one in commands], "added": [], "dirty": [],
        "note": "",
    } | more  # fmt: skip
