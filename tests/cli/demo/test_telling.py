"""What happens is told in lines, with who did it."""

import pytest

from interlock.cli.demo.telling import say


def test_who_stands_before_what(capsys: pytest.CaptureFixture[str]) -> None:
    say("ann", "looks at it")

    assert capsys.readouterr().out == "  ann      looks at it\n"
