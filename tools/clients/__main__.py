"""``python -m tools.clients``: fetch the clients that are not there; exit 1 if one is missing."""

import sys

from tools.clients.programs import PROGRAMS, NotInstalled, install

missing = 0
for name, program in PROGRAMS.items():
    try:
        install(name)
    except NotInstalled as exc:
        missing += 1
        print(f"{name:12} missing: {exc}")
    else:
        print(f"{name:12} {program.version}")
sys.exit(1 if missing else 0)
