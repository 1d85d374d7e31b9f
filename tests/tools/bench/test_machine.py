"""The machine: what figures stand on, and nothing that names it."""

import getpass
import platform

from tools.bench.machine import machine


def test_it_tells_cores_and_versions_and_no_name() -> None:
    told = machine()

    assert set(told) == {
        "cores", "architecture", "memory_gib", "system", "python", "load_before",
    }  # fmt: skip
    assert platform.node() not in map(str, told.values())
    assert getpass.getuser() not in map(str, told.values())
