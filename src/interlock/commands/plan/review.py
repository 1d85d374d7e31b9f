"""Reviews: ask the person about a step, and take the decision.

What was asked is kept by its digest, and a decision can name that digest: so nobody approves what
they have not seen.
"""

import json
from hashlib import sha256

from interlock.commands.deciding import may_decide
from interlock.commands.names import is_step
from interlock.commands.plan.status import gate_told
from interlock.commands.plan.words import (
    ASKED,
    about_step,
    answered,
    changed,
    read_step,
)
from interlock.commands.row import Call
from interlock.kernel.rules import USER
from interlock.service.errors import InvalidInput
from interlock.service.order import Asked, Kept, Reply, Result
from interlock.service.run import Answer, advance
from interlock.store.gates import WITHDRAWN
from interlock.store.rows import dump, part_id, unit_of
from interlock.wire.gates import Verdict
from interlock.wire.plan import Decide, RequestReview


async def request_review(call: Call, asked: RequestReview) -> Answer:
    """Ask the person about a step."""
    content = dump(_shown(asked)).encode()
    digest = sha256(content).hexdigest()
    args: dict[str, object] = {"digest": digest, "summary": asked.summary}
    sent = Asked(
        "request_review", asked.step_id, args=args, lease=asked.lease or "",
        kept=(Kept("review", content),), told={"summary": asked.summary},
    )  # fmt: skip

    def word(result: Result) -> Reply:
        (opened,) = result.opened
        gate = gate_told(call, opened.id, asked.step_id, digest)
        return answered(result, result.unit.unit.status, ASKED, {"gate": gate})

    return await advance(call.engine, about_step(call, asked.step_id, sent, word))


def _shown(asked: RequestReview) -> Reply:
    """Return what the person is shown."""
    shown: Reply = {"summary": asked.summary, "questions": asked.questions}
    if asked.artifact_ids:
        shown["artifact_ids"] = asked.artifact_ids
    if asked.result is None and asked.result_summary is None:
        return shown
    draft: Reply = {"result": asked.result or {}}
    draft["result_summary"] = asked.result_summary or asked.summary
    if asked.confidence is not None:
        draft["confidence"] = asked.confidence
    return shown | {"draft": draft}


async def decide(call: Call, asked: Decide) -> Answer:
    """Take a decision about a step that waits for it."""
    step, _, sequence = (asked.gate_id or "").partition(":")
    named = asked.step_id or step
    if not named:
        message = "A decision names the step or the gate it is about."
        raise InvalidInput(message, fix="Send step_id, or gate_id as request_user_review gave it.")
    gate = asked.gate_id if sequence else None
    return await decide_step(call, named, asked, gate or await _last_gate(call, named))


async def decide_step(call: Call, step: str, asked: Verdict, gate: str = "") -> Answer:
    """Take a decision about a step; with a gate only if that one is still open."""
    may_decide(call)
    _, row = await read_step(call, step)
    shown = str(row.part.fields["shown"])
    decision = asked.decision
    args: dict[str, object] = {"decision": decision, "feedback": asked.feedback}
    args["digest"] = asked.content_digest
    if asked.content_digest is None and call.caller.kind != USER:
        # An agent that relays and says nothing has seen what is open now; a person must say it,
        # where the plan wants that.
        args["digest"] = shown or None
    told = {"decision": decision, "feedback": asked.feedback, "answers": asked.answers}
    kept: tuple[Kept, ...] = ()
    if decision in ("approve", "modify"):
        draft = await _draft(call, shown)
        kept = _kept(decision, draft)
        if decision == "approve":
            args |= _result(draft, kept)
    sent = Asked(
        decision, step, args=args, kept=kept, gate=gate,
        told={name: value for name, value in told.items() if value},
    )  # fmt: skip
    return await advance(call.engine, about_step(call, step, sent, changed))


async def _last_gate(call: Call, step: str) -> str:
    """Return the gate that a decision about a step is meant for: the last, unless withdrawn."""
    is_step(step)
    rows = await call.engine.store.gates.of_unit(call.tenant, unit_of(step))
    own = [row for row in rows if part_id(row.unit, row.part) == step]
    return own[-1].id if own and own[-1].decision != WITHDRAWN else ""


async def _draft(call: Call, shown: str) -> Reply:
    content = await call.engine.store.content(call.tenant, shown) if shown else None
    asked: Reply = json.loads(content) if content else {}
    draft = asked.get("draft")
    if isinstance(draft, dict):
        return draft
    return {"result": {}, "result_summary": str(asked.get("summary", ""))} if asked else {}


def _kept(decision: str, draft: Reply) -> tuple[Kept, ...]:
    """An approval makes the draft the result; a modification sets it aside."""
    if not draft:
        return ()
    return (Kept("result" if decision == "approve" else "draft", dump(draft).encode()),)


def _result(draft: Reply, kept: tuple[Kept, ...]) -> Reply:
    names = ("result", "result_summary", "confidence")
    args: Reply = {name: draft[name] for name in names if name in draft}
    if kept:
        args["digest_of_result"] = sha256(kept[0].content).hexdigest()
    return args
