"""The expression language: one condition, read once, then asked of any number of scopes.

Floor 1, part of the kernel: pure, standard library only; anything above may import it. Text
becomes an ``Expression`` by ``parse`` (which may refuse), and a yes or no by ``evaluate`` (which
never does). Nothing is ever executed: values are looked up and compared, and that is all.
"""

from interlock.kernel.expression.evaluate import evaluate
from interlock.kernel.expression.grammar import Grammar, Limits
from interlock.kernel.expression.invalid import InvalidExpression
from interlock.kernel.expression.parse import parse
from interlock.kernel.expression.tree import Expression

__all__ = ["Expression", "Grammar", "InvalidExpression", "Limits", "evaluate", "parse"]
