"""The page of errors has every code somebody can get to see."""

import ast
from pathlib import Path

import interlock
from interlock.errors import InterlockError
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.parcel import PARCEL
from tools.error_page import BUILT_IN, _subclasses, error_page

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

    assert [code for code in sorted(codes) if f"| `{code}` |" not in page] == []


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

    assert "| `CLOSED` | The parcel is closed. | Open it. | parcel: `pack` |" in page
    assert "| `NOWHERE` | It was nowhere. | Ask. | parcel: `parcel mended` |" in page
    assert "| `INVALID_TRANSITION` | Says which test did not hold" in page
