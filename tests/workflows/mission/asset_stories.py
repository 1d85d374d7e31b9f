"""Stories about assets: content is supplied, and time runs out."""

from tests.workflows.mission.telling import Story

# fmt: off
STORIES = (
    Story("an input is supplied", "READY_FOR_NEXT_HOP; in PENDING", "user set_asset in content=c", "in READY; in.content=c; unit.ready=in"),
    Story("an agent supplies an input", "BUILDING_HOP current=h ready=out; h READY_TO_RESOLVE; in PENDING", "agent set_asset in content=c", "in READY; in.content=c; unit.ready=in,out"),
    Story("an input is replaced", "READY_FOR_NEXT_HOP ready=in; in READY content=b", "user set_asset in content=c", "in.content=c"),
    Story("a broken asset is supplied by hand", "EXECUTING_HOP current=h held; h FAILED; s1 FAILED; out ERROR needs=s1", "user set_asset out content=c", "out READY; out.content=c; unit.ready=out"),
    Story("an expired asset is supplied again", "READY_FOR_NEXT_HOP; in EXPIRED ttl=60", "user set_asset in content=c", "in READY; in.content=c; unit.ready=in"),
    Story("content that comes with a proposal stays a proposal", "PROPOSED; in PROPOSED", "user set_asset in content=c", "in.content=c"),
    Story("scratch is supplied, the mission does not list it", "EXECUTING_HOP current=h held; h FAILED; x ERROR under=h", "user set_asset x content=c", "x READY; x.content=c"),
    Story("nobody meddles with what a step is making", "EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING; out IN_PROGRESS needs=s1", "user set_asset out content=c", "INVALID_TRANSITION"),
    Story("nothing is supplied to an ended mission", "FAILED; in PENDING", "user set_asset in content=c", "MISSION_TERMINAL"),
    Story("the system supplies nothing", "READY_FOR_NEXT_HOP; in PENDING", "system set_asset in content=c", "NOT_ALLOWED"),

    Story("an asset that waits expires", "READY_FOR_NEXT_HOP; in PENDING ttl=60", "system expire_asset in", "in EXPIRED"),
    Story("an asset that is ready expires", "HOP_READY_TO_EXECUTE current=h ready=in,out; h READY_TO_EXECUTE; in READY ttl=60", "system expire_asset in", "in EXPIRED; unit.ready=out"),
    Story("an asset expires in the making", "EXECUTING_HOP current=h ready=in; h EXECUTING; s1 EXECUTING; out IN_PROGRESS ttl=60 needs=s1", "system expire_asset out", "out EXPIRED"),
    Story("an asset without a time to live is kept", "READY_FOR_NEXT_HOP ready=in; in READY", "system expire_asset in", "KEPT"),
    Story("what has expired does not expire again", "READY_FOR_NEXT_HOP; in EXPIRED ttl=60", "system expire_asset in", "INVALID_TRANSITION"),
    Story("nothing expires in an ended mission", "COMPLETED; in READY ttl=60", "system expire_asset in", "MISSION_TERMINAL"),
    Story("a person is not the clock", "READY_FOR_NEXT_HOP; in READY ttl=60", "user expire_asset in", "NOT_ALLOWED"),
)
# fmt: on
