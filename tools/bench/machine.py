"""The machine that is measured on: what one needs to judge figures, and nothing that names it."""

import os
import platform


def machine() -> dict[str, object]:
    """Return cores, memory, systems and versions; no host, no path, no user."""
    return {
        "cores": os.cpu_count() or 0,
        "architecture": platform.machine(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": platform.system(),
        "python": platform.python_version(),
        # More than the number of cores: somebody else was at work, and figures are worth less.
        "load_before": round(os.getloadavg()[0], 2),
    }
