"""What every verb of the service needs: the store, the clock, the workflows, and who is calling."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from opentelemetry.trace import Tracer

from interlock.clock import Clock
from interlock.kernel.export import digest
from interlock.kernel.gates import Gates, gates
from interlock.kernel.lanes import Standing, standings
from interlock.kernel.offer import Queue, queues
from interlock.kernel.rules import SYSTEM
from interlock.kernel.seen import Actor
from interlock.kernel.timer import Timer
from interlock.kernel.workflow import LEASE_MS, Workflow
from interlock.outside.model import Model
from interlock.service.embed import Embedder
from interlock.service.errors import NotFound
from interlock.service.looked import Looked
from interlock.service.meter import Meter
from interlock.service.provider import Provider
from interlock.service.pulse import Pulse
from interlock.service.rate import Rates
from interlock.store.port import Store
from interlock.store.rows import PartRow, unit_of
from interlock.store.script import Kinds
from interlock.toolbox.tool import Described


@dataclass(frozen=True, slots=True)
class Principal:
    """Who acts, for which tenant, and what they may do."""

    tenant: str
    kind: str
    id: str
    scopes: frozenset[str] = frozenset()
    session: str = ""
    on_behalf_of: str = ""
    # The way they came in by, for the audit.
    channel: str = ""
    # What a person is in their tenant; agents and workers are nothing.
    role: str = ""

    def actor(self) -> Actor:
        """Return how the rules and the audit know them."""
        return Actor(self.kind, self.id, self.session, self.on_behalf_of, self.channel)


def clockwork(tenant: str) -> Principal:
    """Return the principal that the sweeper acts as."""
    return Principal(tenant, SYSTEM, "clock")


@dataclass(frozen=True, slots=True)
class Running:
    """A workflow that units run on, with its queues."""

    flow: Workflow
    digest: str
    queues: dict[str, Queue[PartRow]]
    # For each queue the statuses it hands out, as a store is asked for its head.
    kinds: Kinds
    # How long a claim is good where neither the part, nor its unit, nor its kind says.
    lease_ms: int = LEASE_MS
    # By kind and status: the events that decide where a decision is waited for.
    gates: Gates = field(default_factory=dict)
    # All of these events.
    decides: frozenset[str] = frozenset()
    # By status: where its units stand on a board, and how it is shown.
    standings: Mapping[str, Standing] = field(default_factory=dict)
    # By kind of part: when its time is up.
    timers: Mapping[str, Timer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limits:
    """How large things may be."""

    artifact_bytes_max: int = 32 * 1024 * 1024
    body_bytes_max: int = 1024 * 1024
    # For how many seconds a tool may run.
    tool_s_max: int = 3600


async def no_tools() -> Mapping[str, Described]:
    """Return what tools there are where nobody has set any up."""
    return {}


@dataclass(frozen=True, slots=True)
class Engine:
    """The parts that the service is made of; ``app`` puts them together."""

    store: Store
    clock: Clock
    flows: Mapping[str, Running]
    limits: Limits = field(default_factory=Limits)
    # Where people reach the pages of this installation.
    site: str = ""
    # Nobody has asked for spans where it is None, so none is begun.
    tracer: Tracer | None = None
    # Who says what a text means, and who reads it: neither is needed for anything else.
    embedder: Embedder | None = None
    model: Model | None = None
    # Who vouches for people, where one is set up.
    provider: Provider | None = None
    # Whether webhooks may go to this machine and the network it is in.
    webhooks_private: bool = False
    # Which tools there are, and which of the resources that tools declare are configured.
    tools: Callable[[], Awaitable[Mapping[str, Described]]] = no_tools
    resources: frozenset[str] = frozenset()
    # How often callers may call, and what is counted: both only where others are served.
    rates: Rates | None = None
    meter: Meter | None = None
    # How tenants were doing lately; only where others are served, too.
    pulse: Pulse | None = None
    # Tenants and units whose rows this process has looked at, or has made itself.
    sound: Looked = field(default_factory=Looked)

    def running(self, name: str) -> Running:
        """Return the workflow of a unit or part, which its name begins with.

        A name that begins with no workflow names nothing.
        """
        found = self.flows.get(unit_of(name).rpartition("-")[0])
        if found is None:
            raise NotFound(name)
        return found


def running(flows: Mapping[str, Workflow], lease_ms: int = LEASE_MS) -> dict[str, Running]:
    """Prepare workflows for running."""
    found = {}
    for name, flow in flows.items():
        own: dict[str, Queue[PartRow]] = dict(queues(flow))
        kinds = tuple((kind, queue.statuses) for kind, queue in own.items())
        at = gates(flow)
        decides = frozenset().union(*at.values())
        found[name] = Running(
            flow, digest(flow), own, kinds, lease_ms, at, decides, standings(flow),
            {part.name: part.timer for part in flow.parts if part.timer is not None},
        )  # fmt: skip
    return found
