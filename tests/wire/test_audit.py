"""The shape of what is asked of the whole audit."""

import pytest
from pydantic import ValidationError

from interlock.wire.audit import VerifyAudit


def test_a_page_of_all_units_is_verified_unless_one_is_named() -> None:
    asked = VerifyAudit()

    assert (asked.unit, asked.cursor, asked.limit) == ("", None, 100)


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": 501}, {"unit": "x" * 121}, {"id": "x"}])
def test_what_cannot_be_asked_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        VerifyAudit.model_validate(wrong)
