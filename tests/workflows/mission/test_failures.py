"""The failure classes, typed a second time from the specification."""

from interlock.workflows.mission.failures import FAILURES, TRIES_MAX

# class: (retried in place, recoverable)
CLASSES = {
    "transient": (True, True),
    "validation": (False, True),
    "configuration": (False, True),
    "user_correctable": (False, True),
    "resource_unavailable": (False, False),
    "system": (False, False),
    "unhandled": (False, False),
}


def test_the_classes_are_those_of_the_specification() -> None:
    assert {name: tuple(failure) for name, failure in FAILURES.items()} == CLASSES


def test_a_tool_step_is_tried_three_times() -> None:
    assert TRIES_MAX == 3
