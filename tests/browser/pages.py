"""Every page there is, by its route, and where an example of it is found.

A route that shows a page and is not listed here is missed by nobody but ``assert_all_listed``.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from interlock.doors.web.door import Web
from interlock.service.engine import Engine

# Before anybody has come in; each with a secret of its own.
OUTSIDE: Final = {
    "/login": "/login",
    "/login/{secret}": "/login/{login}",
    "/invitation/{secret}": "/invitation/{invitation}",
    "/decide/{signed}": "/decide/{link}",
}
INSIDE: Final = {
    "/": "/",
    "/account": "/account",
    "/gates/{gate_id}": "/gates/{gate}",
    "/units/{unit}": "/units/{plan}",
    "/units/{unit}/parts/{number}": "/units/{plan}/parts/1",
    "/units/{unit}/modify": "/units/{plan}/modify",
    "/units/{unit}/act/{command}": "/units/{plan}/act/fail_plan",
    "/units/{unit}/artifacts": "/units/{plan}/artifacts",
    "/units/{unit}/artifacts/{digest}": "/units/{plan}/artifacts/{artifact}",
    "/units/{unit}/documents/{name}": "/units/{approval}/documents/prd",
    "/units/{unit}/logs": "/units/{voting}/logs",
    "/units/{unit}/beads/{number}": "/units/{working}/beads/1",
    "/units/{unit}/diff": "/units/{working}/diff",
    "/units/{unit}/evidence": "/units/{delivered}/evidence",
    "/tickets/new": "/tickets/new",
    "/projects": "/projects",
    "/projects/{project}": "/projects/{project}",
    "/board": "/board",
    "/board/{workflow}": "/board/plan",
    "/people": "/people",
    "/tokens": "/tokens",
    "/calls": "/calls",
    "/health": "/health",
    "/audit": "/audit",
    "/workflows": "/workflows",
    "/workflows/{name}": "/workflows/plan",
}
# More of the same page, where it looks otherwise.
OTHERWISE: Final = {
    "gate_decided": "/gates/{decided}",
    "gate_unknown": "/gates/nothing",
    "board_found": "/board?q=which&tag=stores",
    "board_column": "/board/plan?column=doing",
    "unit_modify_step": "/units/{plan}/modify?action=update_step_instructions",
    "unit_past": "/units/{plan}?at=4",
    "unit_new": "/units/{new}",
    "unit_mission": "/units/{mission}",
    "unit_ticket": "/units/{ticket}",
    "ticket_backlog": "/units/{backlog}",
    "ticket_voting": "/units/{voting}",
    "ticket_answers": "/units/{answers}",
    "ticket_approval": "/units/{approval}",
    "ticket_error": "/units/{blocked}",
    "ticket_given_up": "/units/{built}",
    "ticket_past": "/units/{approval}?attempt=5",
    "ticket_past_approval": "/units/{built}?attempt=7",
    "ticket_fields": "/units/{approval}/documents/prd?as=fields",
    "ticket_reopen": "/units/{approval}/documents/interview",
    "ticket_setup": "/units/{planned}",
    "ticket_setup_editor": "/units/{planned}/documents/execution_setup_plan",
    "ticket_setup_fields": "/units/{planned}/documents/execution_setup_plan?as=fields",
    "ticket_coding": "/units/{working}",
    "ticket_bead_under_way": "/units/{working}/beads/2",
    "ticket_no_net": "/units/{working}/diff?of=net",
    "ticket_files": "/units/{working}/diff?of=files",
    "ticket_stuck": "/units/{stuck}",
    "ticket_review": "/units/{review}",
    "ticket_net": "/units/{review}/diff",
    "ticket_delivered": "/units/{delivered}",
    "tickets": "/board/ticket",
    "part_failed": "/units/{plan}/parts/{failed}",
    "part_held": "/units/{new}/parts/1",
    "result": "/units/{plan}/artifacts/{result}",
    "audit_proved": "/audit?verify=1",
    "audit_of_one": "/audit?unit={plan}&verify=1",
    "audit_unknown": "/audit?unit=nothing",
    "workflow_ticket": "/workflows/ticket",
}
# They lead to the identity provider, or are files.
NO_PAGES: Final = frozenset({
    "/login/provider", "/invitation/{secret}/provider", "/login/provider/back",
    "/units/{unit}/artifacts/{digest}/file", "/audit/export",
})  # fmt: skip
FILES: Final = "/static/"

FILLED: Final = (
    "inbox",
    "board",
    "people",
    "tokens",
    "calls",
    "audit",
    "health",
    "projects",
    "tickets_new",
)
"""Pages that look otherwise where nothing was ever done."""

Names = dict[str, str]


class Place(NamedTuple):
    """A page with its address, and a name for its picture."""

    name: str
    address: str
    is_inside: bool


def places(names: Names) -> list[Place]:
    """Return all pages that can be opened with what is known: without a unit there is no gate."""
    return [*_places(OUTSIDE, names, is_inside=False), *_places(INSIDE | OTHERWISE, names)]


def _places(addresses: dict[str, str], names: Names, *, is_inside: bool = True) -> Iterator[Place]:
    for route, address in addresses.items():
        try:
            yield Place(_named(route), address.format(**names), is_inside)
        except KeyError:
            continue


def _named(route: str) -> str:
    return "_".join(word.strip("{}") for word in route.split("/") if word) or "inbox"


def assert_all_listed(engine: Engine) -> None:
    """See that every page that is served is listed, and that none is listed that is not."""
    served = {
        route.path
        for route in Web(engine).routes()
        if "GET" in (route.methods or ()) and not route.path.startswith(FILES)
    }
    listed = {*OUTSIDE, *INSIDE, *NO_PAGES}
    assert served == listed, {"not listed": served - listed, "not served": listed - served}
