"""The failure classes, typed a second time from the specification."""

from interlock.workflows.mission.failures import FAILURES, TRIES_MAX, class_of

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


def test_what_is_down_is_not_available_once_it_is_not_tried_again() -> None:
    tried = [class_of("transient", attempt, 3, is_down=True) for attempt in (1, 2, 3, 4)]

    assert tried == ["transient", "transient", "resource_unavailable", "resource_unavailable"]
    assert class_of("configuration", 1, 3, is_down=True) == "resource_unavailable"
    assert class_of("transient", 3, 3, is_down=False) == "transient"
    assert class_of("system", 1, 3, is_down=True) == "system"
