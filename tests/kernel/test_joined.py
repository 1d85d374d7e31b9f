"""Several tests as one: what ``any`` and ``all`` say, and no test after the one that settles it."""

from itertools import product

import pytest

from interlock.kernel.joined import joined

ANSWERS = [answers for size in range(4) for answers in product((True, False), repeat=size)]


@pytest.mark.parametrize("answers", ANSWERS)
def test_one_that_holds_is_enough_or_one_that_does_not(answers: tuple[bool, ...]) -> None:
    tests = [lambda about, answer=answer: about if answer else "" for answer in answers]

    assert joined(tests, settles=True)("x") is any(answers)
    assert joined(tests, settles=False)("x") is all(answers)


def test_what_comes_after_the_one_that_settles_it_is_not_asked() -> None:
    asked: list[int] = []

    def test(number: int) -> bool:
        asked.append(number)
        return True

    assert joined([test, test], settles=True)(1) is True
    assert joined([test, test], settles=False)(2) is True
    assert asked == [1, 2, 2]
