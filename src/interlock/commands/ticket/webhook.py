"""What a forge tells by itself: a pull request was closed, merged. Signed, or it was never said.

The secret is the project's, set by a person and shown to nobody. Only a merge of the very commit
that was reviewed means anything; everything else is answered, and changes nothing.
"""

import hmac
import json
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Final, NamedTuple

from interlock.commands.row import Call
from interlock.commands.ticket.execute import merged_request
from interlock.commands.ticket.papers import papers_of
from interlock.commands.ticket.words import about, answered, filed
from interlock.errors import InterlockError
from interlock.kernel.refusal import Refusal
from interlock.service.engine import Engine, clockwork
from interlock.service.errors import InvalidInput, NotFound
from interlock.service.order import Asked, Reply
from interlock.service.projects import read_project
from interlock.service.run import advance
from interlock.store.port import Which
from interlock.store.rows import dump
from interlock.ticketing.checked import Json, part, text
from interlock.workflows.ticket.phases import REVIEW

SECRET: Final = "webhook_secret"  # noqa: S105  the name of a setting
PAGE: Final = 200


class NotSigned(InterlockError):
    """What a forge is said to have sent does not carry the signature of the project."""

    code = "NOT_SIGNED"
    http = 401


class Delivery(NamedTuple):
    """A webhook as it came in."""

    tenant: str
    project: str
    event: str
    signature: str
    body: bytes


def signature(secret: str, body: bytes) -> str:
    """Return how a body is signed, as GitHub does it."""
    return "sha256=" + hmac.new(secret.encode(), body, sha256).hexdigest()


async def take_delivery(engine: Engine, told: Delivery) -> Reply:
    """Take in what a forge tells; raises ``NotSigned``."""
    await _require_signed(engine, told)
    try:
        body = json.loads(told.body)
    except (ValueError, RecursionError) as exc:
        fix = "Let the webhook send application/json."
        raise InvalidInput("The body is no JSON.", fix=fix) from exc
    request = _merged(told.event, body)
    tickets = [] if request is None else await _tell(engine, told, request)
    return {"status": "ok", "tickets": tickets}


async def _require_signed(engine: Engine, told: Delivery) -> None:
    """Raise ``NotSigned``, whatever is missing: the project, its secret, or the right signature."""
    secret: object = None
    with suppress(NotFound):
        secret = (await read_project(engine, told.tenant, told.project)).settings.get(SECRET)
    wanted = signature(secret if isinstance(secret, str) else "", told.body)
    is_right = hmac.compare_digest(wanted.encode(), told.signature.encode())
    if not secret or not is_right:
        message = "The signature does not fit."
        fix = "Set the project's webhook_secret here and the same one at the forge."
        raise NotSigned(message, fix=fix)


def _merged(event: str, body: object) -> Json | None:
    """Return the pull request that a delivery says was merged; None where it says anything else."""
    if event != "pull_request" or not isinstance(body, Mapping) or body.get("action") != "closed":
        return None
    request = part(body, "pull_request")
    return request if request.get("merged") is True else None


async def _tell(engine: Engine, told: Delivery, request: Json) -> list[str]:
    """Let the tickets go on whose reviewed commit was merged; return which."""
    head, merged = text(part(request, "head"), "sha"), text(request, "merge_commit_sha")
    call = Call(engine, clockwork(told.tenant))
    found: list[str] = []
    for name in await _reviewed(call, told.project):
        papers = await papers_of(call, name)
        if not head or text(papers.tree, "candidate") != head:
            continue
        report = {"merged": True, "merge_commit": merged, "base_head": merged, "by": "outside"}
        also = filed(papers.unit, {"merge_report": dump(report)}, merged_request(papers.fields))
        sent = Asked("outside_merge", told={"merge_commit": merged}, also=(also,))
        order = about(call, name, (sent,), lambda result: answered(result, {}), papers.unit.version)
        try:
            await advance(engine, order)
        except Refusal:
            continue  # somebody was faster: a poll, a merge of ours, a person
        found.append(name)
    return found


async def _reviewed(call: Call, project: str) -> list[str]:
    """Return the tickets of a project whose pull requests wait for a review."""
    found: list[str] = []
    place: tuple[int, str] | None = None
    while True:
        which = Which(is_open=True, status=REVIEW)
        rows = await call.engine.store.units(call.tenant, "ticket", place, PAGE, which)
        found += [one.row.id for one in rows if one.row.unit.fields["project"] == project]
        if len(rows) < PAGE:
            return found
        place = (rows[-1].row.changed_at, rows[-1].row.id)
