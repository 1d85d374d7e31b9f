"""What a server told is read by its type, and nothing else is taken for it."""

from interlock.worker.told import rows, section, text, words


def test_what_is_of_another_shape_is_passed_over() -> None:
    told = {"a": 3, "b": [1, {"c": 2}], "d": None}
    assert (section(told, "a"), words(told, "d"), words(told, "a")) == ({}, (), ())
    assert rows(told, "b") == ({"c": 2},)
    assert words(told, "b")[0] == "1"
    assert (text(told, "a"), text(told, "d"), text(told, "e")) == ("3", "", "")
