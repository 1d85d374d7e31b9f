"""The demo's feature: a small Python repository, and the script of an agent that adds to it.

A till that knows prices learns to add up, to give a discount and to print a receipt: three beads,
the second of which is wrong at first. Everything the agent says stands here; what it has written
is tested by the worker and not believed.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

MEMBER: Final = "ada"
AGENT: Final = "demo"
BRANCH: Final = "main"
TITLE: Final = "Print receipts with a discount"
SEED: Final = "receipts-1"
PYTHON: Final = "python3 -m unittest -q"

Told = dict[str, Any]

REPOSITORY: Final[Mapping[str, str]] = {
    "till.py": '''"""A till: what things cost, in cents."""

PRICES = {"apple": 50, "pear": 70}


def price(name):
    """Return what one of them costs."""
    return PRICES[name]
''',
    "test_till.py": """import unittest

import till


class Prices(unittest.TestCase):
    def test_an_apple_has_a_price(self):
        self.assertEqual(till.price("apple"), 50)
""",
    ".gitignore": "__pycache__/\n",
}

BASKET: Final = {
    "basket.py": '''"""What is in a basket, added up."""

import till


def total(names):
    """Return what several things cost together."""
    return sum(till.price(name) for name in names)
''',
    "test_basket.py": """import unittest

import basket


class Total(unittest.TestCase):
    def test_prices_are_added_up(self):
        self.assertEqual(basket.total(["apple", "pear", "apple"]), 170)
""",
}
TEST_DISCOUNT: Final = """import unittest

import discount


class Reduced(unittest.TestCase):
    def test_a_tenth_of_the_price_is_taken_off(self):
        self.assertEqual(discount.reduced(170, 10), 153)
"""
DISCOUNT: Final = '''"""Prices that are reduced."""


def reduced(cents, percent):
    """Return what is left of a price."""
    return {formula}
'''
WRONG: Final = {
    "discount.py": DISCOUNT.format(formula="cents - percent"),
    "test_discount.py": TEST_DISCOUNT,
}
RIGHT: Final = {
    "discount.py": DISCOUNT.format(formula="cents - cents * percent // 100"),
    "test_discount.py": TEST_DISCOUNT,
}
RECEIPT: Final = {
    "receipt.py": '''"""Receipts, as they are printed."""

import basket
import discount


def receipt(names, percent=0):
    """Return a receipt as text."""
    cents = discount.reduced(basket.total(names), percent)
    return f"{len(names)} things: {cents // 100}.{cents % 100:02d}"
''',
    "test_receipt.py": """import unittest

import receipt


class Receipt(unittest.TestCase):
    def test_it_says_how_many_and_how_much(self):
        said = receipt.receipt(["apple", "pear", "apple"], 10)
        self.assertEqual(said, "3 things: 1.53")
""",
}

BEADS: Final[Mapping[str, tuple[str, Sequence[Mapping[str, str]]]]] = {
    "basket-total": ("Add up a basket", (BASKET,)),
    "discount": ("Give a discount", (WRONG, RIGHT)),
    "receipt": ("Print a receipt", (RECEIPT,)),
}
"""By id the title of a bead, and what each attempt at it writes."""


def make_repository(folder: Path) -> Path:
    """Make a bare repository with the till; return where it is."""
    source, bare = folder / "till", folder / "till.git"
    source.mkdir(parents=True)
    for name, text in REPOSITORY.items():
        (source / name).write_text(text, encoding="utf-8")
    _git(source, "init", "--quiet", "--initial-branch", BRANCH)
    _git(source, "add", "--all")
    _git(source, "commit", "--quiet", "--message", "A till")
    _git(folder, "clone", "--quiet", "--bare", str(source), str(bare))
    return bare


def check_out(bare: Path, folder: Path) -> Path:
    """Check the base branch out of a repository; return where."""
    _git(bare, "clone", "--quiet", "--branch", BRANCH, str(bare), str(folder))
    return folder


def read_git(folder: Path, *words: str) -> str:
    """Return what git says of a repository of the demo."""
    return _git(folder, *words)


def _git(folder: Path, *words: str) -> str:
    who = {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@localhost"}
    who |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in who.items()}
    nobodys = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    around = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder), **who, **nobodys}
    line = ["git", "-C", str(folder), *words]
    done = subprocess.run(line, env=around, capture_output=True, text=True, check=True)  # noqa: S603 (our own words)
    return done.stdout.strip()


# -- what the agent says -------------------------------------------------------------------------


def script() -> Told:
    """Return the whole script of the agent, for a file of answers."""
    said = {key: {"answer": answer} for key, answer in _planning().items()}
    said["plan"] = {"answer": _setup()}
    for name, (_, attempts) in BEADS.items():
        for number, files in enumerate(attempts, 1):
            said[f"code:{name}#{number}"] = {"answer": _done(name), "files": dict(files)}
        # Killed and tried again it still knows how.
        said[f"code:{name}"] = {"answer": _done(name), "files": dict(attempts[-1])}
    said["test"] = {"answer": _tested()}
    said["publish"] = {"answer": _request()}
    return {"members": {MEMBER: said}}


def project(repository: str) -> Told:
    """Return what makes the project of the demo."""
    member = {"name": MEMBER, "agent": AGENT, "model": ""}
    return {
        "name": "till", "repository": repository, "base_branch": BRANCH, "members": [member],
        "limits": {"quorum": 1},
    }  # fmt: skip


def _planning() -> Mapping[str, Told]:
    question = {"id": "Q01", "phase": "foundation", "question": "How much is taken off?"}
    asked = {**question, "answer_type": "free_text"}
    clean: Told = {"status": "clean", "gaps": []}
    seen = {
        "path": "till.py", "rationale": "It knows the prices.", "relevance": "high",
        "likely_action": "read", "content_preview": "def price(name): ...",
    }  # fmt: skip
    return {
        "scan": {"files": [seen]},
        "interview/draft": {"questions": [question]},
        "interview/refine": {"questions": [question], "changes": []},
        "interview/batch": {"complete": True},
        "interview/batch#1": {
            "questions": [asked],
            "commentary": "One question.",
            "is_final": False,
        },
        "interview/audit": clean,
        "prd/draft": {"full_answers": [], "prd": _prd()},
        "prd/refine": {"prd": _prd(), "changes": []},
        "prd/audit": clean,
        "beads/draft": {"beads": _blueprint()},
        "beads/refine": {"beads": _blueprint(), "changes": []},
        "beads/audit": {**clean, "expansion": _expansion()},
    }


def _prd() -> Told:
    story = {
        "id": "US-1-1", "title": "Get a receipt",
        "acceptance_criteria": ["A receipt says how many things, and how much after the discount."],
        "implementation_steps": ["Add up, reduce, print."],
        "verification": {"required_commands": [PYTHON]},
    }  # fmt: skip
    epic = {
        "id": "EPIC-1", "title": "Receipts", "objective": "Customers get a receipt.",
        "implementation_steps": [], "user_stories": [story],
    }  # fmt: skip
    needs = (
        "architecture_constraints", "data_model", "api_contracts", "security_constraints",
        "performance_constraints", "reliability_constraints", "error_handling_rules",
        "tooling_assumptions",
    )  # fmt: skip
    return {
        "product": {"problem_statement": "There are no receipts.", "target_users": ["customers"]},
        "scope": {"in_scope": ["receipts"], "out_of_scope": ["printers"]},
        "technical_requirements": {name: [] for name in needs},
        "epics": [epic], "risks": ["Rounding."],
    }  # fmt: skip


def _blueprint() -> list[Told]:
    return [
        {
            "id": name, "title": title, "description": f"{title}.", "prd_refs": ["US-1-1"],
            "guidance": {"patterns": [], "anti_patterns": []},
            "acceptance_criteria": [f"{title}, with a test."], "tests": [f"Of {name}."],
            "test_commands": [f"{PYTHON} {_module(name)}"],
        }
        for name, (title, _) in BEADS.items()
    ]  # fmt: skip


def _expansion() -> list[Told]:
    names = [*BEADS]
    return [
        {
            "id": name, "issue_type": "task", "labels": ["epic:EPIC-1"],
            "blocked_by": names[max(0, place - 1) : place], "target_files": [*BEADS[name][1][0]],
        }
        for place, name in enumerate(names)
    ]  # fmt: skip


def _module(name: str) -> str:
    """Return the module with the tests of a bead."""
    test = next(path for path in BEADS[name][1][0] if path.startswith("test_"))
    return test.removesuffix(".py")


def _setup() -> Told:
    probe = {"id": "python", "command": PYTHON, "purpose": "The tests that are there pass."}
    commands = {"prepare": [], "test_full": [PYTHON], "lint_full": [], "typecheck_full": []}
    return {
        "summary": "Python is all it takes.",
        "readiness": {"status": "ready", "actions_required": False, "evidence": ["till.py"],
                      "gaps": []},
        "steps": [], "probes": [probe], "project_commands": commands, "cautions": [],
    }  # fmt: skip


def _done(name: str) -> Told:
    checks = dict.fromkeys(("tests", "lint", "typecheck", "qualitative"), "pass")
    return {"bead_id": name, "status": "done", "checks": checks}


def _tested() -> Told:
    return {
        "commands": [PYTHON], "summary": "All tests together.", "test_files": [],
        "modified_files": [], "file_effects": [], "tests_count": 4,
    }  # fmt: skip


def _request() -> Told:
    return {
        "title": TITLE, "summary": ["Receipts with a discount."], "why": ["Customers ask."],
        "what_changed": [f"{title}." for title, _ in BEADS.values()],
        "validation": [PYTHON], "follow_ups": [],
    }  # fmt: skip
