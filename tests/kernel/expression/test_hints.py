"""Each mistake brought from another language is answered with what to write here."""

import pytest

from interlock.kernel.expression import InvalidExpression
from tests.kernel.expression.language import read


@pytest.mark.parametrize(
    ("wrong", "fix"),
    [
        # signs and joins
        ("a == 1", "use === for =="),
        ("a = 1", "use === for ="),
        ("a === 1 and b === 2", "use && for and"),
        ("a === 1 OR b === 2", "use || for OR"),
        ("(a === 1 or b === 2)", "use || for or"),
        ("a === 1 & b === 2", "use && for &"),
        ("a === 1, b === 2", "join comparisons with && or ||"),
        # where an operator belongs
        ("a is 1", "use === for is"),
        ("a gte 1", "use >= for gte"),
        ("a IN [1]", "use in for IN"),
        ("a not in [1]", "negate the whole comparison: !(state in [1, 2])"),
        ("not (a === 1)", "use ! for not: !(score > 3)"),
        ("not a === 1", "use ! for not: !(score > 3)"),
        ("len(a) > 1", "only exists(path) can be called"),
        ("a", "compare the path with a literal, as in score > 3, or write exists(score)"),
        ("a && b", "compare the path with a literal, as in score > 3, or write exists(score)"),
        # where a literal belongs
        ("a === True", "write true"),
        ("a === None", "write null"),
        ("a === undefined", "write null"),
        ("a > NaN", "compare with a finite number"),
        ("a < Infinity", "compare with a finite number"),
        ("a === open", 'put text in quotes: "open" (the right side is a literal, never a path)'),
        (
            "a === [1]",
            'write a number, a quoted text, true, false or null: score > 3, state === "open"',
        ),
        # where a path belongs
        ("", "compare the path with a literal, as in score > 3, or write exists(score)"),
        ("1 === a", "write the path first, then the literal: score > 3"),
        ("'x' === a", "write the path first, then the literal: score > 3"),
        ("null === a", "`null` is a word of the language; for a field, write result.null"),
        ("exists === true", "write exists(path); for a field: result.exists"),
        # strays
        ("a === \u201cx\u201d", "put text in plain quotes, \" or '"),
        ("a + 1 > 2", "there is no arithmetic: compare a path with a literal, as in score > 3"),
        ("my-field > 1", "- only begins a number, as in -3.5; a name has letters, digits and _"),
        ("a\xa0> 1", "use an ordinary space"),
        ("a > 1;", "remove it; text belongs in quotes"),
    ],
)
def test_a_mistake_is_answered_with_what_to_write(wrong: str, fix: str) -> None:
    with pytest.raises(InvalidExpression) as refused:
        read(wrong)

    assert refused.value.fix == fix
