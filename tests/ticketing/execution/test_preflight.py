"""The checks before anything is built: all that is wrong is told, and one thing is enough."""

from interlock.ticketing.execution.preflight import judged, own_checks

APPROVED = ("interview", "prd", "beads")
TREE = {"head": "a" * 40}


def bead(name: str, *needs: str, tests: tuple[str, ...] = ("pytest",)) -> dict[str, object]:
    return {"id": name, "blocked_by": list(needs), "test_commands": list(tests)}


def results(*beads: dict[str, object]) -> dict[str, tuple[object, object]]:
    rows = own_checks({"beads": list(beads)}, TREE, APPROVED)
    return {str(row["name"]): (row["result"], row["message"]) for row in rows}


def test_all_is_well() -> None:
    found = list(own_checks({"beads": [bead("a"), bead("b", "a")]}, TREE, APPROVED))

    assert {row["result"] for row in found} == {"pass"}
    assert judged(found).is_good


def test_a_cycle_is_told_with_its_path_and_what_dangles_by_its_name() -> None:
    assert results(bead("a", "b"), bead("b", "a"))["graph"] == ("fail", "a -> b -> a is a cycle")
    assert results(bead("a", "z"))["graph"] == ("fail", "a needs z, which is not there")
    assert results(bead("a", "a"), bead("a"))["graph"][0] == "fail"


def test_all_failures_are_told_at_once() -> None:
    found = [*own_checks({"beads": [bead("a", tests=())]}, {}, ("prd",))]
    found.append({"name": "agent", "result": "fail", "message": "no answer"})
    found.append({"name": "files", "result": "warning", "message": "odd"})
    verdict = judged(found)

    assert verdict.reason == "checks_failed"
    for word in ("a has no test command", "interview was not approved", "beads was not", "agent:"):
        assert word in verdict.message
    assert "odd" not in verdict.message


def test_no_beads_are_no_ticket() -> None:
    assert results()["beads"] == ("fail", "There is no bead.")
