"""The page of errors has every code somebody can get to see."""

import ast
from pathlib import Path

import pytest

import interlock
from interlock.errors import InterlockError
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.parcel import PARCEL
from tools.error_page import BUILT_IN, SAYS, _subclasses, codes, error_page

SOURCE = Path(interlock.__file__).parent


def refusals_in_code() -> set[str]:
    """Return the codes that the source raises a ``Refusal`` with, guards apart."""
    found: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal":
                found |= {
                    arg.value
                    for arg in node.args
                    if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                }
    return found


def test_refusals_that_the_kernel_says_by_itself_are_all_described() -> None:
    assert set(BUILT_IN) == refusals_in_code()


def test_every_code_of_every_guard_is_on_the_page() -> None:
    page = error_page(WORKFLOWS)
    codes = {
        guard.code for flow in WORKFLOWS.values() for rule in flow.rules for guard in rule.guards
    }

    assert [code for code in sorted(codes) if f"\n## `{code}`\n" not in page] == []


def test_every_class_of_error_is_on_the_page_once() -> None:
    page = error_page(WORKFLOWS)

    for error in set(_subclasses(InterlockError)):
        assert page.count(f"`{error.__module__}.{error.__qualname__}`") == 1


def test_no_two_errors_share_a_code_and_each_says_what_it_means() -> None:
    errors = set(_subclasses(InterlockError))

    assert len({error.code for error in errors}) == len(errors)
    assert [error for error in errors if not error.__doc__] == []


def test_a_refusal_tells_message_fix_and_where_it_comes_from() -> None:
    page = error_page({"parcel": PARCEL})

    assert "\n## `CLOSED`\n\nThe parcel is closed.\nHTTP 409; the same call fails again" in page
    assert "| The parcel is closed. | Open it. | parcel: `pack` |" in page
    assert "| It was nowhere. | Ask. | parcel: `parcel mended` |" in page
    assert "| Says which test did not hold" in page


BAD_INPUT = (
    "HUMAN_REQUIRED",
    "INVALID_EXPRESSION",
    "INVALID_STEP_REFERENCE",
    "INVALID_TRANSITION",
    "LIMIT_REACHED",
    "NOT_FOUND",
    "PLAN_TERMINAL",
    "IDEMPOTENCY_MISMATCH",
    "STALE_APPROVAL",
    "STALE_LEASE",
)


@pytest.mark.parametrize("code", BAD_INPUT)
def test_what_a_caller_gets_for_bad_input_is_told_with_its_cause_and_its_fix(code: str) -> None:
    told = codes(WORKFLOWS)[code]

    assert told.meaning.endswith(".")
    assert [row for row in told.rows if SAYS not in row[:2]] != []


def test_every_code_can_be_reached_from_the_top_of_the_page() -> None:
    page = error_page(WORKFLOWS)

    assert [
        code
        for code in codes(WORKFLOWS)
        if page.count(f"[`{code}`](#{code.lower()})") != 1 or page.count(f"\n## `{code}`\n") != 1
    ] == []


def test_of_two_classes_with_one_name_each_is_told_with_its_own_causes() -> None:
    told = codes(WORKFLOWS)

    assert {row[2].split(".")[0] for row in told["NOT_WRITABLE"].rows} == {"cli"}
    assert {row[2] for row in told["STORE_NOT_WRITABLE"].rows} == {"store.sqlite.connect"}
