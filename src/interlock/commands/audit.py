"""The whole audit: the proof that what is told is what happened.

What was deleted is not found here; ``interlock audit verify`` proves that, too.
"""

from typing import Final

from interlock.commands.listing import place_of
from interlock.commands.row import AnyCommand, Call, Command, done
from interlock.service.order import Reply
from interlock.service.verify import verify_page
from interlock.wire.audit import VerifyAudit

TOOLSET: Final = "work"


async def verify_audit(call: Call, asked: VerifyAudit) -> Reply:
    """Verify one unit or a page of them: every hash, every move, and that the log makes the state."""
    place = place_of(asked.cursor)
    page = await verify_page(call.engine, call.tenant, asked.unit, place, asked.limit)
    data: Reply = {"units": page.verdict.units, "entries": page.verdict.entries}
    data["findings"] = [
        {
            "unit": one.unit, "sequence": one.sequence, "what": one.what,
            "expected": one.expected, "found": one.found,
        }
        for one in page.verdict.findings
    ]  # fmt: skip
    if page.last is not None:
        data["cursor"] = f"{page.last[0]}.{page.last[1]}"
    return done(data)


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("verify_audit", VerifyAudit, verify_audit, "read", TOOLSET, weight=5,
            http="GET /audit/verification",
            doc="Prove what happened: every hash, every move, and that the log makes the state."),
)
# fmt: on
