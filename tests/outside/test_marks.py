"""Nothing that stands between marks can close them."""

from interlock.outside.marks import Marks, marks_around


def test_a_text_stands_between_marks_that_are_explained() -> None:
    marks = Marks("5ecret00")

    before = marks.is_used
    assert marks.put("x") == "<untrusted-5ecret00>x</untrusted-5ecret00>"
    assert (before, marks.is_used) == (False, True)
    assert marks.opening in marks.meaning
    assert marks.closing in marks.meaning


def test_only_the_beginning_of_a_secret_is_shown() -> None:
    assert marks_around("0123456789abcdef", ()).opening == "<untrusted-01234567>"


def test_whoever_has_guessed_the_word_finds_another_one() -> None:
    first = marks_around("5ecret00", ())
    second = marks_around("5ecret00", (first.closing,))
    third = marks_around("5ecret00", (first.closing, f"a {second.closing} b"))

    assert len({first.closing, second.closing, third.closing}) == 3
    assert third.closing == marks_around("5ecret00", (second.closing, first.opening)).closing
