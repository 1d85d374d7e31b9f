"""Reports of what was done: within their size whatever was said, and notes for the next attempt."""

import json
from collections.abc import Iterator
from typing import Any, Final

REPORT_BYTES_MAX: Final = 650_000
DIFF_MAX: Final = 300_000
NOTE_MAX: Final = 2_000
SHORTEST: Final = 500

Report = dict[str, Any]


def fitted(report: Report) -> Report:
    """Return a report that is not too large: the longest texts are cut, and told to be."""
    while len(json.dumps(report, ensure_ascii=False).encode()) > REPORT_BYTES_MAX:
        longest = max(_texts(report), key=lambda one: len(one[0][one[1]]), default=None)
        if longest is None or len(longest[0][longest[1]]) <= SHORTEST:
            break
        around, name, is_tail = longest
        half = len(around[name]) // 2
        around[name] = around[name][half:] if is_tail else around[name][:half]
        around[f"{name}_cut"] = True
    return report


def _texts(report: Report) -> Iterator[tuple[Report, str, bool]]:
    """Yield what may be cut: outputs keep their end, a diff its beginning."""
    if isinstance(report.get("diff"), str):
        yield report, "diff", False
    for run in report.get("runs", ()):
        yield run, "output", True


def noted(text: str) -> str:
    """Return a note for the next attempt: its beginning and its end say most."""
    if len(text) <= NOTE_MAX:
        return text
    half = NOTE_MAX // 2 - 10
    return f"{text[:half]}\n[...]\n{text[-half:]}"
