"""Settings that hold for every test. Fixtures live in the test files that use them."""

from hypothesis import settings

# No deadline: a test machine may pause for a second, and that is no fault of the code under test.
settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")
