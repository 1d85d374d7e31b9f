"""The same plan on the libraries ``transitions`` and ``python-statemachine``.

Each uses its library as its own documentation shows: a machine with named transitions, every
guard of our rules as one condition, a callback that records every change, the plan's status
derived from counts (not from a list, so that they do not pay for the number of steps), and the
legal pairs checked at the end of every command.
"""

from collections.abc import Callable
from typing import Final

from statemachine import State, StateMachine
from transitions import Machine

from tools.bench.plan import Played

SETTLED: Final = frozenset({"completed", "skipped", "failed"})
STEP_STATES: Final = (
    "pending", "in_progress", "awaiting_input", "completed", "skipped", "failed",
)  # fmt: skip


class Work:
    """What a plan and its steps share: counts, the log, the limit."""

    def __init__(self, steps: int) -> None:
        """Begin with all steps pending."""
        self.counts = {"pending": steps}
        self.log: list[tuple[str, str, str]] = []
        self.max_parallel: int | None = None

    def shift(self, source: str, target: str) -> None:
        """Count a step that moved, and record it."""
        self.counts[source] -= 1
        if not self.counts[source]:
            del self.counts[source]
        self.counts[target] = self.counts.get(target, 0) + 1
        self.log.append(("step", source, target))

    def derived(self) -> str:
        """Derive the plan's status from the counts."""
        if "awaiting_input" in self.counts:
            return "awaiting_review"
        return "completed" if self.counts.keys() <= SETTLED else "executing"

    def check(self, plan: str) -> None:
        """Check the legal pairs."""
        ended = plan in ("completed", "failed")
        if ended != (self.counts.keys() <= SETTLED):
            raise AssertionError(plan)
        if (plan == "awaiting_review") != ("awaiting_input" in self.counts):
            raise AssertionError(plan)


class Guarded:
    """The guards of a step, one method each, as both libraries take them."""

    work: Work
    holder: str | None = None
    fence = 0
    waits = 0
    lapsed = False

    def plan_status(self) -> str:
        """Where the plan stands."""
        raise NotImplementedError

    def status(self) -> str:
        """Where the step stands."""
        raise NotImplementedError

    def may(self, actor: str, fence: int) -> bool:
        """Guard: this kind of actor may send it."""
        del fence
        return actor in ("agent", "user", "worker")

    def is_open(self, actor: str, fence: int) -> bool:
        """Guard: the plan has not ended."""
        del actor, fence
        return self.plan_status() in ("planning", "executing", "awaiting_review", "stalled")

    def no_review(self, actor: str, fence: int) -> bool:
        """Guard: the plan does not wait for a decision."""
        del actor, fence
        return self.plan_status() != "awaiting_review"

    def is_free(self, actor: str, fence: int) -> bool:
        """Guard: nothing it depends on is open."""
        del actor, fence
        return self.waits == 0

    def is_takeable(self, actor: str, fence: int) -> bool:
        """Guard: nobody holds it, or the lease ran out."""
        del actor, fence
        return self.status() == "pending" or self.holder is None or self.lapsed

    def within_limit(self, actor: str, fence: int) -> bool:
        """Guard: no more steps are in progress than allowed."""
        del actor, fence
        limit = self.work.max_parallel
        return limit is None or self.work.counts.get("in_progress", 0) < limit

    def is_mine(self, actor: str, fence: int) -> bool:
        """Guard: the fence is the holder's."""
        del actor
        return fence == self.fence

    def was_never_claimed(self, actor: str, fence: int) -> bool:
        """Guard: a pending step was never claimed."""
        del actor, fence
        return self.status() != "pending" or not self.fence

    def grant(self, actor: str, fence: int) -> None:
        """Give the step to the caller."""
        del fence
        self.holder, self.fence, self.lapsed = actor, self.fence + 1, False
        self.work.shift("pending", "in_progress")

    def close(self, actor: str, fence: int) -> None:
        """Record that it is done."""
        del actor, fence
        self.holder = None
        self.work.shift("in_progress", "completed")


CLAIM_GUARDS: Final = ["may", "is_open", "no_review", "is_free", "is_takeable", "within_limit"]
SUBMIT_GUARDS: Final = ["may", "is_open", "is_mine", "was_never_claimed", "no_review", "is_free"]


class Step(Guarded):
    """A step as a model of ``transitions``, which adds its status and its triggers."""

    state: str
    claim: Callable[[str, int], bool]
    submit: Callable[[str, int], bool]

    def __init__(self, work: Work, plan: "Plan") -> None:
        """Belong to a plan."""
        self.work, self.plan = work, plan

    def plan_status(self) -> str:
        """Where the plan stands."""
        return self.plan.state

    def status(self) -> str:
        """Where the step stands."""
        return self.state


class Plan:
    """A plan as a model of ``transitions``, which adds its status and its triggers."""

    state: str
    begin: Callable[[], bool]
    finish: Callable[[], bool]


PLAN_MOVES: Final = [
    ["begin", "planning", "executing"],
    ["review", "executing", "awaiting_review"],
    ["stall", "executing", "stalled"],
    ["finish", "executing", "completed"],
    *(["fail", status, "failed"] for status in ("planning", "executing", "stalled")),
    ["decided", "awaiting_review", "executing"],
    ["resume", "stalled", "executing"],
]
PLAN_STATES: Final = (
    "planning", "executing", "awaiting_review", "stalled", "completed", "failed",
)  # fmt: skip


def with_transitions(steps: int) -> Callable[[], Played]:
    """Play the plan with ``transitions``."""
    work, plan = Work(steps), Plan()
    Machine(plan, states=PLAN_STATES, initial="planning", transitions=PLAN_MOVES,
            auto_transitions=False)  # fmt: skip
    models = [Step(work, plan) for _ in range(steps)]
    Machine(
        models, states=STEP_STATES, initial="pending", auto_transitions=False,
        transitions=[
            {"trigger": "claim", "source": "pending", "dest": "in_progress",
             "conditions": CLAIM_GUARDS, "after": "grant"},
            {"trigger": "submit", "source": "in_progress", "dest": "completed",
             "conditions": SUBMIT_GUARDS, "after": "close"},
            {"trigger": "ask", "source": "in_progress", "dest": "awaiting_input"},
            {"trigger": "fail", "source": "in_progress", "dest": "failed"},
        ],
    )  # fmt: skip

    def play() -> Played:
        moves = 0
        for step in models:
            step.claim("agent", 0)
            _derive(work, plan)
            step.submit("agent", 1)
            _derive(work, plan)
            moves += 2
        return plan.state, [step.state for step in models], moves

    return play


def _derive(work: Work, plan: Plan) -> None:
    before = plan.state
    if before == "planning":
        plan.begin()
    if work.derived() == "completed":
        plan.finish()
    if plan.state != before:
        work.log.append(("plan", before, plan.state))
    work.check(plan.state)


class StepMachine(StateMachine, Guarded):
    """A step in ``python-statemachine``."""

    pending = State(initial=True)
    in_progress = State()
    awaiting_input = State()
    completed = State(final=True)
    skipped = State(final=True)
    failed = State(final=True)
    claim = pending.to(in_progress, cond=CLAIM_GUARDS, on="grant")
    submit = in_progress.to(completed, cond=SUBMIT_GUARDS, on="close")
    ask = in_progress.to(awaiting_input)
    approve = awaiting_input.to(completed)
    pass_over = pending.to(skipped)
    fail = in_progress.to(failed)

    def __init__(self, work: Work, plan: "PlanMachine") -> None:
        """Belong to a plan."""
        self.work, self.plan = work, plan
        super().__init__()

    def plan_status(self) -> str:
        """Where the plan stands."""
        return self.plan.current

    def status(self) -> str:
        """Where the step stands."""
        return str(next(iter(self.configuration)).id)


class PlanMachine(StateMachine):
    """A plan in ``python-statemachine``."""

    planning = State(initial=True)
    executing = State()
    awaiting_review = State()
    stalled = State()
    completed = State(final=True)
    failed = State(final=True)
    begin = planning.to(executing)
    review = executing.to(awaiting_review)
    stall = executing.to(stalled)
    finish = executing.to(completed)
    decided = awaiting_review.to(executing)
    resume = stalled.to(executing)
    fail = planning.to(failed) | executing.to(failed)

    @property
    def current(self) -> str:
        """The name of the present status."""
        return str(next(iter(self.configuration)).id)


def with_statemachine(steps: int) -> Callable[[], Played]:
    """Play the plan with ``python-statemachine``."""
    work, plan = Work(steps), PlanMachine()
    machines = [StepMachine(work, plan) for _ in range(steps)]

    def derive() -> None:
        before = plan.current
        if before == "planning":
            plan.begin()
        if work.derived() == "completed":
            plan.finish()
        if plan.current != before:
            work.log.append(("plan", before, plan.current))
        work.check(plan.current)

    def play() -> Played:
        moves = 0
        for step in machines:
            step.claim(actor="agent", fence=0)
            derive()
            step.submit(actor="agent", fence=1)
            derive()
            moves += 2
        return plan.current, [step.status() for step in machines], moves

    return play
