"""Let pytest explain the asserts of the modules that the tests of this folder share."""

import pytest

pytest.register_assert_rewrite("tests.races.checks", "tests.races.duels")
