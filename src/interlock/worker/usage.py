"""What agents have cost in a piece of work, also what was asked in vain, as a server is told."""

from dataclasses import dataclass

from interlock.worker.agents.agent import Said, Spent


@dataclass(slots=True)
class Usage:
    """A sum of it."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost_micros: int = 0

    def add(self, one: Said | Spent) -> None:
        """Count an answer, or what was spent without one."""
        self.tokens_in += one.tokens_in
        self.tokens_out += one.tokens_out
        self.cost_micros += one.cost_micros

    def told(self, seconds: float) -> dict[str, object]:
        """Return it as it is handed in."""
        return {
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "cost_micros": self.cost_micros,
            "seconds": round(seconds, 3),
        }
