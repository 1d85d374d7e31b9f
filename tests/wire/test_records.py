"""What may be asked about records beside the units."""

import pytest
from pydantic import ValidationError

from interlock.wire.records import ListLeases, ReadContent


@pytest.mark.parametrize("digest", ["", "0" * 63, "0" * 65, "A" * 64, "0" * 64 + "\n", "../" * 21])
def test_a_digest_is_sixty_four_small_hexadecimal_digits(digest: str) -> None:
    with pytest.raises(ValidationError):
        ReadContent(id="plan-0", digest=digest)


@pytest.mark.parametrize("limit", [0, -1, 201])
def test_a_page_has_one_to_two_hundred_rows(limit: int) -> None:
    with pytest.raises(ValidationError):
        ListLeases.model_validate({"limit": limit})
    assert ListLeases.model_validate({}).limit == 50
