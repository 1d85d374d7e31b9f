"""What a worker reports about the tasks of execution, where a story does not care."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final

Told = dict[str, Any]
SITE: Final = "site-1"
BASE: Final = "a" * 40
COMMAND: Final = "pytest"


def commit(*words: object) -> str:
    """Return a commit that follows from words."""
    return sha256(repr(words).encode()).hexdigest()[:40]


def run(command: str = COMMAND, exit_code: int | None = 0) -> Told:
    """Return a run of a command."""
    return {
        "command": command, "exit_code": exit_code, "timed_out": False, "seconds": 0.1,
        "output": "1 passed", "output_cut": False,
    }  # fmt: skip


def init(_: Told) -> Told:
    """Return the report of a tree that was made."""
    return {"site": SITE, "branch": "interlock/apples", "base_commit": BASE}


def check(_: Told) -> Told:
    """Return checks that are all well."""
    one = {"name": "tree", "category": "git", "result": "pass", "message": "It is clean."}
    return {"checks": [one]}


def plan(_: Told) -> Told:
    """Return a setup plan with a step and a probe."""
    step = {
        "id": "install", "title": "Install", "purpose": "To run.", "commands": ["make install"],
        "required": True, "rationale": "", "cautions": [],
    }  # fmt: skip
    commands = ("prepare", "test_full", "lint_full", "typecheck_full")
    return {
        "summary": "Install it.", "steps": [step],
        "readiness": {"status": "partial", "actions_required": True, "evidence": [], "gaps": []},
        "probes": [{"id": "import", "command": "make probe", "purpose": "It is there."}],
        "project_commands": {name: [] for name in commands}, "cautions": [],
    }  # fmt: skip


def prepare(_: Told) -> Told:
    """Return the report of a setup that went well."""
    runs = [run("make install"), run("make probe")]
    return {"status": "ready", "runs": runs, "added": [], "dirty": [], "note": ""}


def code(task: Told, **more: object) -> Told:
    """Return the report of a bead that was built on the head."""
    bead, head = task["bead"], task["tree"]["head"]
    checks = dict.fromkeys(("tests", "lint", "typecheck", "qualitative"), "pass")
    file = {"path": "shop.py", "status": "M", "added": 3, "removed": 1}
    return {
        "bead_id": bead["id"], "status": "done",
        "answer": {"bead_id": bead["id"], "status": "done", "checks": checks},
        "runs": [run(one) for one in bead["test_commands"]],
        "parent": head, "commit": commit(head, bead["id"]), "tree": commit("tree", head),
        "files": [file], "diff": "diff --git a/shop.py b/shop.py\n", "diff_cut": False,
    } | more  # fmt: skip


def final(task: Told, **more: object) -> Told:
    """Return the report of a final test that has passed, with a change of its own."""
    head = task["tree"]["head"]
    answer = {
        "commands": [COMMAND], "summary": "All of it.", "test_files": ["test_shop.py"],
        "modified_files": [], "file_effects": [], "tests_count": 1,
    }  # fmt: skip
    return {
        "status": "passed", "answer": answer, "runs": [run()], "parent": head,
        "commit": commit(head, "test"), "note": "",
    } | more  # fmt: skip


def integrate(task: Told) -> Told:
    """Return the report of a candidate."""
    head = task["tree"]["head"]
    return {
        "candidate": commit(head, "candidate"), "merge_base": BASE, "before": head, "commits": 3,
        "files": [], "diff": "", "diff_cut": False,
    }  # fmt: skip


def publish(task: Told) -> Told:
    """Return the report of a draft pull request."""
    return {
        "number": 7, "url": "local:7", "state": "draft", "head": task["candidate"],
        "base": "main", "title": "Sell apples", "body": "They are red.",
    }  # fmt: skip


def merge(task: Told) -> Told:
    """Return the report of a merge."""
    merged = commit(task["pull_request"]["head"], "merge")
    return {"merged": True, "merge_commit": merged, "base_head": merged, "by": "interlock"}


def clean(_: Told) -> Told:
    """Return the report of a clean-up."""
    return {"status": "clean", "removed": ["runtime"], "kept": ["vault.git"], "errors": []}


def restore(task: Told) -> Told:
    """Return the report of a tree that is as it was before, or as it was when it was green."""
    return {"restored": True, "finalise": task["finalise"] is not None}


REPORTS: Final[Mapping[str, Callable[[Told], Told]]] = {
    "init": init, "check": check, "plan": plan, "prepare": prepare, "code": code, "test": final,
    "integrate": integrate, "publish": publish, "merge": merge, "clean": clean,
    "restore": restore,
}  # fmt: skip
