"""Write a pytest file with one failing test for each finding of a check.

Each test makes the calls of the shortest trace and then asks whether the finding is still there.
It fails while the workflow is unsound and passes once it is mended: keep it.
"""

from collections.abc import Iterable
from pprint import pformat

from interlock.kernel.check.graph import Graph
from interlock.kernel.check.judge import Finding
from interlock.kernel.check.retrace import Sent, calls_to

HEAD = '''"""What a check of {name} found, as tests: each fails until the workflow is mended."""

{imports}
from interlock.kernel.check.report import check
from interlock.kernel.check.retrace import Sent, check_from, retrace

SCOPE = {scope}
'''

TRACED = '''

def test_{name}() -> None:
    """{kind} at {where}: {message}"""
    calls = {calls}
    state = retrace(SCOPE, {start}, {made})
    found = {{(f.finding.kind, f.finding.where) for f in check_from(SCOPE, state).findings}}

    assert ("{kind}", "{where}") not in found
'''

STATIC = '''

def test_{name}() -> None:
    """{kind} at {where}: {message}"""
    found = {{(f.finding.kind, f.finding.where) for f in check(SCOPE).findings}}

    assert ("{kind}", "{where}") not in found
'''


def pytest_file(graph: Graph, findings: Iterable[Finding], imports: str, scope: str) -> str:
    """Return the text of the file; ``imports`` and ``scope`` are code that makes the scope."""
    text = HEAD.format(name=graph.scope.flow.name, imports=imports, scope=scope)
    for number, finding in enumerate(findings, 1):
        text += _test(graph, finding, number)
    return text


def _test(graph: Graph, finding: Finding, number: int) -> str:
    words = "".join(c if c.isalnum() else "_" for c in f"{finding.kind}_{finding.where}".lower())
    name = f"{number}_{words}"
    message = finding.message.replace('"', "'")
    # Where a check gives up depends on where it began.
    if finding.state < 0 or finding.kind == "ENDLESS":
        return STATIC.format(name=name, kind=finding.kind, where=finding.where, message=message)
    start, calls = calls_to(graph, finding)
    # What is wrong where it starts takes no call to get to. A call that should not have been
    # accepted is left to the check: once it was made, nothing may be wrong any more.
    lines = "".join(f"        {_call(call)},\n" for call in calls)
    return TRACED.format(
        name=name, kind=finding.kind, where=finding.where, message=message,
        start=start, calls=f"[\n{lines}    ]" if lines else "[]",
        made="calls" if finding.label < 0 else "calls[:-1]",
    )  # fmt: skip


def _call(call: Sent) -> str:
    parts = [repr(call.event), repr(call.actor), repr(call.place), repr(call.session)]
    parts.append(pformat(_plain(call.args), compact=True, width=10_000))
    if call.branches:
        parts.append(repr([(t, a, _plain(p), n) for t, a, p, n in call.branches]))
    return f"Sent({', '.join(parts)})"


def _plain(value: object) -> object:
    """Return nested mappings as plain dicts, which print as code."""
    if hasattr(value, "items"):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(_plain, value))
    return value
