"""Reasons: which mutants they cover, and that neither side is left over unnoticed."""

from pathlib import Path

import pytest

from tools.mutation.groups import groups
from tools.mutation.survivors import Reason, compared, reasons
from tools.mutation.verdicts import Mutant

LIVES = Mutant("k.x_twice__mutmut_2", "kernel/twice.py", "survived", "a = b[0]", "a = b[1]")


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (Reason("", "kernel/twice.py"), True),
        (Reason("", "kernel/*", "twice", "a = *", "* b[1]"), True),
        (Reason("", "kernel/thrice.py"), False),
        (Reason("", "*", "thrice"), False),
        (Reason("", "*", was="a = b"), False),
        (Reason("", "*", now="*b[0]"), False),
    ],
)
def test_a_reason_covers_what_fits_all_of_its_patterns(reason: Reason, *, expected: bool) -> None:
    assert reason.fits(LIVES) is expected


def test_a_survivor_without_a_reason_and_a_reason_without_a_survivor_are_told() -> None:
    idle = Reason("none like it", "store/*")

    assert compared([LIVES], [idle]) == ([LIVES], [idle])
    assert compared([LIVES], [Reason("it is so", "kernel/*")]) == ([], [])


def test_reasons_are_read_by_group(tmp_path: Path) -> None:
    file = tmp_path / "survivors.toml"
    file.write_text('[[one]]\nmodule = "a.py"\nwas = "x"\nwhy = "so"\n')

    assert reasons("one", file) == [Reason("so", "a.py", was="x")]
    assert reasons("two", file) == []


def test_every_reason_of_ours_says_why() -> None:
    given = [one for name in groups() for one in reasons(name)]

    assert [str(one) for one in given if len(one.why.split()) < 4] == []
