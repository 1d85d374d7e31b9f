"""Settings for tests of the command line: it must be plain before its consoles are made."""

import os

# Whoever runs the tests may like colours; what is compared here has none.
os.environ.update(FORCE_COLOR="", NO_COLOR="1", COLUMNS="100")
