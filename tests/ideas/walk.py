"""A walk: whatever persons, agents, workers and the clock may say, drawn from a seed.

Most of what is said fits where the mission stands, so that walks get far; the rest is anything by
anybody. What is refused must have changed nothing. A mission that has ended is begun anew, and
the walk goes on with its successor.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from interlock.errors import InterlockError
from interlock.service.engine import Principal, clockwork
from interlock.service.order import Asked, Order
from interlock.service.run import advance
from interlock.service.sweep import sweep
from interlock.store.rows import unit_of
from tests.ideas.pairs import pair, wrong_numbers, wrong_pairs, wrong_parts
from tests.missions import asset, new_chain, new_hop, new_mission
from tests.stage import ADA, BOB, DAY_MS, HOME, PAT, Stage

Told = dict[str, Any]
Said = tuple[str, Principal, Told]
"""A command, who sends it, and what it says."""

CLOCK: Final = clockwork(HOME)
FAILURES: Final = (
    "transient", "transient", "validation", "configuration", "user_correctable",
    "resource_unavailable", "system", "unhandled",
)  # fmt: skip

FITTING: Final[Mapping[tuple[str, str, bool], Sequence[str]]] = {
    ("PROPOSED", "-", False): ("accept_mission", "accept_mission", "edit_mission", "set_asset"),
    ("READY_FOR_NEXT_HOP", "-", False): (
        *("propose_hop",) * 4, "create_hop", "reset_hop", "delete_hop", "archive_hop",
        "complete_early", "complete_early",
    ),
    ("READY_FOR_NEXT_HOP", "PROPOSED", False): (
        *("accept_hop",) * 8, "revise_hop", "reject_hop",
        "withdraw_hop", "cancel_hop", "delete_hop", "complete_early",
    ),
    ("BUILDING_HOP", "PROPOSED", False): ("claim_hop", "revise_hop", "accept_hop", "accept_hop"),
    ("BUILDING_HOP", "READY_TO_RESOLVE", False): (
        *("submit_resolution",) * 6,
        "claim_hop", "fail_resolution", "request_changes", "release_hop", "lapse",
    ),
    ("BUILDING_HOP", "FAILED", True): ("fix_hop", "fix_hop", "fix_hop", "abandon_recovery"),
    ("HOP_READY_TO_EXECUTE", "READY_TO_EXECUTE", False): (
        "execute_hop", "execute_hop", "execute_hop", "approve_design", "request_changes",
        "validation_failed",
    ),
    ("EXECUTING_HOP", "EXECUTING", False): (
        *("submit",) * 6, "claim_step", "submit_failure", "submit_failure", "release_step",
        "lapse", "expire", "set_asset", "mark_hop_complete", "cancel_hop",
    ),
    ("EXECUTING_HOP", "FAILED", True): ("fix_hop", "fix_hop", "fix_hop", "abandon_recovery"),
    ("COMPLETED", "-", False): ("reset_mission", "archive_hop"),
    ("FAILED", "-", False): ("reset_mission", "reset_mission", "cancel_mission", "delete_hop"),
    ("CANCELLED", "-", False): ("reset_mission", "delete_hop"),
}  # fmt: skip
"""What leads on from each pair; what comes up more often stands there more often."""

RARE: Final = ("cancel_mission", "cancel_hop", "system_error", "expire")
ODD: Final = 0.1
"""How often anything is said, and how often by anybody."""

NEW: Final = 0.25
"""How often that is said which was done least of all."""


@dataclass(slots=True)
class Walker:
    """Somebody who walks about one mission and its successors."""

    stage: Stage
    seed: int
    chance: random.Random = field(init=False)
    mission: str = ""
    # Who has claimed what, and the token they got.
    leases: dict[str, tuple[Principal, str]] = field(default_factory=dict)
    trail: list[str] = field(default_factory=list)
    pairs: set[tuple[str, str, bool]] = field(default_factory=set)
    # What has had an effect, by the command or event, and what was tried, by the word for it.
    done: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)
    # How each mission stood when it was begun anew: it must stand so for ever.
    ended: dict[str, Told] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311 (repeatable on purpose)

    async def walk(self, length: int) -> None:
        """Begin, and say so many things; after each everything must fit together."""
        made = await self.stage.call("propose_mission", ADA, **self._new())
        self.mission = str(made.data["mission_id"])
        self.done["propose_mission"] += 1
        for _ in range(length):
            shown = await self._look()
            await self._say(self._choose(shown), shown)
        await self._look()
        # Its work would be handed out on the next walk.
        if (await self._shown(self.mission))["status"] not in ("COMPLETED", "FAILED", "CANCELLED"):
            await self.stage.call("cancel", PAT, id=self.mission, **WHY)
        for old, then in self.ended.items():
            assert await self._shown(old) == then, self._told(f"{old} has changed")

    def _new(self) -> Told:
        policy = self.chance.choice(("human", "human", "relay"))
        new = new_mission(policy=policy, tries_max=self.chance.choice((1, 2)))
        if self.seed % 2:
            new["outputs"] = [{"name": "sum", "ttl_s": 3600}]
            new["recovery_deadline_s"] = 3600
        return new

    # -- looking -------------------------------------------------------------------------------

    async def _shown(self, mission: str) -> Told:
        return dict((await self.stage.call("mission_status", PAT, mission_id=mission)).data)

    async def _look(self) -> Told:
        """Return what is shown; whatever does not fit together is told with the way there."""
        shown = await self._shown(self.mission)
        # No door tells yet which hop a tool step belongs to, but of the current one.
        rows = (await self.stage.whole(self.mission)).parts
        wrong = [*wrong_pairs(shown), *wrong_numbers(shown)]
        wrong += wrong_parts(shown, [(row.id, row.part) for row in rows])
        assert not wrong, self._told("; ".join(wrong))
        self.pairs.add(pair(shown))
        return shown

    def _told(self, what: str) -> str:
        way = "\n  ".join(self.trail[-30:])
        return f"seed {self.seed}: {what}, after\n  {way}"

    # -- saying --------------------------------------------------------------------------------

    def _choose(self, shown: Told) -> str:
        if self.chance.random() < ODD:
            return self.chance.choice([*WORDS])
        if self.chance.random() < ODD / 10:
            return self.chance.choice(RARE)
        words = FITTING[pair(shown)]
        if self.chance.random() < NEW:
            return min(words, key=lambda word: self.said[word])
        return self.chance.choice(words)

    async def _say(self, word: str, shown: Told) -> None:
        """Say one thing; where it is refused nothing may have changed."""
        no = await self._send(word, shown)
        self.trail.append(f"{word}: {no.code if no else 'OK'}")
        self.said[word] += 1
        if no is None:
            return
        assert no.http < 500, self._told(no.message)
        after = await self._shown(self.mission)
        assert after == shown, self._told(f"{word} was refused and has changed something")

    async def _send(self, word: str, shown: Told) -> InterlockError | None:
        try:
            if word in CLOCKED:
                await CLOCKED[word](self, shown)
                self.done[word] += 1
                return None
            command, by, said = WORDS[word](self, shown)
            if self.chance.random() < ODD / 2:
                by = self.chance.choice((PAT, ADA, BOB))
            answer = await self.stage.call(command, by, **said)
        except InterlockError as no:
            return no
        self.done[command] += 1
        self._heard(command, by, dict(answer.data), shown)
        return None

    def _heard(self, command: str, by: Principal, data: Told, shown: Told) -> None:
        part = data.get("part")
        if command == "get_next_work" and isinstance(part, dict) and "lease" in part:
            self.leases[part["part_id"]] = by, part["lease"]["token"]
        if command == "reset_mission":
            self.ended[self.mission] = shown | {"superseded_by": data["new_mission_id"]}
            self.ended[self.mission]["version"] = shown["version"] + 1
            self.mission = str(data["new_mission_id"])

    # -- what there is to speak of -------------------------------------------------------------

    def hop(self, shown: Told) -> str:
        """Return a hop: mostly the one that things are about."""
        hops = [one["hop_id"] for one in shown["hops"]] or [f"{self.mission}.4"]
        if self.chance.random() < ODD:
            return str(self.chance.choice(hops))
        return str(shown.get("current_hop", hops[-1]))

    def older(self, shown: Told) -> str:
        """Return any hop, the current one or not."""
        hops = [one["hop_id"] for one in shown["hops"]] or [f"{self.mission}.4"]
        return str(self.chance.choice(hops))

    def step(self, shown: Told) -> str:
        """Return a tool step, mostly the one that runs."""
        steps = shown["tool_steps"]
        running = [one["part_id"] for one in steps if one["status"] == "EXECUTING"]
        any_of = [one["part_id"] for one in steps] or [f"{self.mission}.5"]
        return str(running[0] if running else self.chance.choice(any_of))

    def held(self, word: str, name: str) -> tuple[Principal, Told]:
        """Return who has a part, and what they say to prove it; anybody where nobody has it."""
        by, token = self.leases.get(name, (ADA, "none.1"))
        return by, {word: name, "lease": token}

    def digest(self, shown: Told) -> Told:
        """Name what is shown at the gate."""
        gates = shown.get("gates", [])
        return {"content_digest": gates[-1]["content_digest"]} if gates else {}

    def final(self) -> Told:
        """Say now and then that it is the final hop."""
        return {"is_final": True} if self.chance.random() < 0.3 else {}

    def chain(self, shown: Told) -> list[Told]:
        """Return a chain: the usual one, what is there already, or something wrong."""
        old = [{"step_id": one["part_id"]} for one in shown["tool_steps"]]
        if old and self.chance.random() < 0.7:
            return old
        if self.chance.random() < ODD:
            return [{"tool": "nobody knows it"}]
        return new_chain(self.mission)


WHY: Final = {"reason": "because"}


def _about_hop(command: str, by: Principal, **more: object) -> Callable[[Walker, Told], Said]:
    return lambda walker, shown: (command, by, {"hop_id": walker.hop(shown), **more})


def _about_older(command: str, **more: object) -> Callable[[Walker, Told], Said]:
    return lambda walker, shown: (command, PAT, {"hop_id": walker.older(shown), **more})


def _about_mission(command: str, **more: object) -> Callable[[Walker, Told], Said]:
    return lambda walker, _: (command, PAT, {"mission_id": walker.mission, **more})


def _decision(command: str, **more: object) -> Callable[[Walker, Told], Said]:
    def say(walker: Walker, shown: Told) -> Said:
        said = {"hop_id": walker.hop(shown), **walker.digest(shown), **more}
        return command, PAT, said | (walker.final() if command != "request_changes" else {})

    return say


def _claim(kind: str) -> Callable[[Walker, Told], Said]:
    def say(walker: Walker, _: Told) -> Said:
        by = walker.chance.choice((ADA, ADA, BOB))
        return "get_next_work", by, {"workflow": "mission", "kind": kind}

    return say


def holder_of(shown: Told, name: str) -> str:
    """Return who holds a hop or a tool step; nobody is nobody's name."""
    parts = {one.get("hop_id"): one for one in shown["hops"]}
    parts |= {one["part_id"]: one for one in shown["tool_steps"]}
    return str(parts.get(name, {}).get("holder", ""))


def _with_lease(
    command: str, word: str = "hop_id", **more: object
) -> Callable[[Walker, Told], Said]:
    def say(walker: Walker, shown: Told) -> Said:
        name = walker.hop(shown) if word == "hop_id" else walker.step(shown)
        by, proof = walker.held("part_id" if command == "release_work" else word, name)
        if by.id != holder_of(shown, name) and walker.chance.random() > ODD:
            return _claim("hop" if word == "hop_id" else "tool_step")(walker, shown)
        return command, by, proof | more

    return say


def _resolve(walker: Walker, shown: Told) -> Said:
    command, by, said = _with_lease("submit_resolution")(walker, shown)
    return command, by, said | ({"steps": walker.chain(shown)} if "lease" in said else {})


def _fail_resolution(walker: Walker, shown: Told) -> Said:
    failure = walker.chance.choice(FAILURES)
    return _with_lease("fail_resolution", message="no way", failure=failure)(walker, shown)


def _submit(walker: Walker, shown: Told) -> Said:
    outputs = {"rows": [1, 2], "total": 3, "count": 2}
    if walker.chance.random() < ODD:
        outputs.pop(walker.chance.choice(("rows", "total")))
    return _with_lease("submit_tool_result", "part_id", outputs=outputs)(walker, shown)


def _submit_failure(walker: Walker, shown: Told) -> Said:
    said = {
        "failure": walker.chance.choice(FAILURES),
        "resource_down": walker.chance.random() < ODD,
    }
    return _with_lease("submit_tool_result", "part_id", **said)(walker, shown)


def _set_asset(walker: Walker, shown: Told) -> Said:
    name = walker.chance.choice(("numbers", "sum", "sum"))
    content = [1, 2] if name == "numbers" else 3
    return "set_asset", PAT, {"asset_id": asset(shown, name)["asset_id"], "content": content}


def _mark(walker: Walker, shown: Told) -> Said:
    if asset(shown, "sum")["status"] == "PENDING":
        return "set_asset", PAT, {"asset_id": asset(shown, "sum")["asset_id"], "content": 3}
    return "mark_hop_complete", PAT, {"hop_id": walker.hop(shown), **WHY}


def _cancel_hop(walker: Walker, shown: Told) -> Said:
    cascade = walker.chance.random() < 0.5
    return "cancel", PAT, {"id": walker.hop(shown), "cascade": cascade, **WHY}


def _propose(command: str, by: Principal) -> Callable[[Walker, Told], Said]:
    return lambda walker, _: (command, by, new_hop(walker.mission, **walker.final()))


WORDS: Final[Mapping[str, Callable[[Walker, Told], Said]]] = {
    "accept_mission": lambda w, shown: ("accept_mission", PAT, {"mission_id": w.mission, **w.digest(shown)}),
    "edit_mission": lambda w, _: ("edit_mission", ADA, {"mission_id": w.mission, "goal": "another"}),
    "set_asset": _set_asset,
    "propose_hop": _propose("propose_hop", ADA),
    "create_hop": _propose("create_hop", PAT),
    "revise_hop": _with_lease("revise_hop", goal="another"),
    "withdraw_hop": _about_hop("withdraw_hop", ADA),
    "accept_hop": _decision("accept_hop"),
    "reject_hop": lambda w, shown: ("reject_hop", PAT, {"hop_id": w.hop(shown), **w.digest(shown), **WHY}),
    "request_changes": _decision("request_changes", **WHY),
    "reset_hop": _about_older("reset_hop", **WHY),
    "delete_hop": _about_older("delete_hop", **WHY),
    "archive_hop": _about_older("archive_hop"),
    "claim_hop": _claim("hop"),
    "release_hop": _with_lease("release_work"),
    "submit_resolution": _resolve,
    "fail_resolution": _fail_resolution,
    "approve_design": lambda w, shown: ("approve_design", PAT, {"hop_id": w.hop(shown), **w.digest(shown)}),
    "execute_hop": _decision("execute_hop"),
    "claim_step": _claim("tool_step"),
    "release_step": _with_lease("release_work", "part_id"),
    "submit": _submit,
    "submit_failure": _submit_failure,
    "mark_hop_complete": _mark,
    "complete_early": _about_mission("complete_early", **WHY),
    "fix_hop": _about_hop("fix_hop", PAT, **WHY),
    "abandon_recovery": _about_mission("abandon_recovery", **WHY),
    "cancel_mission": lambda w, _: ("cancel", PAT, {"id": w.mission, **WHY}),
    "cancel_hop": _cancel_hop,
    "reset_mission": _about_mission("reset_mission", **WHY),
}  # fmt: skip
"""What can be said, by words of this walk."""


# -- the clock, and the system -----------------------------------------------------------------


def _event(event: str, of: Callable[[Walker, Told], str]) -> Callable[[Walker, Told], Any]:
    async def send(walker: Walker, shown: Told) -> None:
        name = of(walker, shown)
        asked = Asked(event, name if "." in name else None)
        order = Order(HOME, CLOCK.actor(), unit_of(name), (asked,), lambda _: {})
        await advance(walker.stage.engine, order)

    return send


async def _lapse(walker: Walker, _: Told) -> None:
    await walker.stage.pass_ms(DAY_MS)
    await sweep(walker.stage.engine, unit=walker.mission)


CLOCKED: Final[Mapping[str, Callable[[Walker, Told], Any]]] = {
    "lapse": _lapse,
    "system_error": _event("system_error", lambda walker, _: walker.mission),
    "validation_failed": _event("validation_failed", lambda walker, shown: walker.hop(shown)),
    "expire": _event("expire_asset", lambda walker, _: f"{walker.mission}.{walker.chance.choice((1, 2))}"),
}  # fmt: skip
