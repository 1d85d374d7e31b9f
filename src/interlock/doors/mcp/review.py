"""Reviews in the client itself, where it can ask its user: the person need not follow a link.

A call that opens a review has its effect once. Then the person is asked, and what they say goes
in as a decision of its own, relayed by the agent on behalf of the person, never as the person's
own: plans that want a person's own decision are left to the link. Older clients are asked while
the call waits; newer ones are sent the question and call again with the answer. What comes back
then is no secret and proves nothing: it only names the gate, and the decision is checked as if
the agent had relayed it by itself.
"""

from dataclasses import replace
from typing import Final

from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from interlock.commands.all import COMMANDS
from interlock.doors.mcp.call import Context, Desk, call
from interlock.doors.mcp.tools import ALL, toolset
from interlock.errors import InterlockError
from interlock.wire.envelope import Envelope

REQUEST: Final = "request_user_review"
DECIDE: Final = "submit_user_decision"
READ: Final = "get_unit"
EXPLAIN: Final = "explain"

KEY: Final = "review"
FORM: Final[dict[str, object]] = {
    "type": "object",
    "properties": {
        "decision": {
            "type": "string",
            "title": "Decision",
            "enum": ["approve", "modify", "reject", "skip"],
            "description": "reject ends the whole plan",
        },
        "feedback": {
            "type": "string",
            "title": "Feedback",
            "description": "needed for modify and reject",
        },
    },
    "required": ["decision"],
}
ANONYMOUS: Final = "user"
"""On whose behalf an agent relays that does not know for whom it works."""


async def reviewed(
    desk: Desk, context: Context, params: CallToolRequestParams
) -> CallToolResult | InputRequiredResult:
    """Call a tool; where it opens a review and the client can ask its user, have them asked."""
    answer = (params.input_responses or {}).get(KEY) if params.name == REQUEST else None
    if isinstance(answer, ElicitResult):
        return await _answered(desk, context, params, answer)
    result, envelope = await call(desk, context, params.name, params.arguments or {})
    if params.name != REQUEST or envelope is None or not await _can_ask(desk, context, envelope):
        return result
    gate = str(_gate(envelope).get("gate_id", ""))
    form = ElicitRequestFormParams(message=_question(params), requested_schema=FORM)
    if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        asked = {KEY: ElicitRequest(params=form)}
        return InputRequiredResult(input_requests={**asked}, request_state=gate)
    try:
        said = await context.session.elicit_form(form.message, FORM, context.request_id)
    except MCPError:
        return result  # the person can still follow the link
    return await _decided(desk, context, gate, said) or result


async def _can_ask(desk: Desk, context: Context, envelope: Envelope) -> bool:
    """Whether the client can ask its user, and the plan takes an answer that was relayed."""
    able = context.session.client_capabilities
    form = able.elicitation if able is not None else None
    is_newer = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    if (
        DECIDE not in COMMANDS
        or form is None
        or (form.form is None and form.url is not None)
        or not (is_newer or context.session.can_send_request)
    ):
        return False
    unit = str(_gate(envelope).get("step_id", "")).partition(".")[0]
    try:
        read = await desk.run(desk.who(context), READ, {"id": unit, "limit": 1})
    except InterlockError:
        return False  # whoever may not look is left to the link
    fields = read.data["fields"]
    return isinstance(fields, dict) and fields.get("review_policy") == "relay"


def _gate(envelope: Envelope) -> dict[str, object]:
    gate = envelope.data.get("gate")
    return gate if isinstance(gate, dict) else {}


def _question(params: CallToolRequestParams) -> str:
    """Word what the person is asked: what the agent says, and what it wants to know."""
    given = params.arguments or {}
    questions = given.get("questions")
    lines = [f"An agent asks for your review:\n\n{given.get('summary', '')}"]
    lines += [f"- {one}" for one in (questions if isinstance(questions, list) else [])]
    return "\n".join(lines)


async def _answered(
    desk: Desk, context: Context, params: CallToolRequestParams, said: ElicitResult
) -> CallToolResult:
    """Take what a newer client comes back with."""
    given = params.arguments or {}
    step = str(given.get("step_id", given.get("stepId", "")))
    done = await _decided(desk, context, params.request_state or f"{step}:", said)
    if done is not None:
        return done
    result, _ = await call(_everything(desk), context, EXPLAIN, {"id": step})
    return result


async def _decided(
    desk: Desk, context: Context, gate: str, said: ElicitResult
) -> CallToolResult | None:
    """Relay a decision; None where the person did not decide."""
    if said.action != "accept" or not said.content:
        return None
    caller = desk.who(context)
    relaying = replace(caller, on_behalf_of=caller.on_behalf_of or ANONYMOUS)
    arguments = {name: said.content[name] for name in FORM_NAMES if said.content.get(name)}
    result, _ = await call(
        replace(_everything(desk), caller=relaying), context, DECIDE, {"gate_id": gate, **arguments}
    )
    return result


FORM_NAMES: Final = ("decision", "feedback")


def _everything(desk: Desk) -> Desk:
    """Return the desk with every tool, also those that this client is not offered."""
    return replace(desk, toolset=toolset(ALL))
